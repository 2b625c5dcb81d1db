//! Models that stand on smooth ground.

use super::World;
use crate::contour::{ContourRules, standing_height_in_sixteenths};
use crate::voxel::{MaterialTable, Voxel};
use glam::IVec3;

/// Height, in voxels, at which the mesh draws the model in the voxel at `at` above the bottom of
/// that voxel: of the smooth ground below it, -1/2 to 7/16. 0 for other voxels, for models on walls
/// and away from smooth ground.
#[must_use]
pub fn standing_height(world: &World, materials: &MaterialTable, at: IVec3, voxel: Voxel) -> f64 {
    let material = materials.get(voxel.material());
    if !materials.any_ground() || !material.is_some_and(|material| material.shape.row().stands()) {
        return 0.0;
    }
    let around = |at| materials.contour_voxel(world.get(at));
    f64::from(standing_height_in_sixteenths(at, materials, around)) / 16.0
}
