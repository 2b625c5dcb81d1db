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
//! | 27-28 |        | 0; they carry the view mode to the fragment shader |
//! | 29    | grid   | 1 for quads on the grid of sixteenths of voxels: see [`QuadGrid`] |
//! | 30-31 |        | 0 |
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
//!
//! On the grid of sixteenths, x, z and both sizes count sixteenths of a voxel. Word 0 then has
//! whole voxels of x and z, and word 1:
//!
//! | bits  | field    | meaning |
//! |-------|----------|---------|
//! | 0-15  | material | as above |
//! | 16-19 | width    | size along u, minus 1 |
//! | 20-23 | height   | size along v, minus 1 |
//! | 24-27 | x        | sixteenths beyond the whole voxels |
//! | 28-31 | z        | likewise |
//!
//! Axes of a quad: u is x on up, down, south and north faces and z on east and west faces; v is z
//! on up and down faces and y on all others. Sheet 6 runs from (x, z) to (x + 1, z + 1), sheet 7
//! from (x + 1, z) to (x, z + 1), with u along the sheet and v up. The shader derives texture
//! coordinates from the position, so a merged quad repeats its texture once per voxel, and reads
//! ambient occlusion per fragment from [`DarkBricks`](super::DarkBricks), so shade does not limit
//! the size of quads.

use super::FaceMaterialId;
use crate::voxel::Face;

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

/// Unit in which a quad's x, z, width and level height count.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub enum QuadGrid {
    /// A voxel.
    #[default]
    Voxels,
    /// A sixteenth of a voxel: faces of hewn blocks and models, 1 to 16 wide and high.
    Sixteenths,
}

impl QuadGrid {
    /// Sixteenths of a voxel in a unit.
    #[must_use]
    pub const fn steps(self) -> u8 {
        match self {
            QuadGrid::Voxels => STEPS,
            QuadGrid::Sixteenths => 1,
        }
    }
}

/// A rectangle of a mesh, upright or level, or one sheet of a cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quad {
    /// Unit of x, z, width and level height.
    pub grid: QuadGrid,
    /// x of the lowest corner, 0 to 32 voxels; of the voxel for a sheet.
    pub x: u16,
    /// z of the lowest corner, 0 to 32 voxels; of the voxel for a sheet.
    pub z: u16,
    /// y of the lowest corner in sixteenths of a voxel, -16 to 512. Only models that stand on
    /// smooth ground lie below the chunk.
    pub y: i16,
    /// Size along u, 1 to 32 voxels, or 1 to 16 sixteenths.
    pub width: u8,
    /// Number of the [`Face`], or 6 or 7 for a sheet.
    pub face: u8,
    /// Size along v: on the grid of voxels, 1 to 32 voxels on up and down faces and 1 to 512
    /// sixteenths on others; on the grid of sixteenths, 1 to 16.
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

impl Quad {
    /// Packs the quad.
    #[must_use]
    #[inline]
    pub const fn pack(self) -> PackedQuad {
        let is_level = matches!(self.face, 2 | 3);
        debug_assert!(if is_level { self.height <= 32 } else { self.halved_sides == 0 });
        let is_fine = matches!(self.grid, QuadGrid::Sixteenths);
        let by = if is_fine { 4 } else { 0 };
        let low = (self.x >> by) as u64
            | ((self.z >> by) as u64) << 6
            | (is_fine as u64) << 29
            | ((self.y + STEPS as i16) as u64) << 12
            | (self.face as u64) << 22
            | (self.shaded as u64) << 25
            | (self.liquid as u64) << 26;
        let [width, height] = [self.width as u64 - 1, self.height as u64 - 1];
        let high = if is_fine {
            debug_assert!(self.width <= 16 && self.height <= 16 && self.halved_sides == 0);
            width << 16 | height << 20 | (self.x as u64 & 15) << 24 | (self.z as u64 & 15) << 28
        } else {
            width << 16 | height << 21 | (self.halved_sides as u64) << 26
        };
        PackedQuad(low | (self.material as u64 | high) << 32)
    }

