//! The flight of the drone: it moves smoothly to its wanted pose and takes the player's view along.

use crate::game::building::drone::bookmarks::Bookmarks;
use crate::game::building::drone::pose::Pose;
use crate::game::state::player::{DroneView, Player};
use crate::game::state::session::Edits;
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::World as VoxelWorld;
use stonerun_engine::world::viewpoint::feet_below;

/// Rate at which the distance to the wanted pose decays, per second.
const SPEED: f64 = 12.0;
/// Maximum distance between the start of the rays of an orthographic view and its focus, in voxels:
/// farther than chunks are loaded.
const MAX_RAY_START: f64 = 4096.0;
/// Length of a step when the start of these rays is searched, in voxels.
const STEP: f64 = 8.0;

/// The drone. It flies while [`Player::drone`] is set.
#[derive(Resource, Default)]
pub struct Drone {
    /// The pose that is shown and the wanted pose; `None` before the first flight.
    poses: Option<Poses>,
    /// Kept poses of the open map.
    pub(super) bookmarks: Bookmarks,
}

/// The pose that is shown, and the one to which the drone moves.
#[derive(Clone, Copy)]
struct Poses {
    shown: Pose,
    wanted: Pose,
}

impl Drone {
    /// Starts at a pose.
    pub(super) fn start(&mut self, pose: Pose) {
        self.poses = Some(Poses { shown: pose, wanted: pose });
    }

    /// The pose to which the drone moves; `None` before the first flight.
    pub(super) fn wanted(&self) -> Option<Pose> {
        self.poses.map(|poses| poses.wanted)
    }

    /// Changes the shown and the wanted pose at once, as for mouse motion.
    pub(super) fn change(&mut self, change: impl Fn(&mut Pose)) {
        if let Some(Poses { shown, wanted }) = &mut self.poses {
            change(shown);
            change(wanted);
        }
    }

    /// Changes the wanted pose: the drone moves there smoothly.
    pub(super) fn glide(&mut self, change: impl FnOnce(&mut Pose)) {
        if let Some(poses) = &mut self.poses {
            change(&mut poses.wanted);
        }
    }
}

/// Moves the drone towards its wanted pose, and the player's free camera with it.
pub(super) fn fly(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    edits: Res<Edits>,
    mut drone: ResMut<Drone>,
    mut player: ResMut<Player>,
) {
    let Some(poses) = drone.poses.as_mut().filter(|_| player.drone.is_some()) else { return };
    let part = 1.0 - (-time.delta_secs_f64() * SPEED).exp();
    poses.shown = poses.shown.towards(&poses.wanted, part);
    show(&poses.shown, field_of_view(&settings), edits.world(), &mut player);
}

/// The vertical field of view, in radians.
pub(super) fn field_of_view(settings: &Settings) -> f64 {
    f64::from(settings.field_of_view).to_radians()
}

/// Gives the player the view of a pose.
fn show(pose: &Pose, field_of_view: f64, world: &VoxelWorld, player: &mut Player) {
    let eyes = if pose.orthographic {
        pose.focus - pose.direction() * ray_start(world, pose.focus, pose.direction())
    } else {
        pose.eyes()
    };
    player.walker.position = feet_below(eyes);
    player.yaw = pose.yaw;
    player.pitch = pose.pitch;
    let height = pose.orthographic.then(|| pose.height(field_of_view));
    player.drone = Some(DroneView {
        focus: pose.focus,
        orthographic_height: height,
        side: pose.side().map(|side| side.name()),
    });
}

/// Distance from the focus at which the rays of an orthographic view start: as far as chunks are
/// loaded without a gap, because rays end in chunks that are not loaded.
fn ray_start(world: &VoxelWorld, focus: DVec3, direction: DVec3) -> f64 {
    let is_loaded = |distance: f64| {
        world.is_loaded(ChunkPos::containing((focus - direction * distance).floor().as_ivec3()))
    };
    let steps = (1..=(MAX_RAY_START / STEP) as u32).map(|step| f64::from(step) * STEP);
    steps.take_while(|&distance| is_loaded(distance)).last().unwrap_or(0.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::building::drone::pose::ViewSide;
    use stonerun_engine::voxel::Voxel;
    use stonerun_engine::world::Chunk;

    #[test]
    fn player_sees_from_the_drone_and_the_world_is_loaded_around_its_focus() {
        let mut world = VoxelWorld::new();
        for y in 0..3 {
            world.insert(ChunkPos::new(3, y, 0), Chunk::uniform(Voxel::AIR));
        }
        let mut player = Player::default();
        player.set_free(true);
        let mut pose =
            Pose::from_eyes(DVec3::new(80.0, 17.0, 16.0), 1.5 * std::f32::consts::PI, 0.0, 24.0);
        show(&pose, 1.2, &world, &mut player);
        assert!((player.walker.eyes() - DVec3::new(80.0, 17.0, 16.0)).length() < 1e-5);
        assert_eq!((player.chunk(), player.body().position), (ChunkPos::new(3, 0, 0), DVec3::ZERO));
        pose.look_from(ViewSide::Top);
        show(&pose, 1.2, &world, &mut player);
        let eyes = player.walker.eyes();
        assert!(
            (eyes - DVec3::new(104.0, 89.0, 16.0)).length() < 1e-3,
            "within loaded chunks: {eyes}"
        );
        let drone = player.drone.expect("it flies");
        assert_eq!((drone.side, drone.orthographic_height), (Some("top"), Some(pose.height(1.2))));
        player.set_free(false);
        assert!(player.drone.is_none() && player.chunk() == ChunkPos::default());
    }
}
