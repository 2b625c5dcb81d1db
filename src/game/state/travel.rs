//! Travel: moves the player to another place of the map at once.
//!
//! At the new place, the body waits until its chunks are loaded. If blocks fill the place by then,
//! it is pushed out of them; see [`walking`](stonerun_engine::body::walking).

use crate::game::state::player::Player;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::walking::Walker;

/// Request to move the player to another place of the open map.
#[derive(Message, Clone, Copy, PartialEq, Debug)]
pub struct Travel {
    /// Position of the feet.
    pub position: DVec3,
    /// Direction of the view, as [`Player::yaw`] and [`Player::pitch`]; `None` keeps it.
    pub look: Option<[f32; 2]>,
}

/// Moves the player to the requested place. A flying player keeps flying; a free camera returns to
/// the body first.
pub fn arrive(mut wishes: MessageReader<Travel>, mut player: ResMut<Player>) {
    let Some(travel) = wishes.read().last() else { return };
    player.set_free(false);
    player.walker = Walker { flying: player.walker.flying, ..Walker::at(travel.position) };
    if let Some([yaw, pitch]) = travel.look {
        player.yaw = yaw;
        player.pitch = pitch.clamp(-1.553, 1.553);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::body::walking::Intent;
    use stonerun_engine::voxel::{ChunkPos, MaterialTable, Voxel};
    use stonerun_engine::world::{Chunk, World};

    fn travelled(player: Player, travel: Travel) -> Player {
        let mut app = App::new();
        app.add_message::<Travel>().insert_resource(player).add_systems(Update, arrive);
        app.world_mut().write_message(travel);
        app.update();
        app.world().resource::<Player>().clone()
    }

    #[test]
    fn travel_keeps_flying_and_ends_the_free_camera() {
        let mut player = Player { yaw: 1.0, ..Player::default() };
        player.walker.flying = true;
        player.walker.velocity = DVec3::splat(9.0);
        player.set_free(true);
        player.yaw = 2.0;
        let to = DVec3::new(1e5, 70.0, -3.5);
        let there = travelled(player.clone(), Travel { position: to, look: None });
        assert_eq!(
            (there.walker.position, there.walker.velocity, there.yaw),
            (to, DVec3::ZERO, 1.0)
        );
        assert!(there.walker.flying && !there.is_free());
        let there = travelled(player, Travel { position: to, look: Some([0.5, -9.0]) });
        assert_eq!((there.yaw, there.pitch), (0.5, -1.553));
    }

    /// The place was free when it was named, but rock fills it now. Its chunks load after the
    /// arrival.
    #[test]
    fn body_waits_for_missing_ground_and_arrives_at_a_free_place() {
        let mut world = World::new();
        let materials = MaterialTable::builtin();
        let place = DVec3::new(16.5, 10.0, 16.5);
        let mut player = travelled(Player::default(), Travel { position: place, look: None });
        let second = |player: &mut Player, world: &World| {
            for _ in 0..60 {
                _ = player.walker.advance(world, &materials, Intent::default(), 1.0 / 60.0);
            }
        };
        second(&mut player, &world);
        assert_eq!(player.walker.position, place, "nothing is loaded");
        let rock_below_20 =
            (0..32 * 32 * 32).map(|i| (1, if i < 20 * 1024 { Voxel::full(1) } else { Voxel::AIR }));
        world.insert(ChunkPos::new(0, 0, 0), Chunk::from_runs(rock_below_20));
        second(&mut player, &world);
        assert_eq!(player.walker.position, DVec3::new(16.5, 20.0, 16.5));
        assert!(player.walker.on_ground && player.walker.is_clear(&world, &materials));
    }
}
