//! The materials of a map, as the contour counts them.

use super::voxel::ContourVoxel;
use crate::voxel::{Material, MaterialId, MaterialTable, SurfaceRule, Voxel};

/// How the contour counts the voxels of a material.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// No part of the contour.
    Empty,
    /// As full matter, where the voxel is full.
    Cube,
    /// As ground of this rule.
    Ground(SurfaceRule),
}

/// The surface rules of a material table. Build a new one when the table grows or a rule changes.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ContourMaterials {
    parts: Vec<Part>,
}

impl ContourMaterials {
    /// The rules of a table.
    #[must_use]
    pub fn new(table: &MaterialTable) -> ContourMaterials {
        let part = |(id, material): (MaterialId, &Material)| {
            let voxel = ContourVoxel::new(Voxel::full(id), Some(material));
            if voxel.is_ground() {
                Part::Ground(material.surface)
            } else if voxel.is_cube() {
                Part::Cube
            } else {
                Part::Empty
            }
        };
        ContourMaterials { parts: table.iter().map(part).collect() }
    }

    /// True if any material is ground, so a chunk may have a surface.
    #[must_use]
    pub fn any_ground(&self) -> bool {
        self.parts.iter().any(|part| matches!(part, Part::Ground(_)))
    }

    /// The voxel as the contour sees it.
    #[must_use]
    #[inline]
    pub fn voxel(&self, voxel: Voxel) -> ContourVoxel {
        match self.parts.get(usize::from(voxel.material())) {
            Some(Part::Ground(_)) => ContourVoxel::ground(voxel.material(), voxel.occupancy()),
            Some(Part::Cube) if voxel.is_full() => ContourVoxel::cube(),
            _ => ContourVoxel::EMPTY,
        }
    }

    /// True if the voxel's material is ground, at any occupancy.
    #[must_use]
    #[inline]
    pub fn is_ground(&self, voxel: Voxel) -> bool {
        matches!(self.parts.get(usize::from(voxel.material())), Some(Part::Ground(_)))
    }

    /// The rule of a material; `Cube` for all that is no ground.
    #[must_use]
    #[inline]
    pub fn rule(&self, material: MaterialId) -> SurfaceRule {
        match self.parts.get(usize::from(material)) {
            Some(Part::Ground(rule)) => *rule,
            _ => SurfaceRule::Cube,
        }
    }
}
