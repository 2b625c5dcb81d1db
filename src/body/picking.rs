//! Picking: the first voxel on a ray from the eyes.

use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::{CountedRay, World, cast_ray_counted};
use glam::DVec3;

/// Reach of the player, in voxels.
pub const REACH: f64 = 6.0;

/// The height of a voxel for picking; `None` for gases and liquids, which a ray passes.
#[must_use]
pub fn pick_height(materials: &MaterialTable, voxel: Voxel) -> Option<f64> {
    match materials.get(voxel.material()).map(|m| m.matter) {
        Some(Matter::Gas | Matter::Liquid) => None,
        Some(Matter::Plant) => Some(1.0),
        _ => Some(f64::from(voxel.fill())),
    }
}

/// Casts a ray from `eyes` along `direction`, up to `reach` voxels. The hit is
/// [`Voxel::NOT_LOADED`] if the ray enters an unloaded chunk.
#[must_use]
pub fn pick(world: &World, materials: &MaterialTable, eyes: DVec3, direction: DVec3, reach: f64) -> CountedRay {
    cast_ray_counted(world, eyes, direction, reach, |voxel| pick_height(materials, voxel))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pick_height_passes_water_and_stops_at_plants() {
        let materials = MaterialTable::builtin();
        let height = |name: &str| pick_height(&materials, Voxel::full(materials.find(name).expect(name)));
        assert_eq!((height("water"), height("stone"), height("flower_red")), (None, Some(1.0), Some(1.0)));
        assert_eq!(pick_height(&materials, Voxel::AIR), None);
    }
}
