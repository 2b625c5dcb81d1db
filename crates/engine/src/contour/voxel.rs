//! A voxel as the contour sees it: density, ground or cube, and material.

use crate::voxel::{Material, MaterialId, Matter, Opacity, Voxel};

/// A voxel as the contour sees it.
///
/// | bits | field |
/// |---|---|
/// | 0-7 | density: the fill in 256ths, at most 255; matter at 128 and above |
/// | 8 | 1 for ground: a solid material whose surface is no cube |
/// | 9 | 1 for a full opaque cube |
/// | 16-31 | material, of ground |
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ContourVoxel(u32);

impl ContourVoxel {
    /// Anything that neither is ground nor bounds it: air, liquids, plants, glass, low boxes, and
    /// voxels that are not loaded.
    pub const EMPTY: ContourVoxel = ContourVoxel(0);
    const GROUND: u32 = 1 << 8;
    const CUBE: u32 = 1 << 9;

    /// The voxel of a material.
    ///
    /// Full opaque cubes count as full matter, so that ground runs into a wall without a gap. What
    /// lies behind other cubes is visible, so ground ends in front of them.
    #[must_use]
    pub fn new(voxel: Voxel, material: Option<&Material>) -> ContourVoxel {
        let Some(material) = material else { return ContourVoxel::EMPTY };
        if material.matter != Matter::Solid || material.shape.is_model() {
            return ContourVoxel::EMPTY;
        }
        if material.is_smooth() {
            return ContourVoxel::ground(voxel.material(), voxel.occupancy());
        }
        if voxel.is_full() && material.opacity == Opacity::Opaque {
            ContourVoxel::cube()
        } else {
            ContourVoxel::EMPTY
        }
    }

    /// Ground of a material and an occupancy.
    #[must_use]
    pub const fn ground(material: MaterialId, occupancy: u8) -> ContourVoxel {
        // 127 fills half of a voxel, and is the first that counts as matter.
        let density = occupancy.saturating_add(1);
        ContourVoxel(density as u32 | ContourVoxel::GROUND | (material as u32) << 16)
    }

    /// A full opaque cube.
    #[must_use]
    pub const fn cube() -> ContourVoxel {
        ContourVoxel(255 | ContourVoxel::CUBE)
    }

    /// Fill in 256ths, at most 255: 0 for nothing, 255 for a full voxel.
    #[must_use]
    pub const fn density(self) -> u8 {
        self.0 as u8
    }

    /// True if the voxel is inside the contour: at least half full.
    #[must_use]
    pub const fn is_inside(self) -> bool {
        self.density() >= 128
    }

    /// True for ground, however little.
    #[must_use]
    pub const fn is_ground(self) -> bool {
        self.0 & ContourVoxel::GROUND != 0
    }

    /// True for full opaque cubes.
    #[must_use]
    pub const fn is_cube(self) -> bool {
        self.0 & ContourVoxel::CUBE != 0
    }

    /// Material of ground; 0 for all else.
    #[must_use]
    pub const fn material(self) -> MaterialId {
        (self.0 >> 16) as MaterialId
    }
}
