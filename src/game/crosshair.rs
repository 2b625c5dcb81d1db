//! The chunk under the crosshair: the one that the panel's figures are of.
//!
//! The player's hands reach a few voxels; to ask what a hill over there costs one must see farther. So this has a ray of
//! its own.

use crate::game::player::{Player, hands};
use crate::game::session::Session;
use crate::voxel::{ChunkPos, MaterialTable, Voxel};
use crate::world::{World, cast_ray};
use bevy::prelude::*;

/// How far it looks, in voxels: four chunks.
pub const REACH: f64 = 128.0;

/// The chunk under the crosshair.
#[derive(Resource, Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Crosshair {
    /// Where the chunk is.
    pub chunk: ChunkPos,
    /// True if the crosshair points at a voxel of it; false if it points at nothing within [`REACH`]: then it is the chunk
    /// that the player's feet are in.
    pub met: bool,
}

impl Crosshair {
    /// What `player` looks at. Looks through water, as the hands reach through it.
    #[must_use]
    pub fn of(world: &World, materials: &MaterialTable, player: &Player) -> Crosshair {
        let height = |voxel| hands::pick_height(materials, voxel);
        let hit = cast_ray(world, player.walker.eyes(), player.direction(), REACH, height);
        match hit.filter(|hit| hit.voxel != Voxel::NOT_LOADED) {
            Some(hit) => Crosshair { chunk: ChunkPos::containing(hit.voxel_pos), met: true },
            None => Crosshair { chunk: player.chunk(), met: false },
        }
    }
}

/// Looks.
pub fn look(session: Res<Session>, player: Res<Player>, mut crosshair: ResMut<Crosshair>) {
    crosshair.set_if_neq(Crosshair::of(&session.world, &session.materials, &player));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::walking::Walker;
    use crate::world::Chunk;
    use glam::DVec3;

    #[test]
    fn a_far_wall_is_met_and_else_it_is_the_chunk_underfoot() {
        let materials = MaterialTable::builtin();
        let mut world = World::new();
        for x in 0..7 {
            world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::AIR));
        }
        // Looks east, from the middle of the first chunk.
        let walker = Walker::at(DVec3::new(16.0, 16.0, 16.0));
        let player = Player { walker, yaw: -std::f32::consts::FRAC_PI_2, ..Player::default() };
        let underfoot = Crosshair { chunk: ChunkPos::new(0, 0, 0), met: false };
        let look = |world: &World| Crosshair::of(world, &materials, &player);
        assert_eq!(look(&world), underfoot);
        world.insert(ChunkPos::new(5, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(look(&world), underfoot, "160 voxels away");
        world.insert(ChunkPos::new(4, 0, 0), Chunk::uniform(Voxel::full(1)));
        assert_eq!(
            look(&world),
            Crosshair { chunk: ChunkPos::new(4, 0, 0), met: true },
            "through air, 112 voxels away"
        );
        let water = materials.find("water").expect("water");
        world.insert(ChunkPos::new(1, 0, 0), Chunk::uniform(Voxel::full(water)));
        assert!(look(&world).met, "through water");
        // What is not loaded is nothing that could be looked at.
        world.remove(ChunkPos::new(2, 0, 0));
        assert_eq!(look(&world), underfoot);
    }
}
