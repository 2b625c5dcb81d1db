//! Worlds into other programs' files.
//!
//! One writer per format, chosen by the target's extension; each is handed the same [`Scene`]. What is written bears another
//! name until it is complete (`output`), so a target is there as a whole or as it was before, whatever ends the export.

mod output;
mod scene;

pub(super) use output::Output;
pub use scene::{Gathering, Scene};

use super::model;
use super::schematic::sponge;
use super::{Flaw, Progress, meshes, vox};
use crate::voxel::{Material, MaterialId, MaterialTable};
use std::io;
use std::path::{Path, PathBuf};

/// A count of something in what was written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Figure {
    /// Its name where figures are read by programs.
    pub name: &'static str,
    /// What is counted, as a person reads it behind the number.
    pub text: &'static str,
    /// How many there are.
    pub count: u64,
}

/// What an export has written.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// Counts, `voxels` first.
    pub figures: Vec<Figure>,
    /// The target, and after it what was written beside it.
    pub files: Vec<PathBuf>,
    /// Bytes of all of them.
    pub bytes: u64,
    /// What the format cannot hold and was written otherwise, one line each.
    pub warnings: Vec<String>,
}

/// Why nothing was exported.
#[derive(thiserror::Error, Debug)]
pub enum ExportError {
    /// No writer for this extension.
    #[error("{}: not a format that can be exported; known are {}", file.display(), known())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The file is there, and is to be kept.
    #[error("{}: the file exists already; --force replaces it", file.display())]
    Exists {
        /// The target, or what would be written beside it.
        file: PathBuf,
    },
    /// What is there is no file.
    #[error("{}: it is a folder or a device, and cannot be replaced", file.display())]
    NotAFile {
        /// What is there.
        file: PathBuf,
    },
    /// Another export is writing the same target.
    #[error("{}: another export is writing it", file.display())]
    Busy {
        /// The target.
        file: PathBuf,
    },
    /// The file cannot be written.
    #[error("{}: {source}", file.display())]
    Write {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: io::Error,
    },
    /// The world is not one that the format can hold.
    #[error("{}: {reason}", file.display())]
    Unfit {
        /// The target.
        file: PathBuf,
        /// What is too much.
        reason: String,
    },
    /// Whoever was told of the progress wanted no more of it.
    #[error("{}: the export was cancelled", file.display())]
    Cancelled {
        /// The target.
        file: PathBuf,
    },
}

/// Why a writer stopped, before the target's name is known.
#[derive(Debug)]
pub(super) enum Stop {
    Write(io::Error),
    Unfit(String),
    Cancelled,
    /// An error that names its file already.
    Named(ExportError),
}

impl From<io::Error> for Stop {
    fn from(error: io::Error) -> Stop {
        Stop::Write(error)
    }
}

impl From<Flaw> for Stop {
    fn from(flaw: Flaw) -> Stop {
        if flaw.cancelled { Stop::Cancelled } else { Stop::Unfit(format!("{}: {}", flaw.place, flaw.reason)) }
    }
}

impl From<sponge::WriteError> for Stop {
    fn from(error: sponge::WriteError) -> Stop {
        match error {
            sponge::WriteError::Io(error) => Stop::Write(error),
            sponge::WriteError::Cancelled => Stop::Cancelled,
            unfit => Stop::Unfit(unfit.to_string()),
        }
    }
}

impl Stop {
    fn of(self, file: &Path) -> ExportError {
        let file = file.to_owned();
        match self {
            Stop::Write(source) => ExportError::Write { file, source },
            Stop::Unfit(reason) => ExportError::Unfit { file, reason },
            Stop::Cancelled => ExportError::Cancelled { file },
            Stop::Named(error) => error,
        }
    }
}

/// What a writer gives back: counts of its own, and warnings.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(super) struct Written {
    pub(super) figures: Vec<Figure>,
    pub(super) warnings: Vec<String>,
}

/// Writes one format.
type Exporter = fn(&Scene, &mut Output, &mut Progress) -> Result<Written, Stop>;

/// Extension (lower case), name of the format, writer.
const FORMATS: &[(&str, &str, Exporter)] = &[
    ("vox", "MagicaVoxel", |scene, output, progress| output.main(|out| vox::write(scene, progress, out))),
    ("glb", "glTF", |scene, output, progress| output.main(|out| meshes::glb::write(scene, progress, out))),
    ("obj", "Wavefront", meshes::obj::write),
    ("schem", "Sponge schematic", schematic),
];

fn schematic(scene: &Scene, output: &mut Output, progress: &mut Progress) -> Result<Written, Stop> {
    output.main(|out| {
        sponge::write(&scene.world, &scene.materials, scene.bounds, progress, out)?;
        let most = model::MOST_VOXELS;
        let warning = || format!("Stonerun itself imports schematics of at most {most} blocks");
        let warnings = (scene.bounds.volume() > most as u64).then(warning).into_iter().collect();
        Ok(Written { warnings, ..Written::default() })
    })
}

fn known() -> String {
    let list: Vec<_> = FORMATS.iter().map(|(extension, name, _)| format!(".{extension} ({name})")).collect();
    list.join(", ")
}

/// An export that has begun: the target can be written, and nothing is there that must be kept.
#[derive(Debug)]
pub struct Export {
    exporter: Exporter,
    output: Output,
}

impl Export {
    /// Begins to export to `target`; its extension, in any case, says which format it is. With `force` a file that is there
    /// is replaced in the end.
    ///
    /// # Errors
    /// The extension is unknown, the target exists (without `force`, or as what is no file), another export is writing it,
    /// or its folder cannot be written.
    pub fn begin(target: &Path, force: bool) -> Result<Export, ExportError> {
        let extension = target.extension().unwrap_or_default().to_string_lossy().to_lowercase();
        let Some((.., exporter)) = FORMATS.iter().find(|(known, ..)| *known == extension) else {
            return Err(ExportError::UnknownFormat { file: target.to_owned() });
        };
        Ok(Export { exporter: *exporter, output: Output::new(target, force)? })
    }

    /// Writes `scene`. Where this fails the target is as it was.
    ///
    /// # Errors
    /// The scene does not fit into the format, or a file cannot be written; or it was cancelled.
    pub fn write(mut self, scene: &Scene, progress: &mut Progress) -> Result<Exported, ExportError> {
        let written = (self.exporter)(scene, &mut self.output, progress);
        let Written { mut figures, warnings } = written.map_err(|stop| stop.of(self.output.target()))?;
        figures.insert(0, Figure { name: "voxels", text: "voxels", count: scene.voxels });
        let (files, bytes) = self.output.finish()?;
        Ok(Exported { figures, files, bytes, warnings })
    }
}

/// The material of a voxel; a plain white one where the table has none, as it is drawn.
pub(super) fn material_of(materials: &MaterialTable, id: MaterialId) -> Material {
    materials.get(id).cloned().unwrap_or_else(|| Material::plain(&format!("unknown_material_{id}"), [255; 3]))
}

#[cfg(test)]
mod tests;
