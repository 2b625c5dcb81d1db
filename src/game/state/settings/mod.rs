//! The player's settings, stored as RON in the user's configuration folder.
//!
//! Settings with values of their own: [`flying_speed`], [`crosshair_style`], [`rules_speed`],
//! [`sun_shadows`].

pub mod crosshair_style;
pub mod flying_speed;
pub mod rules_speed;
pub mod sun_shadows;

use crate::game::state::keys::KeyboardLayout;
use crate::game::state::settings::crosshair_style::CrosshairStyle;
use crate::game::state::settings::flying_speed::FlyingSpeed;
use crate::game::state::settings::rules_speed::RulesSpeed;
use crate::game::state::settings::sun_shadows::SunShadows;
use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;
use stonerun_engine::ron_text::{self, RonError};
use stonerun_engine::save::read_text_file;

/// Maximum size of the settings file, in bytes.
const MAX_BYTES: usize = 1 << 20;

/// The player's settings.
#[derive(Resource, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// View distance in chunks of 32 m: 3 to 24.
    pub view_distance: i32,
    /// Vertical field of view in degrees: 50 to 110.
    pub field_of_view: f32,
    /// Factor for turning with the mouse; at 1, the view turns by 0.12 degrees per count.
    pub mouse_sensitivity: f32,
    /// True to look down when the mouse moves up.
    pub invert_mouse: bool,
    /// Memory limit of the undo history in MiB: 1 to 1024.
    pub undo_memory: u32,
    /// Limit of the undo history in the map's file, in MiB: 16 to 65,536.
    pub undo_total: u32,
    /// Graphics memory for chunks in MiB, 32 to 4096; 0 leaves it to the game.
    pub mesh_memory: u32,
    /// Reach of the shadows that the sun and the moon cast.
    pub sun_shadows: SunShadows,
    /// Speed of the rules of the world.
    pub rules: RulesSpeed,
    /// True if creatures live, and are drawn.
    pub creatures: bool,
    /// Length of a day in minutes of play: 5 to 120.
    pub day_length: u32,
    /// True while the time of day stands still.
    pub day_stopped: bool,
    /// True to fill the screen.
    pub full_screen: bool,
    /// True to draw one frame per refresh of the screen (vertical sync).
    pub vsync: bool,
    /// Scale of the interface: 0.75 to 3; 0 follows the size of the window.
    pub interface_scale: f32,
    /// Brightness of dark places: 0.5 to 2; 1 leaves them as they are.
    pub brightness: f32,
    /// Shape of the crosshair.
    pub crosshair: CrosshairStyle,
    /// True to show position, direction and targeted block while playing.
    pub position_line: bool,
    /// Speed of flying and of the free camera, in steps of the mouse wheel: -6 to 4; 0 is 11 m/s.
    pub flying_speed: FlyingSpeed,
    /// True if the console shows a preview of each command first.
    pub console_preview: bool,
    /// Extension of the format of the last export; empty before the first.
    pub export_format: String,
    /// Size of the window when it was last resized; `None` if it never was.
    pub window_size: Option<WindowSize>,
    /// Labels of the walking keys, learned from presses: `WASD`, `ZQSD`.
    pub keyboard: KeyboardLayout,
}

/// Size of the window.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WindowSize {
    /// Width in logical pixels.
    pub width: u32,
    /// Height in logical pixels.
    pub height: u32,
}

impl WindowSize {
    /// Minimum size for which the interface is made.
    pub const SMALLEST: WindowSize = WindowSize { width: 400, height: 300 };
    /// Size that is larger than any screen.
    const LARGEST: WindowSize = WindowSize { width: 16_384, height: 16_384 };

    /// The size clamped to `most`, but not below [`WindowSize::SMALLEST`].
    #[must_use]
    pub fn within(self, most: WindowSize) -> WindowSize {
        let WindowSize { width, height } = WindowSize::SMALLEST;
        WindowSize {
            width: self.width.min(most.width).max(width),
            height: self.height.min(most.height).max(height),
        }
    }
}

