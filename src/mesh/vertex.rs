//! Quads and the vertex format of the GPU.
//!
//! A mesh is stored as quads of 12 bytes. Uploading it expands each quad to four vertices of two
//! 32-bit words (vertex attribute `Uint32x2`) and six indices.
//!
//! Word 0, from the lowest bit up:
//!
//! | bits  | field  | meaning |
//! |-------|--------|---------|
//! | 0-5   | x      | 0 to 32, voxel corners from the chunk's western edge |
//! | 6-11  | z      | 0 to 32, voxel corners from the chunk's northern edge |
//! | 12-21 | y      | 0 to 512, *sixteenths* of a voxel from the chunk's bottom |
//! | 22-24 | face   | 0 to 5: the number of a [`Face`]; 6 and 7: the crossed sheets, see below |
//! | 25-26 | ao     | ambient occlusion: 0 darkest, 3 none |
//! | 27-28 | corner | corner of the quad: 1 at the far end of u, plus 2 at the far end of v |
//! | 29-31 |        | 0 |
//!
//! Word 1: bits 0-15 the [`FaceMaterialId`]; bit 16 set for liquids; the rest 0.
//!
//! Axes of a quad: u is x on up, down, south and north faces and z on east and west faces; v is z
//! on up and down faces and y on all others. Sheet 6 runs from (x, z) to (x + 1, z + 1), sheet 7
//! from (x + 1, z) to (x, z + 1), with u along the sheet and v up. The shader derives texture
//! coordinates from the position, so a merged quad repeats its texture once per voxel.
//!
//! Triangles are counter-clockwise seen from outside. Sheets need culling switched off.

use super::FaceMaterialId;
use crate::voxel::Face;

/// Sixteenths per voxel, the unit of heights.
pub const STEPS: u8 = 16;
/// Face number of the first sheet of [`crate::voxel::Shape::Cross`]; the second is one higher.
pub const SHEET: u8 = 6;

/// One corner of a quad, unpacked. The table in the module documentation defines the fields.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[expect(missing_docs, reason = "the table above")]
pub struct Vertex {
    pub x: u8,
    pub z: u8,
    pub y: u16,
    pub face: u8,
    pub ao: u8,
    pub corner: u8,
    pub material: FaceMaterialId,
    pub liquid: bool,
}

impl Vertex {
    /// Packs the vertex into two words.
    #[must_use]
    pub fn pack(self) -> [u32; 2] {
        let w = u32::from(self.x)
            | u32::from(self.z) << 6
            | u32::from(self.y) << 12
            | u32::from(self.face) << 22
            | u32::from(self.ao) << 25
            | u32::from(self.corner) << 27;
        [w, u32::from(self.material) | u32::from(self.liquid) << 16]
    }

    /// Unpacks two words; unused bits are ignored.
    #[must_use]
    pub fn unpack(words: [u32; 2]) -> Vertex {
        let bits = |from: u32, count: u32| words[0] >> from & ((1 << count) - 1);
        Vertex {
            x: bits(0, 6) as u8,
            z: bits(6, 6) as u8,
            y: bits(12, 10) as u16,
            face: bits(22, 3) as u8,
            ao: bits(25, 2) as u8,
            corner: bits(27, 2) as u8,
            material: words[1] as u16,
            liquid: words[1] >> 16 & 1 == 1,
        }
    }
}

/// A rectangle of a mesh, upright or level, or one sheet of a cross.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Quad {
    /// x of the lowest corner, 0 to 32; of the voxel for a sheet.
    pub x: u8,
    /// z of the lowest corner, 0 to 32; of the voxel for a sheet.
    pub z: u8,
    /// y of the lowest corner in sixteenths of a voxel, 0 to 512.
    pub y: u16,
    /// Size along u, in voxels, 1 to 32.
    pub width: u8,
    /// Number of the [`Face`], or 6 or 7 for a sheet.
    pub face: u8,
    /// Size along v: in voxels on up and down faces, else in sixteenths.
    pub height: u16,
    /// Ambient occlusion of the four corners, two bits each, corner 0 in the lowest bits.
    pub ao: u8,
    /// True for liquids.
    pub liquid: bool,
    /// Appearance.
    pub material: FaceMaterialId,
}

