//! The chunk under the crosshair, which the panel and the overlays show.
//!
//! The player's hands reach only a few voxels, but the crosshair also points at chunks far away.
//! Therefore it has a ray of its own, whose reads do not count as voxel operations of the game.

use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use stonerun_engine::body::picking;
use stonerun_engine::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Matter, Voxel};
use stonerun_engine::world::{RayHit, World, cast_ray_over_ground};

/// Maximum reach of the crosshair, in voxels: eight chunks, or the view distance if that is less.
pub const MAX_REACH_VOXELS: f64 = 256.0;

/// Reach of the player's crosshair, in voxels. For the parallel rays of an orthographic view, the
/// distance from their start to the focus is added.
fn reach(player: &Player, view: i32) -> f64 {
    let reach = MAX_REACH_VOXELS.min(f64::from(view * CHUNK_SIDE));
    match player.drone.filter(|_| player.is_orthographic()) {
        Some(drone) => reach + player.walker.eyes().distance(drone.focus),
        None => reach,
    }
}

/// The voxel under the crosshair, near or far. Rays pass through water, as for hands. `None` in the
/// sky and where nothing is loaded. `view` is the view distance in chunks.
#[must_use]
pub fn hit(world: &World, materials: &MaterialTable, player: &Player, view: i32) -> Option<RayHit> {
    let hit = picking::pick(
        world,
        materials,
        player.walker.eyes(),
        player.direction(),
        reach(player, view),
    )
    .hit;
    hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED)
}

/// The voxel with whole faces under the crosshair: like [`hit`], but rays also pass plants and
/// torches.
#[must_use]
pub fn surface(
    world: &World,
    materials: &MaterialTable,
    player: &Player,
    view: i32,
) -> Option<RayHit> {
    let stops = |voxel: Voxel| {
        let is_plant = materials
            .get(voxel.material())
            .is_some_and(|material| material.matter == Matter::Plant);
        if is_plant { None } else { picking::pick_height(materials, voxel, false) }
    };
    let hit = cast_ray_over_ground(
        world,
        materials,
        player.walker.eyes(),
        player.direction(),
        reach(player, view),
        |_, voxel| stops(voxel),
    )
    .hit;
    hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED)
}

/// The chunk under the crosshair.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crosshair {
    /// Position of the chunk.
    pub chunk: ChunkPos,
    /// True if the crosshair points at a voxel of the chunk. False if there is none within reach;
    /// the chunk is then the player's.
    pub met: bool,
}

impl Crosshair {
    /// The chunk under the player's crosshair, at a view distance of `view` chunks.
    #[must_use]
    pub fn from_view(
        world: &World,
        materials: &MaterialTable,
        player: &Player,
        view: i32,
    ) -> Crosshair {
        match hit(world, materials, player, view) {
            Some(hit) => Crosshair { chunk: ChunkPos::containing(hit.voxel_pos), met: true },
            None => Crosshair { chunk: player.chunk(), met: false },
        }
    }
}

/// Updates the chunk under the crosshair.
pub fn update(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut crosshair: ResMut<Crosshair>,
) {
    let view = map.view_distance(&settings);
    crosshair.set_if_neq(Crosshair::from_view(edits.world(), &map.materials, &player, view));
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::DVec3;
    use stonerun_engine::body::walking::Walker;
    use stonerun_engine::world::Chunk;

    #[test]
    fn crosshair_meets_far_walls_and_falls_back_to_the_chunk_underfoot() {
        let materials = MaterialTable::builtin();
        let mut world = World::new();
        for x in 0..11 {
            world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
        }
        // The player looks east from the middle of the first chunk.
        let walker = Walker::at(DVec3::new(16.0, 16.0, 16.0));
        let player = Player { walker, yaw: -std::f32::consts::FRAC_PI_2, ..Player::default() };
        let underfoot = Crosshair { chunk: ChunkPos::new(0, 0, 0), met: false };
        let look = |world: &World| Crosshair::from_view(world, &materials, &player, 24);
        assert_eq!(look(&world), underfoot);
        world.insert(ChunkPos::new(9, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(look(&world), underfoot, "272 voxels away");
        world.insert(ChunkPos::new(8, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(
            look(&world),
            Crosshair { chunk: ChunkPos::new(8, 0, 0), met: true },
            "through air, 240 voxels away"
        );
        assert_eq!(
            Crosshair::from_view(&world, &materials, &player, 7),
            underfoot,
            "beyond the view distance"
        );
        let water = materials.find("water").expect("water");
        world.insert(ChunkPos::new(1, 0, 0), Chunk::uniform(Voxel::full(water)));
        assert!(look(&world).met, "through water");
        // The ray ends at a chunk that is not loaded.
        world.remove(ChunkPos::new(2, 0, 0));
        assert_eq!(look(&world), underfoot);
    }

    #[test]
    fn surface_lies_behind_plants_and_torches() {
        let materials = MaterialTable::builtin();
        let full = |name: &str| Voxel::full(materials.find(name).expect(name));
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::AIR));
        let walker = Walker::at(DVec3::new(6.5, 6.0, 6.5));
        let player = Player { walker, yaw: -std::f32::consts::FRAC_PI_2, ..Player::default() };
        let ahead = player.walker.eyes().floor().as_ivec3();
        for (away, name) in [(3, "torch"), (5, "tall_grass"), (7, "water"), (9, "stone")] {
            world.set(ahead + IVec3::X * away, full(name));
        }
        let met = |hit: Option<RayHit>| hit.map(|hit| hit.voxel);
        assert_eq!(met(hit(&world, &materials, &player, 24)), Some(full("torch")));
        assert_eq!(met(surface(&world, &materials, &player, 24)), Some(full("stone")));
    }
}