impl Default for Settings {
    fn default() -> Settings {
        Settings {
            view_distance: 8,
            field_of_view: 75.0,
            mouse_sensitivity: 1.0,
            invert_mouse: false,
            undo_memory: 64,
            undo_total: 2048,
            mesh_memory: 0,
            sun_shadows: SunShadows::default(),
            rules: RulesSpeed::default(),
            creatures: true,
            day_length: 20,
            day_stopped: false,
            full_screen: false,
            vsync: true,
            interface_scale: 0.0,
            brightness: 1.0,
            crosshair: CrosshairStyle::default(),
            position_line: true,
            flying_speed: FlyingSpeed::default(),
            console_preview: false,
            export_format: String::new(),
            window_size: None,
            keyboard: KeyboardLayout::default(),
        }
    }
}

/// Error of reading or storing settings.
#[derive(thiserror::Error, Debug)]
pub enum SettingsError {
    /// The system names no configuration folder.
    #[error("no folder for settings is known")]
    NoFolder,
    /// The file cannot be read; the default settings are used.
    #[error("{}: {reason}; default settings are used", path.display())]
    Read {
        /// The settings file.
        path: PathBuf,
        /// Reason.
        reason: std::io::Error,
    },
    /// The file does not hold settings in RON; the default settings are used.
    #[error("{0}; default settings are used")]
    Text(RonError),
    /// The file cannot be written.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The settings file.
        path: PathBuf,
        /// Reason.
        reason: std::io::Error,
    },
}

impl Settings {
    /// Bytes of graphics memory for chunks; `None` leaves the limit to the game.
    #[must_use]
    pub fn mesh_memory_bytes(&self) -> Option<u64> {
        (self.mesh_memory > 0).then_some(u64::from(self.mesh_memory) << 20)
    }

    /// Limit of the undo history in the map's file, in bytes.
    #[must_use]
    pub fn undo_total_bytes(&self) -> u64 {
        u64::from(self.undo_total) << 20
    }

    /// Folder of the settings; `None` if the system has none for them.
    #[must_use]
    pub fn folder() -> Option<PathBuf> {
        // Tests and portable copies set a folder of their own.
        let folder = std::env::var_os("STONERUN_CONFIG").map(PathBuf::from);
        folder.or_else(|| {
            Some(directories::ProjectDirs::from("", "", "stonerun")?.config_dir().to_owned())
        })
    }

    fn file() -> Option<PathBuf> {
        Some(Settings::folder()?.join("settings.ron"))
    }

    /// Loads the stored settings. Returns the defaults if there is no file, and the defaults with
    /// the reason if the file cannot be read.
    #[must_use]
    pub fn load() -> (Settings, Option<SettingsError>) {
        let Some(path) = Settings::file() else { return (Settings::default(), None) };
        let read = match read_text_file(&path, MAX_BYTES) {
            Ok(text) => {
                Settings::from_ron(&text, &path.display().to_string()).map_err(SettingsError::Text)
            }
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => {
                return (Settings::default(), None);
            }
            Err(reason) => Err(SettingsError::Read { path, reason }),
        };
        match read {
            Ok(settings) => (settings.clamped(), None),
            Err(error) => (Settings::default(), Some(error)),
        }
    }

    /// Reads settings from RON text. `file` is named in errors.
    ///
    /// # Errors
    /// The text does not hold settings in RON.
    pub fn from_ron(text: &str, file: &str) -> Result<Settings, RonError> {
        ron_text::read(text, file)
    }

