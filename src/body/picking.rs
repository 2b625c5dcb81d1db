//! What the player points at.

use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::{CountedRay, World, cast_ray_counted};
use glam::DVec3;

/// How far the player reaches, in voxels.
pub const REACH: f64 = 6.0;

/// The height of a voxel that one can point at; none for what one looks through.
#[must_use]
pub fn pick_height(materials: &MaterialTable, voxel: Voxel) -> Option<f64> {
    match materials.get(voxel.material()).map(|m| m.matter) {
        Some(Matter::Gas | Matter::Liquid) => None,
        Some(Matter::Plant) => Some(1.0),
        _ => Some(f64::from(voxel.fill())),
    }
}

/// What is first met from `eyes` along `direction` within `reach` voxels, and how many voxels were read to find it. What
/// is not loaded is met too, as [`Voxel::NOT_LOADED`].
#[must_use]
pub fn pick(world: &World, materials: &MaterialTable, eyes: DVec3, direction: DVec3, reach: f64) -> CountedRay {
    cast_ray_counted(world, eyes, direction, reach, |voxel| pick_height(materials, voxel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_crosshair_looks_through_water_and_stops_at_flowers() {
        let materials = MaterialTable::builtin();
        let of = |name: &str| pick_height(&materials, Voxel::full(materials.find(name).expect(name)));
        assert_eq!((of("water"), of("stone"), of("flower_red")), (None, Some(1.0), Some(1.0)));
        assert_eq!(pick_height(&materials, Voxel::AIR), None);
    }
}
