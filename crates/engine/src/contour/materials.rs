//! The materials of a map, as the contour counts them.

use super::voxel::ContourVoxel;
use crate::voxel::{Material, MaterialId, MaterialTable, SurfaceRule, Voxel};

/// Role of a material in the contour.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum ContourRole {
    /// None.
    Empty,
    /// Full matter, where the voxel is full.
    Cube,
    /// Ground of this rule.
    Ground(SurfaceRule),
}

/// The surface rules of a material table. Build a new one when the table grows or a rule changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContourMaterials {
    roles: Vec<ContourRole>,
}

impl ContourMaterials {
    /// The rules of a table.
    #[must_use]
    pub fn new(table: &MaterialTable) -> ContourMaterials {
        let role = |(id, material): (MaterialId, &Material)| {
            let voxel = ContourVoxel::new(Voxel::full(id), Some(material));
            if voxel.is_ground() {
                ContourRole::Ground(material.surface)
            } else if voxel.is_cube() {
                ContourRole::Cube
            } else {
                ContourRole::Empty
            }
        };
        ContourMaterials { roles: table.iter().map(role).collect() }
    }

    /// True if any material is ground, so a chunk may have a surface.
    #[must_use]
    pub fn any_ground(&self) -> bool {
        self.roles.iter().any(|role| matches!(role, ContourRole::Ground(_)))
    }

    /// The voxel as the contour sees it.
    #[must_use]
    #[inline]
    pub fn voxel(&self, voxel: Voxel) -> ContourVoxel {
        match self.roles.get(usize::from(voxel.material())) {
            Some(ContourRole::Ground(_)) => {
                ContourVoxel::ground(voxel.material(), voxel.occupancy())
            }
            Some(ContourRole::Cube) if voxel.is_full() => ContourVoxel::cube(),
            _ => ContourVoxel::EMPTY,
        }
    }

    /// True if the voxel's material is ground, at any occupancy.
    #[must_use]
    #[inline]
    pub fn is_ground(&self, voxel: Voxel) -> bool {
        matches!(self.roles.get(usize::from(voxel.material())), Some(ContourRole::Ground(_)))
    }

    /// The rule of a material; `Cube` for all that is no ground.
    #[must_use]
    #[inline]
    pub fn rule(&self, material: MaterialId) -> SurfaceRule {
        match self.roles.get(usize::from(material)) {
            Some(ContourRole::Ground(rule)) => *rule,
            _ => SurfaceRule::Cube,
        }
    }
}
