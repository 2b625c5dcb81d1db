//! The player: position, view, hot bar.

use bevy::prelude::*;
use glam::DVec3;
use stonerun_engine::body::walking::Walker;
use stonerun_engine::voxel::{ChunkPos, Face, MaterialId};
use stonerun_engine::world::RayHit;

/// Slots of the hot bar.
pub const SLOTS: usize = 9;

/// State of the player: body and camera, view, hot bar and target.
#[derive(Resource, Clone, Debug)]
pub struct Player {
    /// The body or, while the free camera is active, the camera.
    pub walker: Walker,
    /// The body while the free camera is active, which has taken the place of `walker`. The camera
    /// does not collide with blocks.
    pub left_behind: Option<Body>,
    /// The drone's view; `None` unless the free camera is the drone.
    pub drone: Option<DroneView>,
    /// Turn to the left from north (-z) in radians.
    pub yaw: f32,
    /// Angle of the view above the horizon in radians, at most a quarter turn.
    pub pitch: f32,
    /// Materials of the hot bar; air is an empty slot.
    pub hotbar: [MaterialId; SLOTS],
    /// Index of the slot in hand, 0 to 8.
    pub selected: usize,
    /// Quarter turns, from north to east, by which placed shapes are turned from where the player
    /// looks, 0 to 3.
    pub shape_turns: u8,
    /// The voxel under the crosshair, if it is within reach.
    pub target: Option<RayHit>,
}

/// View of the drone. Its position and direction are stored in [`Player`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct DroneView {
    /// Point in the middle of the view, in voxels of the world. The world is loaded around it.
    pub focus: DVec3,
    /// Height of the view in voxels if its rays are parallel; `None` for a perspective.
    pub orthographic_height: Option<f64>,
    /// Name of the side that an orthographic view shows, such as `top`.
    pub side: Option<&'static str>,
}

/// The body left behind by the free camera, and its view direction.
#[derive(Clone, Debug)]
pub struct Body {
    /// The body.
    pub walker: Walker,
    /// Yaw of the view, measured like [`Player::yaw`].
    pub yaw: f32,
    /// Pitch of the view, measured like [`Player::pitch`].
    pub pitch: f32,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            walker: Walker::default(),
            left_behind: None,
            drone: None,
            yaw: 0.0,
            pitch: 0.0,
            hotbar: [0; SLOTS],
            selected: 0,
            shape_turns: 0,
            target: None,
        }
    }
}

impl Player {
    /// The body, whether or not the free camera is active.
    #[must_use]
    pub fn body(&self) -> &Walker {
        self.left_behind.as_ref().map_or(&self.walker, |body| &body.walker)
    }

    /// Yaw and pitch of the body, whether or not the free camera is active.
    #[must_use]
    pub fn body_look(&self) -> [f32; 2] {
        self.left_behind.as_ref().map_or([self.yaw, self.pitch], |body| [body.yaw, body.pitch])
    }

    /// The side to which a placed shape points: the one to which the player looks, turned by
    /// [`Player::shape_turns`].
    #[must_use]
    pub fn placing_side(&self) -> Face {
        // Yaw turns to the left, and sides go on to the right.
        let quarters = (-self.yaw / std::f32::consts::FRAC_PI_2).round() as i32;
        let index = (quarters + i32::from(self.shape_turns)).rem_euclid(4);
        Face::SIDES[index as usize]
    }

    /// True while the free camera is active.
    #[must_use]
    pub fn is_free(&self) -> bool {
        self.left_behind.is_some()
    }

    /// True while the drone shows the world by parallel rays.
    #[must_use]
    pub fn is_orthographic(&self) -> bool {
        self.drone.is_some_and(|drone| drone.orthographic_height.is_some())
    }

    /// The chunk around which the world is loaded: the chunk of the feet or, while the drone flies,
    /// of its focus.
    #[must_use]
    pub fn chunk(&self) -> ChunkPos {
        let centre = self.drone.map_or_else(|| self.body().position, |drone| drone.focus);
        ChunkPos::containing(centre.floor().as_ivec3())
    }

    /// Starts the free camera, or returns the view to the body. Ends the flight of the drone.
    pub fn set_free(&mut self, free: bool) {
        self.drone = None;
        match (free, self.left_behind.take()) {
            (false, Some(body)) => {
                self.walker = body.walker;
                self.yaw = body.yaw;
                self.pitch = body.pitch;
            }
            (true, body) => {
                let here = Body { walker: self.walker, yaw: self.yaw, pitch: self.pitch };
                self.left_behind = Some(body.unwrap_or(here));
            }
            (false, None) => (),
        }
    }

    /// The view's rotation.
    #[must_use]
    pub fn rotation(&self) -> Quat {
        Quat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0)
    }

    /// Direction of the view, unit length.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        (self.rotation() * Vec3::NEG_Z).as_dvec3()
    }

    /// The material in hand; air for an empty slot.
    #[must_use]
    pub fn in_hand(&self) -> MaterialId {
        self.hotbar[self.selected]
    }
}

/// The camera that shows the world through the player's eyes.
#[derive(Component)]
pub struct Eyes;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn eyes_return_to_the_body_they_left() {
        let mut player = Player { yaw: 1.0, pitch: 0.5, ..Player::default() };
        player.walker.position = DVec3::splat(7.0);
        player.set_free(true);
        player.walker.position = DVec3::splat(99.0);
        player.yaw = 2.0;
        player.pitch = -1.0;
        player.set_free(true);
        assert!(
            player.is_free()
                && player.body().position.x == 7.0
                && player.chunk() == ChunkPos::default()
        );
        assert_eq!(player.body_look(), [1.0, 0.5]);
        player.set_free(false);
        assert_eq!(
            (player.walker.position.x, player.yaw, player.pitch, player.is_free()),
            (7.0, 1.0, 0.5, false)
        );
    }
}
