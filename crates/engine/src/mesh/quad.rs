//! Quads and their packed form on the GPU.
//!
//! A packed quad is two 32-bit words. Word 0, from the lowest bit up:
//!
//! | bits  | field  | meaning |
//! |-------|--------|---------|
//! | 0-5   | x      | 0 to 32, voxel corners from the chunk's western edge |
//! | 6-11  | z      | 0 to 32, voxel corners from the chunk's northern edge |
//! | 12-21 | y      | 0 to 528, *sixteenths* of a voxel from one voxel below the chunk's bottom |
//! | 22-24 | face   | 0 to 5: the number of a [`Face`]; 6 and 7: the crossed sheets, see below |
//! | 25    | shaded | 1 if ambient occlusion may darken a part of the quad |
//! | 26    | liquid | 1 for liquids |
//! | 27-31 |        | 0; two of them carry the view mode to the fragment shader |
//!
//! Word 1:
//!
//! | bits  | field    | meaning |
//! |-------|----------|---------|
//! | 0-15  | material | [`FaceMaterialId`] |
//! | 16-20 | width    | size along u in voxels, minus 1 |
//! | 21-25 | height   | up and down faces: size along v in voxels, minus 1 |
//! | 26-29 | halved sides | up and down faces: a bit for each [`HalvedSide`] |
//! | 21-29 | height   | other faces: size along v in sixteenths, minus 1 |
//! | 30-31 |          | 0 |
//!
//! Axes of a quad: u is x on up, down, south and north faces and z on east and west faces; v is z
//! on up and down faces and y on all others. Sheet 6 runs from (x, z) to (x + 1, z + 1), sheet 7
//! from (x + 1, z) to (x, z + 1), with u along the sheet and v up. The shader derives texture
//! coordinates from the position, so a merged quad repeats its texture once per voxel, and reads
//! ambient occlusion per fragment from [`DarkBricks`](super::DarkBricks), so shade does not limit
//! the size of quads.

use super::FaceMaterialId;
use crate::voxel::Face;
use glam::IVec3;

/// Sixteenths per voxel, the unit of heights.
pub const STEPS: u8 = 16;
/// Face number of the first sheet of [`crate::voxel::Shape::Cross`]; the second is one higher.
pub const SHEET: u8 = 6;

/// A side of a level quad that ends in the middle of its outermost voxels: its bit in
/// [`Quad::halved_sides`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[repr(u8)]
pub enum HalvedSide {
    /// The side towards -x.
    West = 1,
    /// The side towards +x.
    East = 2,
    /// The side towards -z.
    North = 4,
    /// The side towards +z.
    South = 8,
}

/// A rectangle of a mesh, upright or level, or one sheet of a cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quad {
    /// x of the lowest corner, 0 to 32; of the voxel for a sheet.
    pub x: u8,
    /// z of the lowest corner, 0 to 32; of the voxel for a sheet.
    pub z: u8,
    /// y of the lowest corner in sixteenths of a voxel, -16 to 512. Only models that stand on
    /// smooth ground lie below the chunk.
    pub y: i16,
    /// Size along u, in voxels, 1 to 32.
    pub width: u8,
    /// Number of the [`Face`], or 6 or 7 for a sheet.
    pub face: u8,
    /// Size along v: 1 to 32 voxels on up and down faces, else 1 to 512 sixteenths.
    pub height: u16,
    /// True if ambient occlusion may darken a part of the quad.
    pub shaded: bool,
    /// True for liquids.
    pub liquid: bool,
    /// The bits of [`HalvedSide`]; 0 for quads that are not level.
    pub halved_sides: u8,
    /// Material of the face: texture, tint and light.
    pub material: FaceMaterialId,
}

/// A [`Quad`] as the GPU reads it: word 0 in the lower half, word 1 in the upper.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedQuad(pub u64);

/// A corner of a quad.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Vertex {
    /// Sixteenths of a voxel from the chunk's western edge, 0 to 512.
    pub x: i16,
    /// Sixteenths of a voxel from the chunk's bottom, -16 to 512.
    pub y: i16,
    /// Sixteenths of a voxel from the chunk's northern edge, 0 to 512.
    pub z: i16,
}

/// Unit vectors along u and v of a face's quads.
pub(super) const fn axes(face: Face) -> (IVec3, IVec3) {
    match face {
        Face::East | Face::West => (IVec3::Z, IVec3::Y),
        Face::Up | Face::Down => (IVec3::X, IVec3::Z),
        Face::South | Face::North => (IVec3::X, IVec3::Y),
    }
}

impl Quad {
    /// Packs the quad.
    #[must_use]
    #[inline]
    pub const fn pack(self) -> PackedQuad {
        let is_level = matches!(self.face, 2 | 3);
        debug_assert!(if is_level { self.height <= 32 } else { self.halved_sides == 0 });
        let low = self.x as u64
            | (self.z as u64) << 6
            | ((self.y + STEPS as i16) as u64) << 12
            | (self.face as u64) << 22
            | (self.shaded as u64) << 25
            | (self.liquid as u64) << 26;
        let high = self.material as u64
            | (self.width as u64 - 1) << 16
            | (self.height as u64 - 1) << 21
            | (self.halved_sides as u64) << 26;
        PackedQuad(low | high << 32)
    }

