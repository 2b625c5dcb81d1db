//! A change of the surface of a material.

use super::SurfaceRule;
use crate::voxel::MaterialId;

/// Change of the surface of one material of a map.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct SurfaceChange {
    /// The material.
    pub material: MaterialId,
    /// Surface before the change.
    pub before: SurfaceRule,
    /// Surface after the change.
    pub after: SurfaceRule,
}

impl SurfaceChange {
    /// The change that takes this one back.
    #[must_use]
    pub fn reversed(self) -> SurfaceChange {
        SurfaceChange { before: self.after, after: self.before, ..self }
    }
}