impl Quad {
    /// GPU memory per quad: four vertices and six 32-bit indices.
    pub const GPU_BYTES: usize = 4 * size_of::<[u32; 2]>() + 6 * size_of::<u32>();

    /// Ambient occlusion at a corner, 0 to 3.
    #[must_use]
    pub const fn ao_at(self, corner: u8) -> u8 {
        self.ao >> (2 * corner) & 3
    }

    /// The four corners, by corner number.
    #[must_use]
    pub fn vertices(self) -> [Vertex; 4] {
        [0u8, 1, 2, 3].map(|corner| {
            let (u, v) = (corner & 1, corner >> 1);
            let along = u * self.width;
            let up = u16::from(v) * self.height;
            let (x, y, z) = match self.face {
                0 | 1 => (0, up, along),
                // Level quads are at most 32 wide both ways.
                2 | 3 => (along, 0, up as u8),
                4 | 5 => (along, up, 0),
                SHEET => (u, up, u),
                _ => (1 - u, up, u),
            };
            Vertex {
                x: self.x + x,
                z: self.z + z,
                y: self.y + y,
                face: self.face,
                ao: self.ao_at(corner),
                corner,
                material: self.material,
                liquid: self.liquid,
            }
        })
    }

    /// The corners of its two triangles.
    ///
    /// The quad is split along its lighter diagonal, so shade looks the same at every corner (0fps,
    /// "Ambient occlusion for Minecraft-like worlds"). If both diagonals are equally light, the
    /// shade is planar and the split is invisible.
    #[must_use]
    pub fn triangles(self) -> [u8; 6] {
        let [a, b, c, d] = [0, 1, 2, 3].map(|corner| self.ao_at(corner));
        let lighter_03 = a + d > b + c;
        // u x v points along the normal on west, down and south faces, against it on the others.
        let outward = [Face::West, Face::Down, Face::South].iter().any(|&f| f as u8 == self.face);
        match (lighter_03, outward) {
            (true, true) => [0, 1, 3, 0, 3, 2],
            (true, false) => [0, 3, 1, 0, 2, 3],
            (false, true) => [0, 1, 2, 1, 3, 2],
            (false, false) => [0, 2, 1, 1, 2, 3],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn vertex(n: u32) -> Vertex {
        // Every field covers its range, with different periods.
        Vertex {
            x: (n % 33) as u8,
            z: (n / 3 % 33) as u8,
            y: (n * 7 % 513) as u16,
            face: (n % 8) as u8,
            ao: (n / 5 % 4) as u8,
            corner: (n / 7 % 4) as u8,
            material: (n.wrapping_mul(40_503) >> 3) as u16,
            liquid: n.is_multiple_of(11),
        }
    }

    #[test]
    fn pack_and_unpack_round_trip() {
        for n in 0..50_000 {
            assert_eq!(Vertex::unpack(vertex(n).pack()), vertex(n));
        }
    }

    #[test]
    fn packed_bits_match_shader_layout() {
        let v = Vertex { x: 32, z: 31, y: 512, face: 5, ao: 2, corner: 3, material: 0xABCD, liquid: true };
        assert_eq!(v.pack(), [32 | 31 << 6 | 512 << 12 | 5 << 22 | 2 << 25 | 3 << 27, 0x1_ABCD]);
    }

    #[test]
    fn quad_is_split_along_lighter_diagonal() {
        let quad = |ao: [u8; 4]| Quad {
            x: 0,
            z: 0,
            y: 16,
            width: 1,
            face: 2,
            height: 1,
            ao: ao[0] | ao[1] << 2 | ao[2] << 4 | ao[3] << 6,
            liquid: false,
            material: 0,
        };
        let cut = |ao| {
            let t = quad(ao).triangles();
            let mut shared: Vec<u8> = t[..3].iter().copied().filter(|c| t[3..].contains(c)).collect();
            shared.sort_unstable();
            shared
        };
        assert_eq!(cut([0, 3, 3, 3]), [1, 2]);
        assert_eq!(cut([3, 3, 3, 0]), [1, 2]);
        assert_eq!(cut([3, 0, 3, 3]), [0, 3]);
        assert_eq!(cut([3, 3, 0, 3]), [0, 3]);
    }

    #[test]
    fn quad_takes_12_bytes() {
        assert_eq!(size_of::<Quad>(), 12);
        assert_eq!(Quad::GPU_BYTES, 56);
    }
}