    /// The four corners: corner 1 is at the far end of u, corner 2 at the far end of v, corner 3 at
    /// both.
    #[must_use]
    pub fn vertices(self) -> [Vertex; 4] {
        let steps = i16::from(STEPS);
        let [low_x, low_z, width] =
            [self.x, self.z, self.width].map(|side| i16::from(side) * steps);
        // At most 512.
        let height = self.height as i16;
        let inset = |low: HalvedSide, high: HalvedSide, end: i16| {
            let side = if end == 0 { low } else { high };
            let half = if self.halved_sides & side as u8 == 0 { 0 } else { steps / 2 };
            if end == 0 { half } else { -half }
        };
        [0i16, 1, 2, 3].map(|corner| {
            let [u, v] = [corner & 1, corner >> 1];
            let [along, up] = [u * width, v * height];
            let (x, y, z) = match self.face {
                0 | 1 => (0, up, along),
                2 | 3 => (
                    along + inset(HalvedSide::West, HalvedSide::East, u),
                    0,
                    up * steps + inset(HalvedSide::North, HalvedSide::South, v),
                ),
                4 | 5 => (along, up, 0),
                SHEET => (u * steps, up, u * steps),
                _ => ((1 - u) * steps, up, u * steps),
            };
            Vertex { x: low_x + x, y: self.y + y, z: low_z + z }
        })
    }

    /// Number of unit faces that the quad covers; parts of faces count as one.
    #[must_use]
    pub fn unit_faces(self) -> u32 {
        let is_level = matches!(self.face, 2 | 3);
        let rows = if is_level { self.height } else { self.height.div_ceil(u16::from(STEPS)) };
        u32::from(self.width) * u32::from(rows)
    }

    /// True if u x v points along the normal of the face.
    #[must_use]
    pub fn faces_outward(self) -> bool {
        [Face::West, Face::Down, Face::South].iter().any(|&face| face as u8 == self.face)
    }
}

impl PackedQuad {
    /// Graphics memory per quad, in bytes.
    pub const BYTES: usize = size_of::<PackedQuad>();

    /// Unpacks the quad; unused bits are ignored.
    #[must_use]
    pub const fn unpack(self) -> Quad {
        const fn bits(word: u64, from: u32, count: u32) -> u16 {
            (word >> from & ((1 << count) - 1)) as u16
        }
        let low = self.0;
        let high = self.0 >> 32;
        let face = bits(low, 22, 3) as u8;
        let is_level = matches!(face, 2 | 3);
        Quad {
            x: bits(low, 0, 6) as u8,
            z: bits(low, 6, 6) as u8,
            y: bits(low, 12, 10) as i16 - STEPS as i16,
            width: bits(high, 16, 5) as u8 + 1,
            face,
            height: bits(high, 21, if is_level { 5 } else { 9 }) + 1,
            shaded: bits(low, 25, 1) == 1,
            liquid: bits(low, 26, 1) == 1,
            halved_sides: if is_level { bits(high, 26, 4) as u8 } else { 0 },
            material: bits(high, 0, 16),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pack_and_unpack_round_trip() {
        for n in 0..50_000u32 {
            // Every field covers its range, with different periods.
            let face = (n % 8) as u8;
            let is_level = matches!(face, 2 | 3);
            let quad = Quad {
                x: (n % 33) as u8,
                z: (n / 3 % 33) as u8,
                y: (n * 7 % 529) as i16 - 16,
                width: (n / 5 % 32 + 1) as u8,
                face,
                height: (n * 5 % if is_level { 32 } else { 512 } + 1) as u16,
                shaded: n % 7 < 3,
                halved_sides: if is_level { (n / 7 % 16) as u8 } else { 0 },
                liquid: n.is_multiple_of(11),
                material: (n.wrapping_mul(40_503) >> 3) as u16,
            };
            assert_eq!(quad.pack().unpack(), quad);
        }
    }

    #[test]
    fn packed_bits_match_shader_layout() {
        let quad = Quad {
            x: 32,
            z: 31,
            y: 512,
            width: 32,
            face: 5,
            height: 512,
            shaded: true,
            liquid: false,
            halved_sides: 0,
            material: 0xABCD,
        };
        let low = 32 | 31 << 6 | 528 << 12 | 5 << 22 | 1 << 25;
        assert_eq!(quad.pack().0, low | (0xABCD | 31 << 16 | 511 << 21) << 32);
        let level = Quad {
            face: 2,
            height: 3,
            halved_sides: HalvedSide::East as u8 | HalvedSide::South as u8,
            ..quad
        };
        let low = 32 | 31 << 6 | 528 << 12 | 2 << 22 | 1 << 25;
        assert_eq!(level.pack().0, low | (0xABCD | 31 << 16 | 2 << 21 | 10 << 26) << 32);
        assert_eq!(PackedQuad::BYTES, 8);
    }

    #[test]
    fn halved_sides_end_in_the_middle_of_their_voxels() {
        let quad = Quad {
            x: 3,
            z: 5,
            y: 40,
            width: 2,
            face: Face::Up as u8,
            height: 4,
            shaded: false,
            liquid: true,
            halved_sides: 0,
            material: 7,
        };
        let ends = |halved_sides: u8| {
            let [first, .., last] = Quad { halved_sides, ..quad }.vertices();
            [first.x, first.z, last.x, last.z]
        };
        assert_eq!(ends(0), [48, 80, 80, 144]);
        assert_eq!(ends(HalvedSide::West as u8), [56, 80, 80, 144]);
        assert_eq!(ends(HalvedSide::North as u8 | HalvedSide::East as u8), [48, 88, 72, 144]);
        assert_eq!(ends(HalvedSide::South as u8), [48, 80, 80, 136]);
        let heights = Quad { halved_sides: 15, ..quad }.vertices().map(|vertex| vertex.y);
        assert_eq!(heights, [40; 4]);
    }
}