    /// The four corners: corner 1 is at the far end of u, corner 2 at the far end of v, corner 3 at
    /// both.
    #[must_use]
    pub fn vertices(self) -> [Vertex; 4] {
        let steps = i16::from(STEPS);
        let unit = i16::from(self.grid.steps());
        // At most 512.
        let [low_x, low_z, width] =
            [self.x, self.z, u16::from(self.width)].map(|side| side as i16 * unit);
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
                    up * unit + inset(HalvedSide::North, HalvedSide::South, v),
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
        let units = u16::from(STEPS / self.grid.steps());
        let rows = self.height.div_ceil(if is_level { units } else { u16::from(STEPS) });
        u32::from(u16::from(self.width).div_ceil(units)) * u32::from(rows)
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

    /// The quad with another value of [`Quad::shaded`].
    #[must_use]
    pub(super) const fn shaded(self, shaded: bool) -> PackedQuad {
        PackedQuad(self.0 & !(1 << 25) | (shaded as u64) << 25)
    }

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
        let quad = Quad {
            grid: QuadGrid::Voxels,
            x: bits(low, 0, 6),
            z: bits(low, 6, 6),
            y: bits(low, 12, 10) as i16 - STEPS as i16,
            width: bits(high, 16, 5) as u8 + 1,
            face,
            height: bits(high, 21, if is_level { 5 } else { 9 }) + 1,
            shaded: bits(low, 25, 1) == 1,
            liquid: bits(low, 26, 1) == 1,
            halved_sides: if is_level { bits(high, 26, 4) as u8 } else { 0 },
            material: bits(high, 0, 16),
        };
        if bits(low, 29, 1) == 0 {
            return quad;
        }
        Quad {
            grid: QuadGrid::Sixteenths,
            x: quad.x << 4 | bits(high, 24, 4),
            z: quad.z << 4 | bits(high, 28, 4),
            width: bits(high, 16, 4) as u8 + 1,
            height: bits(high, 20, 4) + 1,
            halved_sides: 0,
            ..quad
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
                grid: QuadGrid::Voxels,
                x: (n % 33) as u16,
                z: (n / 3 % 33) as u16,
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
            let fine = Quad {
                grid: QuadGrid::Sixteenths,
                x: (n % 513) as u16,
                z: (n / 3 % 513) as u16,
                width: (n / 5 % 16 + 1) as u8,
                height: (n / 7 % 16 + 1) as u16,
                halved_sides: 0,
                ..quad
            };
            assert_eq!(fine.pack().unpack(), fine);
        }
    }

    #[test]
    fn packed_bits_match_shader_layout() {
        let quad = Quad {
            grid: QuadGrid::Voxels,
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
        let fine =
            Quad { grid: QuadGrid::Sixteenths, x: 511, z: 512, width: 16, height: 3, ..quad };
        let low = 31 | 32 << 6 | 528 << 12 | 5 << 22 | 1 << 25 | 1 << 29;
        assert_eq!(fine.pack().0, low | (0xABCD | 15 << 16 | 2 << 20 | 15 << 24) << 32);
    }

    #[test]
    fn quads_on_the_grid_of_sixteenths_are_small() {
        let quad = Quad {
            grid: QuadGrid::Sixteenths,
            x: 25,
            z: 512,
            y: 24,
            width: 4,
            face: Face::North as u8,
            height: 8,
            shaded: false,
            liquid: false,
            halved_sides: 0,
            material: 7,
        };
        let corners = quad.vertices().map(|Vertex { x, y, z }| [x, y, z]);
        assert_eq!(corners, [[25, 24, 512], [29, 24, 512], [25, 32, 512], [29, 32, 512]]);
        let level = Quad { face: Face::Up as u8, z: 40, width: 16, height: 8, ..quad };
        let corners = level.vertices().map(|Vertex { x, y, z }| [x, y, z]);
        assert_eq!(corners, [[25, 24, 40], [41, 24, 40], [25, 24, 48], [41, 24, 48]]);
        assert_eq!([quad, level].map(Quad::unit_faces), [1, 1]);
    }

    #[test]
    fn halved_sides_end_in_the_middle_of_their_voxels() {
        let quad = Quad {
            grid: QuadGrid::Voxels,
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
