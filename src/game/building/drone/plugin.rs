//! The plugin of the drone.

use crate::game::building::drone::{controls, flight};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::screens::{Screen, in_play};
use bevy::prelude::*;

/// Adds the drone.
pub struct DronePlugin;

impl Plugin for DronePlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<flight::Drone>()
            .add_systems(OnExit(Screen::Playing), controls::forget)
            .add_systems(
                Update,
                (
                    (controls::toggle, controls::steer)
                        .chain()
                        .run_if(in_play.and_then(has_player)),
                    flight::fly,
                )
                    .chain()
                    .in_set(FrameSet::Control),
            );
    }
}
