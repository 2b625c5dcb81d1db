//! Test whether the eyes are inside rock, where nothing can be seen.

use crate::voxel::{Material, MaterialTable, Opacity, Voxel, neighbour_offsets};
use crate::world::{Aabb, GroundNearby, World};
use glam::DVec3;

/// The material around the eyes if it hides everything: an opaque cube filled at least up to their
/// height, or smooth ground up to its surface. `None` in air, water, glass, plants and chunks that
/// are not loaded.
#[must_use]
pub fn rock_around<'a>(
    world: &World,
    materials: &'a MaterialTable,
    eyes: DVec3,
) -> Option<&'a Material> {
    if materials.has_smooth()
        && let Some(ground) = ground_around(world, materials, eyes)
    {
        return Some(ground);
    }
    let voxel = world.get(eyes.floor().as_ivec3());
    if voxel.is_air() || voxel == Voxel::NOT_LOADED {
        return None;
    }
    let height = eyes.y - eyes.y.floor();
    let hides = |material: &&Material| {
        let is_rock = material.is_solid() && !material.is_smooth() && !material.shape.is_model();
        is_rock && material.opacity == Opacity::Opaque && height < f64::from(voxel.fill())
    };
    materials.get(voxel.material()).filter(hides)
}

/// The material of the smooth ground that the eyes are in.
fn ground_around<'a>(
    world: &World,
    materials: &'a MaterialTable,
    eyes: DVec3,
) -> Option<&'a Material> {
    let mut ground = GroundNearby::default();
    _ = ground.read(world, materials, Aabb { min: eyes - 0.1, max: eyes + 0.1 });
    if !ground.contains(eyes) {
        return None;
    }
    // The surface may reach into voxels next to the ground.
    let at = eyes.floor().as_ivec3();
    let around = std::iter::once(at).chain(neighbour_offsets().map(|by| at + by));
    let mut found = around.filter_map(|at| materials.get(world.get(at).material()));
    found.find(|material| material.is_smooth() && material.opacity == Opacity::Opaque)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{Box3, ChunkPos, SurfaceRule};
    use crate::world::Chunk;
    use glam::IVec3;

    #[test]
    fn only_opaque_solid_voxels_enclose_the_eyes() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).expect(name));
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        let around = |voxel: Voxel, height: f64| {
            let mut world = world.clone();
            world.set(IVec3::new(3, 5, 3), voxel);
            rock_around(&world, &materials, DVec3::new(3.5, height, 3.5))
                .map(|material| material.name.clone())
        };
        assert_eq!(around(full("stone"), 5.5).as_deref(), Some("stone"));
        assert_eq!(around(full("stone"), 6.5), None, "above");
        // Eyes inside the filled half of a block, then above it.
        let half = Voxel::new(full("dirt").material(), 127);
        assert_eq!((around(half, 5.4).as_deref(), around(half, 5.6)), (Some("dirt"), None));
        for seen_through in ["water", "glass", "flower_red", "oak_leaves"] {
            assert_eq!(around(full(seen_through), 5.5), None, "{seen_through}");
        }
        assert_eq!(around(Voxel::AIR, 5.5), None);
        assert!(
            rock_around(&world, &materials, DVec3::new(500.0, 5.0, 3.0)).is_none(),
            "not loaded"
        );
    }

    #[test]
    fn smooth_ground_encloses_the_eyes_below_its_surface() {
        let mut materials = MaterialTable::builtin();
        let hill = Material { surface: SurfaceRule::Smooth, ..Material::plain("hill", [9; 3]) };
        let hill = materials.add(hill).unwrap();
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        world.fill(Box3::spanning(IVec3::ZERO, IVec3::new(31, 5, 31)), Voxel::full(hill));
        let remains = Box3::spanning(IVec3::new(0, 6, 0), IVec3::new(31, 6, 31));
        world.fill(remains, Voxel::new(hill, 60));
        let is_enclosed =
            |height: f64| rock_around(&world, &materials, DVec3::new(9.2, height, 8.7)).is_some();
        // The surface is between the centres of the voxels at 5 and at 6.
        assert_eq!(
            [2.5, 5.9, 6.05, 6.2, 6.4, 9.0].map(is_enclosed),
            [true, true, true, false, false, false]
        );
    }
}
