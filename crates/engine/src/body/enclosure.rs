//! Test whether the eyes are inside rock, where nothing can be seen.

use crate::voxel::{Material, MaterialTable, Matter, Opacity, Voxel};
use crate::world::World;
use glam::DVec3;

/// The material around the eyes if it hides everything: an opaque cube filled at least up to their
/// height. `None` in air, water, glass, plants and chunks that are not loaded.
#[must_use]
pub fn rock_around<'a>(
    world: &World,
    materials: &'a MaterialTable,
    eyes: DVec3,
) -> Option<&'a Material> {
    let voxel = world.get(eyes.floor().as_ivec3());
    if voxel.is_air() || voxel == Voxel::NOT_LOADED {
        return None;
    }
    let height = eyes.y - eyes.y.floor();
    let hides = |material: &&Material| {
        let is_rock = material.matter == Matter::Solid && !material.shape.is_model();
        is_rock && material.opacity == Opacity::Opaque && height < f64::from(voxel.fill())
    };
    materials.get(voxel.material()).filter(hides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::ChunkPos;
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
}
