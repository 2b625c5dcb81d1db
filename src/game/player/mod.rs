//! The player: where they are, what they look at, what they hold.
//!
//! - `motion`: keys and mouse to movement.
//! - `hands`: breaking, placing, picking blocks.

pub mod hands;
pub mod motion;

use crate::rules::walking::Walker;
use crate::voxel::{ChunkPos, MaterialId};
use crate::world::RayHit;
use bevy::prelude::*;
use glam::DVec3;

/// Slots of the hot bar.
pub const SLOTS: usize = 9;

/// The player.
#[derive(Resource, Clone, Debug)]
pub struct Player {
    /// The body.
    pub walker: Walker,
    /// The body that stays behind while the eyes fly free, through everything: `walker` is a ghost then.
    pub left_behind: Option<Walker>,
    /// Turn to the left from north (-z), in radians.
    pub yaw: f32,
    /// Look up, in radians, at most a quarter turn.
    pub pitch: f32,
    /// What the hot bar holds; air is an empty slot.
    pub hotbar: [MaterialId; SLOTS],
    /// The slot in hand, 0 to 8.
    pub selected: usize,
    /// The voxel under the crosshair, if it is in reach.
    pub target: Option<RayHit>,
    /// How far breaking the target has come: 0 to 1.
    pub breaking: f32,
}

impl Default for Player {
    fn default() -> Player {
        Player {
            walker: Walker::default(),
            left_behind: None,
            yaw: 0.0,
            pitch: 0.0,
            hotbar: [0; SLOTS],
            selected: 0,
            target: None,
            breaking: 0.0,
        }
    }
}

impl Player {
    /// The body, be the eyes in it or not.
    #[must_use]
    pub fn body(&self) -> &Walker {
        self.left_behind.as_ref().unwrap_or(&self.walker)
    }

    /// The chunk the feet are in: around it the world is loaded.
    #[must_use]
    pub fn chunk(&self) -> ChunkPos {
        ChunkPos::containing(self.body().position.floor().as_ivec3())
    }

    /// The eyes leave the body, or return to it.
    pub fn set_free(&mut self, free: bool) {
        match (free, self.left_behind.take()) {
            (false, Some(body)) => self.walker = body,
            (true, body) => self.left_behind = Some(body.unwrap_or(self.walker)),
            (false, None) => (),
        }
    }

    /// The view's rotation.
    #[must_use]
    pub fn rotation(&self) -> Quat {
        Quat::from_euler(EulerRot::YXZ, self.yaw, self.pitch, 0.0)
    }

    /// Where the player looks, unit length.
    #[must_use]
    pub fn direction(&self) -> DVec3 {
        (self.rotation() * Vec3::NEG_Z).as_dvec3()
    }

    /// The material in hand; air for none.
    #[must_use]
    pub fn in_hand(&self) -> MaterialId {
        self.hotbar[self.selected]
    }
}

/// The camera that shows the world through the player's eyes.
#[derive(Component)]
pub struct Eyes;
