//! The plugin of the rules.

use super::systems;
use super::work::WorldRules;
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::is_alive;
use crate::game::state::screens::{Screen, in_view};
use crate::game::state::session::OpenMap;
use bevy::prelude::*;

/// Lets the world change by rules.
pub struct RulesPlugin;

impl Plugin for RulesPlugin {
    fn build(&self, app: &mut App) {
        app.add_systems(
            OnEnter(Screen::Playing),
            systems::open.run_if(resource_exists::<OpenMap>.and_then(is_alive)),
        )
        .add_systems(OnExit(Screen::Playing), systems::close)
        .add_systems(
            Update,
            (
                (systems::notice, systems::apply).chain(),
                systems::read_again,
                systems::begin.run_if(in_view),
            )
                .chain()
                .run_if(resource_exists::<WorldRules>)
                .in_set(FrameSet::Rules),
        );
    }
}
