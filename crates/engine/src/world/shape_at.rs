//! Shapes of voxels by their neighbours.

use super::{Solidity, World};
use crate::voxel::{MaterialTable, ShapeRow};
use glam::IVec3;

/// The row of the shape of the voxel at `at`: for shapes that join, with the joined sides.
/// `None` for a voxel whose material the table lacks.
#[must_use]
pub fn shape_at(world: &World, materials: &MaterialTable, at: IVec3) -> Option<&'static ShapeRow> {
    let row = materials.get(world.get(at).material())?.shape.row();
    Some(row.joined.map_or(row, |joined| {
        joined.row(|side| {
            let neighbour = world.get(at + side.normal());
            materials.joins(neighbour, side.opposite(), joined.joint)
        })
    }))
}
