//! Models that stand on smooth ground.

use super::World;
use crate::contour::{ContourRules, standing_steps};
use crate::voxel::{MaterialTable, Voxel};
use glam::IVec3;

/// Height, in voxels, at which the model in the voxel at `at` stands above the bottom of that
/// voxel: that of the smooth ground below it, -1/2 to 7/16. 0 for all that is no model, hangs on a
/// wall, or does not stand on smooth ground. The mesh draws models there.
#[must_use]
pub fn standing_height(world: &World, materials: &MaterialTable, at: IVec3, voxel: Voxel) -> f64 {
    let stands =
        materials.get(voxel.material()).is_some_and(|material| material.shape.row().stands());
    if !stands || !materials.any_ground() {
        return 0.0;
    }
    let voxel = |place| materials.contour_voxel(world.get(place));
    f64::from(standing_steps(at, materials, voxel)) / 16.0
}
