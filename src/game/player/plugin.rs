//! The plugin of the player.

use crate::game::player::{hands, motion, read_only, shape_wheel, undo};
use crate::game::state::builder_mode::{is_building, mouse_turns_view};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::player::Player;
use crate::game::state::screens::in_play;
use crate::game::state::session::{OpenMap, is_read_only};
use crate::game::state::travel;
use crate::game::state::travel::Travel;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

/// Adds the player.
pub struct PlayerPlugin;

impl Plugin for PlayerPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<Player>()
            .init_resource::<shape_wheel::ShapeWheel>()
            .add_message::<Travel>()
            .add_systems(Update, travel::arrive.in_set(FrameSet::Control).before(motion::walk))
            .add_systems(
                Update,
                (
                    shape_wheel::choose.run_if(not(is_building).and_then(not(is_read_only))),
                    motion::look.run_if(mouse_turns_view.and_then(shape_wheel::is_closed)),
                    motion::choose_slot,
                    motion::walk,
                )
                    .chain()
                    .run_if(in_play.and_then(has_player))
                    .in_set(FrameSet::Control),
            )
            .add_systems(
                Update,
                (
                    hands::aim.run_if(in_play.and_then(not(is_building))),
                    (hands::break_and_place.run_if(not(is_building)), undo::undo)
                        .chain()
                        .run_if(in_play.and_then(has_player).and_then(not(is_read_only))),
                    read_only::refuse.run_if(in_play.and_then(is_read_only)),
                )
                    .chain()
                    .in_set(FrameSet::Edit),
            )
            .add_systems(
                Update,
                hands::end_stroke
                    .run_if(resource_exists::<OpenMap>.and_then(not(in_play).or_else(is_building)))
                    .in_set(FrameSet::Edit),
            )
            .add_systems(
                Update,
                shape_wheel::close
                    .run_if(not(in_play).or_else(is_building))
                    .in_set(FrameSet::Control),
            )
            .add_systems(
                EguiPrimaryContextPass,
                shape_wheel::show.run_if(resource_exists::<OpenMap>.and_then(has_player)),
            )
            .add_systems(Update, motion::follow.in_set(FrameSet::Camera));
    }
}
