//! What the player can set. Kept in the user's configuration folder, as RON.

use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The player's settings.
#[derive(Resource, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// How far one sees, in chunks of 32 m: 3 to 24.
    pub view_distance: i32,
    /// Vertical field of view, in degrees: 50 to 110.
    pub field_of_view: f32,
    /// How far the view turns with the mouse; 1 is 0.12 degrees a count.
    pub mouse_sensitivity: f32,
    /// True turns the view down when the mouse goes up.
    pub invert_mouse: bool,
    /// What undo may take of memory, in MiB: 1 to 1024.
    pub undo_memory: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { view_distance: 8, field_of_view: 75.0, mouse_sensitivity: 1.0, invert_mouse: false, undo_memory: 64 }
    }
}

impl Settings {
    fn file() -> Option<PathBuf> {
        // Tests and portable copies keep their settings elsewhere.
        if let Some(folder) = std::env::var_os("STONERUN_CONFIG") {
            return Some(PathBuf::from(folder).join("settings.ron"));
        }
        directories::ProjectDirs::from("", "", "stonerun").map(|d| d.config_dir().join("settings.ron"))
    }

    /// The stored settings; the defaults where none are stored. Where they cannot be read, the defaults, and why:
    /// one line.
    #[must_use]
    pub fn load() -> (Settings, Option<String>) {
        let Some(file) = Settings::file() else { return (Settings::default(), None) };
        let read = match std::fs::read_to_string(&file) {
            Ok(text) => ron::from_str::<Settings>(&text).map_err(|e| e.to_string()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return (Settings::default(), None),
            Err(e) => Err(e.to_string()),
        };
        match read {
            Ok(settings) => (settings.clamped(), None),
            Err(e) => (Settings::default(), Some(format!("{}: {e}; the usual settings are used", file.display()))),
        }
    }

    /// Stores the settings.
    ///
    /// # Errors
    /// One line that names the file and the reason.
    pub fn store(&self) -> Result<(), String> {
        let Some(file) = Settings::file() else { return Err("no folder for settings is known".into()) };
        let write = || {
            if let Some(folder) = file.parent() {
                std::fs::create_dir_all(folder)?;
            }
            let text = ron::ser::to_string_pretty(self, ron::ser::PrettyConfig::default());
            std::fs::write(&file, text.unwrap_or_default())
        };
        write().map_err(|e| format!("{}: {e}", file.display()))
    }

    /// The same within the limits, whatever the file said.
    #[must_use]
    pub fn clamped(mut self) -> Settings {
        self.view_distance = self.view_distance.clamp(3, 24);
        let sane = |value: f32, low: f32, high: f32, usual: f32| {
            if value.is_finite() { value.clamp(low, high) } else { usual }
        };
        self.field_of_view = sane(self.field_of_view, 50.0, 110.0, 75.0);
        self.mouse_sensitivity = sane(self.mouse_sensitivity, 0.1, 5.0, 1.0);
        self.undo_memory = self.undo_memory.clamp(1, 1024);
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn wild_settings_are_brought_back() {
        let wild = Settings {
            view_distance: 9999,
            field_of_view: f32::NAN,
            mouse_sensitivity: -3.0,
            undo_memory: u32::MAX,
            ..Settings::default()
        };
        let tame = wild.clamped();
        assert_eq!(tame.undo_memory, 1024);
        assert_eq!((tame.view_distance, tame.field_of_view, tame.mouse_sensitivity), (24, 75.0, 0.1));
    }

    #[test]
    fn a_missing_field_takes_its_default() {
        let settings: Settings = ron::from_str("(view_distance: 5)").expect("ron");
        assert_eq!(settings, Settings { view_distance: 5, ..Settings::default() });
    }
}
