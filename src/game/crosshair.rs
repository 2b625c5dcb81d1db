//! The chunk under the crosshair: the one that the panel's figures are of, and that overlays look into.
//!
//! The player's hands reach a few voxels; to ask what a hill over there costs one must see farther. So this has a ray of
//! its own. What it reads is not counted as the game's work: it is for who looks on.

use crate::body::picking;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::session::{Edits, OpenMap};
use crate::voxel::{CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use crate::world::{RayHit, World};
use bevy::prelude::*;

/// How far it looks at most, in voxels: eight chunks. No farther than chunks are drawn, either.
pub const SIGHT: f64 = 256.0;

/// What is under the crosshair, near or far; none in the sky, and where nothing is loaded. Looks through water, as the hands
/// reach through it. `view` is the view distance, in chunks.
#[must_use]
pub fn hit(world: &World, materials: &MaterialTable, player: &Player, view: i32) -> Option<RayHit> {
    let reach = SIGHT.min(f64::from(view * CHUNK_SIDE));
    let hit = picking::pick(world, materials, player.walker.eyes(), player.direction(), reach).hit;
    hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED)
}

/// The chunk under the crosshair.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crosshair {
    /// Where the chunk is.
    pub chunk: ChunkPos,
    /// True if the crosshair points at a voxel of it; false if it points at nothing within [`SIGHT`]: then it is the chunk
    /// that the player's feet are in.
    pub met: bool,
}

impl Crosshair {
    /// What `player` looks at, at a view distance of `view` chunks.
    #[must_use]
    pub fn of(world: &World, materials: &MaterialTable, player: &Player, view: i32) -> Crosshair {
        match hit(world, materials, player, view) {
            Some(hit) => Crosshair { chunk: ChunkPos::containing(hit.voxel_pos), met: true },
            None => Crosshair { chunk: player.chunk(), met: false },
        }
    }
}

/// Looks.
pub fn look(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut crosshair: ResMut<Crosshair>,
) {
    let view = settings.view_distance;
    crosshair.set_if_neq(Crosshair::of(edits.world(), &map.materials, &player, view));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::body::walking::Walker;
    use crate::world::Chunk;
    use glam::DVec3;

    #[test]
    fn a_far_wall_is_met_and_else_it_is_the_chunk_underfoot() {
        let materials = MaterialTable::builtin();
        let mut world = World::new();
        for x in 0..11 {
            world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
        }
        // Looks east, from the middle of the first chunk.
        let walker = Walker::at(DVec3::new(16.0, 16.0, 16.0));
        let player = Player { walker, yaw: -std::f32::consts::FRAC_PI_2, ..Player::default() };
        let underfoot = Crosshair { chunk: ChunkPos::new(0, 0, 0), met: false };
        let look = |world: &World| Crosshair::of(world, &materials, &player, 24);
        assert_eq!(look(&world), underfoot);
        world.insert(ChunkPos::new(9, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(look(&world), underfoot, "272 voxels away");
        world.insert(ChunkPos::new(8, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(
            look(&world),
            Crosshair { chunk: ChunkPos::new(8, 0, 0), met: true },
            "through air, 240 voxels away"
        );
        assert_eq!(Crosshair::of(&world, &materials, &player, 7), underfoot, "not drawn");
        let water = materials.find("water").expect("water");
        world.insert(ChunkPos::new(1, 0, 0), Chunk::uniform(Voxel::full(water)));
        assert!(look(&world).met, "through water");
        // What is not loaded is nothing that could be looked at.
        world.remove(ChunkPos::new(2, 0, 0));
        assert_eq!(look(&world), underfoot);
    }
}