    /// Stores the settings.
    ///
    /// # Errors
    /// The system names no folder for settings, or the file cannot be written.
    pub fn store(&self) -> Result<(), SettingsError> {
        let Some(path) = Settings::file() else { return Err(SettingsError::NoFolder) };
        let write = || {
            if let Some(folder) = path.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default());
            std::fs::write(&path, text.unwrap_or_default())
        };
        write().map_err(|reason| SettingsError::Write { path: path.clone(), reason })
    }

    /// The settings with every value clamped to its limits.
    #[must_use]
    pub fn clamped(mut self) -> Settings {
        self.view_distance = self.view_distance.clamp(3, 24);
        let finite_or = |value: f32, low: f32, high: f32, default: f32| {
            if value.is_finite() { value.clamp(low, high) } else { default }
        };
        self.field_of_view = finite_or(self.field_of_view, 50.0, 110.0, 75.0);
        self.mouse_sensitivity = finite_or(self.mouse_sensitivity, 0.1, 5.0, 1.0);
        self.undo_memory = self.undo_memory.clamp(1, 1024);
        self.undo_total = self.undo_total.clamp(16, 65_536);
        self.day_length = self.day_length.clamp(5, 120);
        if self.mesh_memory != 0 {
            self.mesh_memory = self.mesh_memory.clamp(32, 4096);
        }
        if self.interface_scale != 0.0 {
            self.interface_scale = finite_or(self.interface_scale, 0.75, 3.0, 0.0);
        }
        self.brightness = finite_or(self.brightness, 0.5, 2.0, 1.0);
        self.flying_speed = self.flying_speed.faster(0);
        self.window_size = self.window_size.map(|size| size.within(WindowSize::LARGEST));
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clamped_moves_values_into_their_limits() {
        let wild = Settings {
            view_distance: 9999,
            field_of_view: f32::NAN,
            mouse_sensitivity: -3.0,
            undo_memory: u32::MAX,
            undo_total: 0,
            day_length: 0,
            mesh_memory: 1,
            interface_scale: 99.0,
            brightness: f32::INFINITY,
            flying_speed: FlyingSpeed(-99),
            window_size: Some(WindowSize { width: 0, height: u32::MAX }),
            ..Settings::default()
        };
        let clamped = wild.clamped();
        assert_eq!((clamped.undo_memory, clamped.mesh_memory, clamped.day_length), (1024, 32, 5));
        assert_eq!(clamped.undo_total_bytes(), 16 << 20);
        assert_eq!(Settings { day_length: 121, ..Settings::default() }.clamped().day_length, 120);
        assert_eq!(
            (clamped.interface_scale, clamped.brightness, clamped.flying_speed.0),
            (3.0, 1.0, -6)
        );
        assert_eq!(clamped.window_size, Some(WindowSize { width: 400, height: 16_384 }));
        assert_eq!(
            (clamped.view_distance, clamped.field_of_view, clamped.mouse_sensitivity),
            (24, 75.0, 0.1)
        );
    }

    #[test]
    fn missing_field_takes_its_default() {
        let settings: Settings =
            Settings::from_ron("(view_distance: 5)", "x.ron").expect("valid RON");
        assert_eq!(settings, Settings { view_distance: 5, ..Settings::default() });
    }

    #[test]
    fn settings_of_the_first_version_open_and_all_fields_round_trip() {
        let first = "(view_distance: 5, field_of_view: 75.0, mouse_sensitivity: 1.0, invert_mouse: true, undo_memory: 9)";
        let settings: Settings = Settings::from_ron(first, "x.ron").expect("valid RON");
        assert!(settings.invert_mouse && settings.vsync && !settings.full_screen);
        assert_eq!((settings.day_length, settings.day_stopped), (20, false));
        assert_eq!(settings.interface_scale, 0.0, "it follows the window");
        // Earlier versions stored a scale even if the player had chosen none. It is kept.
        let chosen = Settings::from_ron("(interface_scale: 1.0)", "x.ron").expect("valid RON");
        assert_eq!(chosen.clamped().interface_scale, 1.0);
        assert_eq!(Settings::default().clamped(), Settings::default());
        let changed = Settings {
            full_screen: true,
            vsync: false,
            day_length: 45,
            day_stopped: true,
            crosshair: CrosshairStyle::Ring,
            flying_speed: FlyingSpeed(-2),
            export_format: "glb".to_owned(),
            window_size: Some(WindowSize { width: 900, height: 640 }),
            keyboard: KeyboardLayout::from("ZQSD".to_owned()),
            ..settings
        };
        let text = ron::ser::to_string_pretty(&changed, ron::ser::PrettyConfig::default())
            .expect("writable");
        assert_eq!(Settings::from_ron(&text, "x.ron").expect("valid RON"), changed);
        assert!(
            text.contains("flying_speed: -2,") && text.contains("keyboard: \"ZQSD\","),
            "{text}"
        );
    }
}
