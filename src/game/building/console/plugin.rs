//! The plugin of the console.

use crate::game::building::console::state::GameConsole;
use crate::game::building::console::{run, window};
use crate::game::state::frame::frame_order::FrameSet;
use crate::game::state::frame::picture_target::has_player;
use crate::game::state::screens::{Menu, Screen};
use crate::game::state::session::OpenMap;
use crate::game::ui_kit::layout::AreasKnown;
use bevy::prelude::*;
use bevy_egui::EguiPrimaryContextPass;

/// Adds the console.
pub struct ConsolePlugin;

impl Plugin for ConsolePlugin {
    fn build(&self, app: &mut App) {
        app.insert_resource(GameConsole::load())
            .add_systems(OnExit(Screen::Playing), run::forget)
            .add_systems(Update, window::begin.run_if(resource_changed::<Menu>))
            .add_systems(Update, run::run.run_if(has_player).in_set(FrameSet::Edit))
            .add_systems(
                EguiPrimaryContextPass,
                window::show
                    .run_if(resource_equals(Menu::Console).and_then(resource_exists::<OpenMap>))
                    .after(AreasKnown),
            );
    }
}
