//! Named sets of patterns, masks, brushes, shapes and lines, kept in the folder of the settings.

use crate::game::building::builder::line_path::LineOptions;
use crate::game::building::builder::materials::MaterialFields;
use crate::game::building::builder::options::{BrushOptions, BuilderOptions};
use crate::game::building::builder::shape_options::ShapeOptions;
use crate::game::state::settings::Settings;
use bevy::prelude::Resource;
use serde::{Deserialize, Serialize};
use std::io::ErrorKind;
use std::path::{Path, PathBuf};
use stonerun_engine::ron_text::{self, RonError};
use stonerun_engine::save::read_text_file;

/// Maximum size of the file, in bytes.
const MAX_BYTES: usize = 1 << 20;
/// Maximum number of presets.
const MAX_PRESETS: usize = 200;
/// Maximum length of a name, in characters.
pub const MAX_NAME_CHARS: usize = 30;

/// A named set of options.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct Preset {
    /// Name of the preset.
    pub name: String,
    #[serde(default)]
    fields: MaterialFields,
    #[serde(default)]
    brush: BrushOptions,
    #[serde(default)]
    shape: ShapeOptions,
    #[serde(default)]
    line: LineOptions,
}

/// The presets, in the order in which they were saved.
#[derive(Resource, Default)]
pub struct Presets {
    list: Vec<Preset>,
    /// The file; `None` if the system names no folder for settings.
    file: Option<PathBuf>,
    /// Reason why the file cannot be read. Nothing is saved then: it would overwrite the presets.
    problem: Option<String>,
    /// The name that is being typed.
    pub name: String,
}

/// The presets cannot be saved.
#[derive(thiserror::Error, Debug)]
pub enum PresetError {
    /// The number of presets is at its limit.
    #[error("there are {MAX_PRESETS} presets, which is the limit")]
    Full,
    /// The system names no folder for settings.
    #[error("no folder for settings is known")]
    NoFolder,
    /// The file could not be read, for this reason: saving would overwrite its presets.
    #[error("not saved: {0}")]
    Unreadable(String),
    /// The file cannot be written.
    #[error("{}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// The reason.
        source: std::io::Error,
    },
}

impl Presets {
    /// The player's presets. Empty if their file is missing or cannot be read.
    #[must_use]
    pub fn load() -> Presets {
        Settings::folder()
            .map_or_else(Presets::default, |folder| Presets::read(&folder.join("builder.ron")))
    }

    fn read(file: &Path) -> Presets {
        let name = file.display().to_string();
        let read = match read_text_file(file, MAX_BYTES) {
            Ok(text) if text.trim().is_empty() => Ok(Vec::new()),
            Ok(text) => from_ron(&text, &name).map_err(|error| error.to_string()),
            Err(error) if error.kind() == ErrorKind::NotFound => Ok(Vec::new()),
            Err(error) => Err(format!("{name}: {error}")),
        };
        let problem = read.as_ref().err().cloned();
        let mut list = read.unwrap_or_default();
        list.truncate(MAX_PRESETS);
        Presets { list, file: Some(file.to_owned()), problem, name: String::new() }
    }

    /// The saved presets, in the order in which the panel lists them.
    #[must_use]
    pub fn list(&self) -> &[Preset] {
        &self.list
    }

    /// Saves the options under a name, in place of an earlier preset with this name.
    ///
    /// # Errors
    /// The number of presets is at its limit, or the file could not be read or cannot be written.
    pub fn save(&mut self, name: &str, options: &BuilderOptions) -> Result<(), PresetError> {
        let name: String = name.trim().chars().take(MAX_NAME_CHARS).collect();
        let fields = options.fields.clone();
        let brush = options.brush;
        let shape = options.shape;
        let line = options.line;
        let preset = Preset { name, fields, brush, shape, line };
        match self.list.iter().position(|known| known.name == preset.name) {
            Some(known) => self.list[known] = preset,
            None if self.list.len() >= MAX_PRESETS => return Err(PresetError::Full),
            None => self.list.push(preset),
        }
        self.store()
    }

