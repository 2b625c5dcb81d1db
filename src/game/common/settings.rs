//! The player's settings, stored as RON in the user's configuration folder.

use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// The player's settings.
#[derive(Resource, Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(default)]
pub struct Settings {
    /// View distance in chunks of 32 m: 3 to 24.
    pub view_distance: i32,
    /// Vertical field of view in degrees: 50 to 110.
    pub field_of_view: f32,
    /// Factor for turning with the mouse; 1 is 0.12 degrees a count.
    pub mouse_sensitivity: f32,
    /// True to look down when the mouse moves up.
    pub invert_mouse: bool,
    /// Memory limit of the undo history in MiB: 1 to 1024.
    pub undo_memory: u32,
}

impl Default for Settings {
    fn default() -> Settings {
        Settings { view_distance: 8, field_of_view: 75.0, mouse_sensitivity: 1.0, invert_mouse: false, undo_memory: 64 }
    }
}

/// Settings that cannot be read or stored.
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
        /// Why it cannot be read.
        reason: ReadFailure,
    },
    /// The file cannot be written.
    #[error("{}: {reason}", path.display())]
    Write {
        /// The settings file.
        path: PathBuf,
        /// Why it cannot be written.
        reason: std::io::Error,
    },
}

/// Why a settings file cannot be read.
#[derive(thiserror::Error, Debug)]
#[error(transparent)]
pub enum ReadFailure {
    /// The file system's reason.
    Io(#[from] std::io::Error),
    /// The file is not valid RON.
    Ron(#[from] Box<ron::error::SpannedError>),
}

impl Settings {
    fn file() -> Option<PathBuf> {
        // Tests and portable copies keep their settings elsewhere.
        if let Some(folder) = std::env::var_os("STONERUN_CONFIG") {
            return Some(PathBuf::from(folder).join("settings.ron"));
        }
        directories::ProjectDirs::from("", "", "stonerun").map(|d| d.config_dir().join("settings.ron"))
    }

    /// Loads the stored settings. Without a stored file they are the defaults; if the file cannot
    /// be read they are the defaults, too, and the reason is returned.
    #[must_use]
    pub fn load() -> (Settings, Option<SettingsError>) {
        let Some(path) = Settings::file() else { return (Settings::default(), None) };
        let read = match std::fs::read_to_string(&path) {
            Ok(text) => ron::from_str::<Settings>(&text).map_err(|e| Box::new(e).into()),
            Err(e) if e.kind() == std::io::ErrorKind::NotFound => return (Settings::default(), None),
            Err(e) => Err(e.into()),
        };
        match read {
            Ok(settings) => (settings.clamped(), None),
            Err(reason) => (Settings::default(), Some(SettingsError::Read { path, reason })),
        }
    }

    /// Stores the settings.
    ///
    /// # Errors
    /// There is no folder for them, or the file cannot be written.
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

    /// The same settings with every value moved into its limits.
    #[must_use]
    pub fn clamped(mut self) -> Settings {
        self.view_distance = self.view_distance.clamp(3, 24);
        let finite_or = |value: f32, low: f32, high: f32, default: f32| {
            if value.is_finite() { value.clamp(low, high) } else { default }
        };
        self.field_of_view = finite_or(self.field_of_view, 50.0, 110.0, 75.0);
        self.mouse_sensitivity = finite_or(self.mouse_sensitivity, 0.1, 5.0, 1.0);
        self.undo_memory = self.undo_memory.clamp(1, 1024);
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
            ..Settings::default()
        };
        let clamped = wild.clamped();
        assert_eq!(clamped.undo_memory, 1024);
        assert_eq!((clamped.view_distance, clamped.field_of_view, clamped.mouse_sensitivity), (24, 75.0, 0.1));
    }

    #[test]
    fn missing_field_takes_its_default() {
        let settings: Settings = ron::from_str("(view_distance: 5)").expect("valid RON");
        assert_eq!(settings, Settings { view_distance: 5, ..Settings::default() });
    }
}
