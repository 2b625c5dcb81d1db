//! Which voxels stop bodies.

use crate::voxel::{MaterialTable, Voxel};

/// Decides which voxels stop bodies.
pub trait Solidity {
    /// Height up to which `voxel` is solid: 0 if bodies pass through it, 1 for a full block.
    fn solid_height(&self, voxel: Voxel) -> f64;
}

impl Solidity for MaterialTable {
    fn solid_height(&self, voxel: Voxel) -> f64 {
        if voxel == Voxel::NOT_LOADED {
            1.0
        } else if self.is_solid(voxel.material()) {
            f64::from(self.box_height(voxel))
        } else {
            0.0
        }
    }
}
