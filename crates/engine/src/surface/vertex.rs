//! Vertices of a surface and their packed form on the GPU.
//!
//! A packed vertex is three 32-bit words, from the lowest bit up:
//!
//! | word | bits | field |
//! |---|---|---|
//! | 0 | 0-13 | x, 256ths of a voxel, from half a voxel west of the chunk |
//! |   | 14-27 | y, likewise from half a voxel below it |
//! |   | 28 | 1 for flat shading |
//! | 1 | 0-13 | z, likewise from half a voxel north of it |
//! |   | 14-22 | normal, first octahedral coordinate, 0 to 510 |
//! |   | 23-31 | normal, second one |
//! | 2 | 0-15 | material |

use crate::voxel::MaterialId;
use glam::{IVec3, Vec2, Vec3};

/// Bits of an octahedral coordinate.
const NORMAL_BITS: u32 = 9;
/// Largest octahedral coordinate. Even, so that the axes are exact.
const NORMAL_MAX: f32 = ((1 << NORMAL_BITS) - 2) as f32;
/// Bits of a coordinate of a position: cells 0 to 32, 256 steps each.
const POSITION_BITS: u32 = 14;

/// A vertex of a surface.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SurfaceVertex {
    /// Position in 256ths of a voxel, from the centre of the voxel at -1, -1, -1 of the chunk: 0
    /// to 8447.
    pub at: IVec3,
    /// Points out of the ground. Of any length before it is packed, a unit vector after.
    pub normal: Vec3,
    /// The material that fills most of the cell.
    pub material: MaterialId,
    /// True if triangles at the vertex are shaded by their own plane, not by the normal.
    pub is_flat: bool,
}

/// A [`SurfaceVertex`] as the GPU reads it.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct PackedSurfaceVertex(pub [u32; 3]);

impl SurfaceVertex {
    /// Position in voxels from the chunk's lowest corner.
    #[must_use]
    pub fn position(&self) -> Vec3 {
        self.at.as_vec3() / 256.0 - 0.5
    }

    /// Packs the vertex.
    #[must_use]
    #[inline]
    pub fn pack(&self) -> PackedSurfaceVertex {
        let [x, y, z] = self.at.to_array().map(i32::cast_unsigned);
        let [u, v] = octahedral(self.normal);
        PackedSurfaceVertex([
            x | y << POSITION_BITS | u32::from(self.is_flat) << (2 * POSITION_BITS),
            z | u << POSITION_BITS | v << (POSITION_BITS + NORMAL_BITS),
            u32::from(self.material),
        ])
    }
}

impl PackedSurfaceVertex {
    /// GPU memory per vertex.
    pub const BYTES: usize = size_of::<PackedSurfaceVertex>();

    /// Unpacks the vertex; unused bits are ignored.
    #[must_use]
    pub fn unpack(self) -> SurfaceVertex {
        let [first, second, third] = self.0;
        let field = |word: u32, from: u32, bits: u32| word >> from & ((1 << bits) - 1);
        let coordinate = |word, from| field(word, from, POSITION_BITS).cast_signed();
        let normal = |from| field(second, from, NORMAL_BITS);
        SurfaceVertex {
            at: IVec3::new(
                coordinate(first, 0),
                coordinate(first, POSITION_BITS),
                coordinate(second, 0),
            ),
            normal: from_octahedral([normal(POSITION_BITS), normal(POSITION_BITS + NORMAL_BITS)]),
            material: third as MaterialId,
            is_flat: field(first, 2 * POSITION_BITS, 1) == 1,
        }
    }
}

/// A direction as a point of a square: an octahedron, its lower half folded out (Cigolle et al.,
/// "A survey of efficient representations for independent unit vectors", 2014).
#[inline]
fn octahedral(normal: Vec3) -> [u32; 2] {
    let scale = normal.abs().element_sum();
    let mut point = if scale > 0.0 { Vec2::new(normal.x, normal.z) / scale } else { Vec2::ZERO };
    if normal.y < 0.0 {
        point = (1.0 - Vec2::new(point.y, point.x).abs()) * sign(point);
    }
    [point.x, point.y].map(|part| ((part * 0.5 + 0.5) * NORMAL_MAX + 0.5) as u32)
}

fn from_octahedral(coordinates: [u32; 2]) -> Vec3 {
    let [x, z] = coordinates.map(|part| part as f32 / NORMAL_MAX * 2.0 - 1.0);
    let mut point = Vec2::new(x, z);
    let y = 1.0 - point.abs().element_sum();
    if y < 0.0 {
        point = (1.0 - Vec2::new(point.y, point.x).abs()) * sign(point);
    }
    Vec3::new(point.x, y, point.y).normalize_or(Vec3::Y)
}

/// 1 or -1 for each part.
fn sign(point: Vec2) -> Vec2 {
    Vec2::ONE.copysign(point)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn packing_keeps_all_but_small_parts_of_the_normal() {
        let mut random = Random::new(3);
        for _ in 0..20_000 {
            let mut part = || random.below(2001) as f32 / 1000.0 - 1.0;
            let normal = Vec3::new(part(), part(), part()).normalize_or(Vec3::Y);
            let mut coordinate = || random.below(8448) as i32;
            let vertex = SurfaceVertex {
                at: IVec3::new(coordinate(), coordinate(), coordinate()),
                normal,
                material: random.below(65_536) as u16,
                is_flat: random.below(2) == 1,
            };
            let unpacked = vertex.pack().unpack();
            assert!(unpacked.normal.dot(normal) > 0.9999, "{normal} {}", unpacked.normal);
            assert_eq!(SurfaceVertex { normal, ..unpacked }, vertex);
        }
        for axis in [Vec3::X, Vec3::NEG_X, Vec3::Y, Vec3::NEG_Y, Vec3::Z, Vec3::NEG_Z] {
            let vertex =
                SurfaceVertex { at: IVec3::ONE, normal: axis, material: 1, is_flat: false };
            assert_eq!(vertex.pack().unpack().normal, axis);
        }
        assert_eq!(PackedSurfaceVertex::BYTES, 12);
    }
}
