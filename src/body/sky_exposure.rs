//! Whether somebody stands under the open sky or under rock: for fog, lamp and sky.

use crate::voxel::{MaterialTable, Voxel};
use crate::world::{World, cast_ray_counted};
use glam::DVec3;

/// How far up rock is looked for, in voxels.
const ROOF: f64 = 48.0;
/// Where to, in x and z for one voxel up: straight up, and slantwise to the four sides.
const WAYS: [(f64, f64); 5] = [(0.0, 0.0), (0.8, 0.0), (-0.8, 0.0), (0.0, 0.8), (0.0, -0.8)];

/// The part of the sky that is open above the eyes, 0 to 1, from a few rays; and how many voxels they read.
#[must_use]
pub fn sky_exposure(world: &World, materials: &MaterialTable, eyes: DVec3) -> (f32, u64) {
    let roof = |voxel: Voxel| materials.is_opaque(voxel.material()).then_some(1.0);
    let (mut open, mut reads) = (0, 0);
    for (x, z) in WAYS {
        let ray = cast_ray_counted(world, eyes, DVec3::new(x, 1.0, z), ROOF, roof);
        open += usize::from(ray.hit.is_none_or(|hit| hit.voxel == Voxel::NOT_LOADED));
        reads += ray.reads;
    }
    (open as f32 / WAYS.len() as f32, reads)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos};
    use crate::world::Chunk;
    use glam::IVec3;

    #[test]
    fn half_a_roof_hides_half_the_sky() {
        let materials = MaterialTable::builtin();
        let of = |name: &str| Voxel::full(materials.find(name).expect(name));
        let mut world = World::new();
        for y in 0..2 {
            world.insert(ChunkPos::new(0, y, 0), Chunk::uniform(Voxel::AIR));
        }
        let eyes = DVec3::new(16.5, 2.5, 16.5);
        let open = |world: &World| sky_exposure(world, &materials, eyes);
        // In chunks that are all air no voxel need be read.
        assert_eq!(open(&world), (1.0, 0));
        let roof = Box3 { min: IVec3::new(0, 9, 0), max: IVec3::new(32, 10, 32) };
        world.fill(roof, of("water"));
        assert_eq!(open(&world).0, 1.0, "water is no roof");
        world.fill(Box3 { max: IVec3::new(18, 10, 32), ..roof }, of("stone"));
        let (part, reads) = open(&world);
        assert!((part - 0.2).abs() < 1e-6, "only the eastern ray is free: {part}");
        assert!((5..400).contains(&reads), "{reads}");
        world.fill(roof, of("stone"));
        assert_eq!(open(&world).0, 0.0);
    }
}