    /// Removes a preset.
    ///
    /// # Errors
    /// The file could not be read or cannot be written.
    pub fn remove(&mut self, name: &str) -> Result<(), PresetError> {
        self.list.retain(|preset| preset.name != name);
        self.store()
    }

    fn store(&self) -> Result<(), PresetError> {
        let file = self.file.as_ref().ok_or(PresetError::NoFolder)?;
        if let Some(problem) = &self.problem {
            return Err(PresetError::Unreadable(problem.clone()));
        }
        self.write(file).map_err(|source| PresetError::Write { file: file.clone(), source })
    }

    fn write(&self, file: &Path) -> std::io::Result<()> {
        if let Some(folder) = file.parent() {
            std::fs::create_dir_all(folder)?;
        }
        let text = ron::ser::to_string_pretty(&self.list, ron::ser::PrettyConfig::default());
        let text = text.map_err(std::io::Error::other)?;
        if text.len() > MAX_BYTES {
            return Err(std::io::Error::other("the presets are larger than 1 MiB, the limit"));
        }
        std::fs::write(file, text)
    }
}

/// Reads presets from RON text. `file` is named in errors.
///
/// # Errors
/// The text is no list of presets in RON.
pub(crate) fn from_ron(text: &str, file: &str) -> Result<Vec<Preset>, RonError> {
    ron_text::read(text, file)
}

impl Preset {
    /// Copies the options of the preset, within their limits.
    pub fn apply(&self, options: &mut BuilderOptions) {
        options.fields = self.fields.clone();
        options.brush = self.brush.clamped();
        options.shape = self.shape.clamped();
        options.line = self.line.clamped();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn saved_presets_are_read_again() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("new").join("builder.ron");
        let mut presets = Presets::read(&file);
        let mut options = BuilderOptions::default();
        options.fields.pattern = "50%stone,dirt".into();
        options.brush.radius = 9;
        presets.save(" rough wall ", &options).expect("writable");
        options.brush.radius = 4;
        options.shape.radius = 7;
        presets.save("rough wall", &options).expect("writable");
        presets.save("other", &BuilderOptions::default()).expect("writable");
        let read = Presets::read(&file);
        assert_eq!(read.list(), presets.list());
        let mut taken = BuilderOptions::default();
        read.list()[0].apply(&mut taken);
        assert_eq!(taken, options);
        presets.remove("rough wall").expect("writable");
        assert_eq!(Presets::read(&file).list().len(), 1);
    }

    #[test]
    fn broken_file_has_no_presets_and_wild_numbers_are_clamped() {
        let folder = tempfile::tempdir().expect("a folder");
        let file = folder.path().join("builder.ron");
        std::fs::write(&file, "(((").expect("writable");
        let mut broken = Presets::read(&file);
        assert!(broken.list().is_empty());
        let refused = broken.save("a", &BuilderOptions::default());
        assert!(refused.is_err_and(|error| error.to_string().contains("builder.ron")));
        assert_eq!(
            std::fs::read_to_string(&file).expect("readable"),
            "(((",
            "it is not overwritten"
        );
        std::fs::write(&file, "").expect("writable");
        let mut options = BuilderOptions::default();
        options.fields.pattern = "x".repeat(MAX_BYTES);
        let refused = Presets::read(&file).save("large", &options);
        assert!(refused.is_err_and(|error| error.to_string().contains("larger than")));
        assert_eq!(
            std::fs::read_to_string(&file).expect("readable"),
            "",
            "a file that could not be read again"
        );
        std::fs::write(
            &file,
            "[(name: \"a\", brush: (radius: 99999, spacing: -1.0), shape: (radius: 0), line: (height: -5))]",
        )
        .expect("writable");
        let mut options = BuilderOptions::default();
        Presets::read(&file).list()[0].apply(&mut options);
        assert_eq!(
            (
                options.brush.radius,
                options.brush.spacing,
                options.shape.radius,
                options.line.height
            ),
            (48, 0.1, 1, 1)
        );
    }
}
