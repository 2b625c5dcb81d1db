//! Masks: which voxels of a region an operation may change.

use crate::voxel::{MaterialId, Voxel};

/// Which voxels may be changed.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Mask {
    /// All of them.
    Any,
    /// Those of some materials. Air is material 0.
    Materials(Vec<MaterialId>),
    /// Those that another mask leaves out.
    Not(Box<Mask>),
    /// Those that several masks accept.
    All(Vec<Mask>),
}

impl Mask {
    /// True if a voxel may be changed.
    #[must_use]
    pub fn accepts(&self, voxel: Voxel) -> bool {
        match self {
            Mask::Any => true,
            Mask::Materials(materials) => materials.contains(&voxel.material()),
            Mask::Not(mask) => !mask.accepts(voxel),
            Mask::All(masks) => masks.iter().all(|mask| mask.accepts(voxel)),
        }
    }
}
