//! Starting the game in a window.

use crate::game::app::plugin::GamePlugin;
use crate::game::app::window_settings;
use crate::game::platform::adapter::NoAdapter;
use crate::game::platform::display::NoDisplay;
use crate::game::platform::{adapter, display, task_pools};
use crate::game::state::requests::Request;
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use bevy::window::ExitCondition;
use bevy::winit::{UpdateMode, WinitPlugin, WinitSettings};
use std::path::PathBuf;
use stonerun_engine::save::{MapFile, SaveError};

/// First screen of the game.
#[derive(Clone, Debug)]
pub enum Start {
    /// The title screen.
    Title,
    /// The map at this path.
    Map(PathBuf),
}

/// Error that prevents the start of the game, or ends it.
#[derive(thiserror::Error, Debug)]
pub enum GameError {
    /// The map cannot be opened.
    #[error(transparent)]
    Map(#[from] SaveError),
    /// No display was found for the window.
    #[error(transparent)]
    Display(#[from] NoDisplay),
    /// No graphics adapter was found.
    #[error(transparent)]
    Adapter(#[from] NoAdapter),
    /// Bevy ended with an error code.
    #[error("the game ended with code {0}")]
    Exit(u8),
}

/// Exit code of Bevy after an interrupt from the terminal.
const INTERRUPTED: u8 = 130;

/// Log filter that silences libraries whose warnings are of no use to players.
pub(crate) const LOG_FILTER: &str = "wgpu=error,naga=error,winit=error,bevy_egui=error";

/// The log plugin: warnings and errors only, because a player's terminal is not a log.
pub(crate) fn log_plugin(filter: &str) -> bevy::log::LogPlugin {
    bevy::log::LogPlugin { level: bevy::log::Level::WARN, filter: filter.into(), ..default() }
}

/// Opens the window and plays until the player quits.
///
/// # Errors
/// The map cannot be opened, there is no display or graphics adapter, or Bevy failed.
pub fn run(start: Start) -> Result<(), GameError> {
    if let Start::Map(path) = &start {
        // Opened here so that an error is reported on the terminal before a window opens.
        // Read-only, because the game also shows maps that it cannot write.
        MapFile::open_read_only(path).map(drop)?;
    }
    display::check()?;
    adapter::check()?;
    let mut app = window_app(WinitPlugin::default());
    if let Start::Map(path) = start {
        app.world_mut().write_message(Request::Open(path));
    }
    match app.run() {
        AppExit::Success => Ok(()),
        // Ctrl+C in the terminal. Everything is saved, so it is no error.
        AppExit::Error(code) if code.get() == INTERRUPTED => Ok(()),
        AppExit::Error(code) => Err(GameError::Exit(code.get())),
    }
}

/// The game in a window, at the title screen.
pub fn window_app(winit: WinitPlugin) -> App {
    let mut app = App::new();
    app.add_plugins(
        DefaultPlugins
            .set(task_pools::plugin())
            .set(bevy::window::WindowPlugin {
                primary_window: Some(Window {
                    title: "Stonerun".into(),
                    // Shown once there is something to see: `window::show_window`.
                    visible: false,
                    // Unfocused until the operating system reports the focus: the pointer cannot be
                    // grabbed earlier.
                    focused: false,
                    // The plugin of the settings reports a problem with their file.
                    ..window_settings::window(&Settings::load().0)
                }),
                exit_condition: ExitCondition::DontExit,
                // The close button saves first: see `window::close_window`.
                close_when_requested: false,
                ..default()
            })
            .set(log_plugin(LOG_FILTER))
            .set(winit),
    );
    app.insert_resource(WinitSettings {
        focused_mode: UpdateMode::Continuous,
        unfocused_mode: UpdateMode::Continuous,
    });
    app.add_plugins(GamePlugin);
    app
}
