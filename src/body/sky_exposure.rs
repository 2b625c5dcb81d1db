//! Sky exposure: how much of the sky is visible from a point, for fog, head lamp and sky.

use crate::voxel::{MaterialTable, Voxel};
use crate::world::{World, cast_ray_counted};
use glam::DVec3;

/// Length of the rays, in voxels.
const REACH: f64 = 48.0;
/// Slopes of the rays, in x and z per voxel of height: straight up, and slanted to four sides.
const SLOPES: [(f64, f64); 5] = [(0.0, 0.0), (0.8, 0.0), (-0.8, 0.0), (0.0, 0.8), (0.0, -0.8)];

/// Result of [`sky_exposure`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SkyExposure {
    /// Visible part of the sky, 0 to 1.
    pub open_fraction: f32,
    /// Number of voxels read.
    pub reads: u64,
}

/// Estimates the visible part of the sky above `eyes` from five rays.
#[must_use]
pub fn sky_exposure(world: &World, materials: &MaterialTable, eyes: DVec3) -> SkyExposure {
    let opaque_height = |voxel: Voxel| materials.is_opaque(voxel.material()).then_some(1.0);
    let (mut open, mut reads) = (0, 0);
    for (x, z) in SLOPES {
        let ray = cast_ray_counted(world, eyes, DVec3::new(x, 1.0, z), REACH, opaque_height);
        open += usize::from(ray.hit.is_none_or(|hit| hit.voxel == Voxel::NOT_LOADED));
        reads += ray.reads;
    }
    SkyExposure { open_fraction: open as f32 / SLOPES.len() as f32, reads }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos};
    use crate::world::Chunk;
    use glam::IVec3;

    #[test]
    fn opaque_roof_hides_rays_that_meet_it() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).expect(name));
        let mut world = World::new();
        for y in 0..2 {
            world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(Voxel::AIR));
        }
        let eyes = DVec3::new(16.5, 2.5, 16.5);
        let exposure = |world: &World| sky_exposure(world, &materials, eyes);
        // Uniform chunks of air need no voxel reads.
        assert_eq!(exposure(&world), SkyExposure { open_fraction: 1.0, reads: 0 });
        let roof = Box3 { min: IVec3::new(0, 9, 0), max: IVec3::new(32, 10, 32) };
        world.fill(roof, full("water"));
        assert_eq!(exposure(&world).open_fraction, 1.0, "water hides no sky");
        world.fill(Box3 { max: IVec3::new(18, 10, 32), ..roof }, full("stone"));
        let SkyExposure { open_fraction, reads } = exposure(&world);
        assert!((open_fraction - 0.2).abs() < 1e-6, "only the eastern ray is free: {open_fraction}");
        assert!((5..400).contains(&reads), "{reads}");
        world.fill(roof, full("stone"));
        assert_eq!(exposure(&world).open_fraction, 0.0);
    }
}
