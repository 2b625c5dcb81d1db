//! Worlds from other programs' files, and into them ([`export`]).
//!
//! One folder per format, chosen by the file's extension; a folder is a Minecraft world. Every importer makes
//! the same thing: chunks of a world with its middle near x = z = 0, and a material table that begins with the game's
//! own. It puts each chunk away as soon as it is made ([`chunks`]): into a map ([`into_map()`]), whose size only the disk limits, or
//! into memory ([`import`]). A model stands with its lowest voxel at y = 0; a world, whose heights mean something, keeps them. Only
//! chunks that hold matter are made: a map of an import has the terrain kind `void`, which fills whatever was
//! never saved with air.
//!
//! Files come from anywhere, so an importer checks sizes before it allocates, and says in one line which
//! file is bad, where in it and why. Where a part of many is bad, the rest is imported, and the same line is
//! a warning.

mod anvil;
mod begin;
mod chunks;
mod classic;
pub mod export;
mod gather;
pub mod heightmap;
mod into_map;
mod luanti;
mod meshes;
mod minecraft;
mod model;
mod read;
pub mod schematic;
mod vox;

pub use into_map::{IntoMapError, Made, into_map};

use self::chunks::{Summary, Target, in_memory};
use crate::voxel::{Box3, MaterialTable};
use crate::world::World;
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

/// What came out of a file.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The chunks that hold matter.
    pub world: World,
    /// The game's own materials, and after them the file's.
    pub materials: MaterialTable,
    /// The smallest box that holds all voxels that are not air.
    pub bounds: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Chunks that the other program has not finished making, which are left out.
    pub unfinished: u64,
    /// What was left out because it is damaged, one line each; empty if all is there.
    pub warnings: Vec<String>,
}

/// Why a file could not be imported.
#[derive(thiserror::Error, Debug)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {source}", file.display())]
    Read {
        /// The file.
        file: PathBuf,
        /// What the system says.
        source: std::io::Error,
    },
    /// No importer for this extension.
    #[error("{}: not a format that can be imported; known are {}", file.display(), known())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
    },
    /// The file is not what its extension says, is cut off, or asks for too much.
    #[error("{}: {place}: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Where in the file: a byte, a chunk, a node of its scene graph.
        place: String,
        /// What is wrong there.
        reason: String,
    },
    /// Whoever was told of the progress wanted no more of it.
    #[error("{}: the import was cancelled", file.display())]
    Cancelled {
        /// The file.
        file: PathBuf,
    },
}

/// Is told how much of an import is done, from 0 to 1; says whether to go on, or to end with [`ImportError::Cancelled`].
pub type Progress<'a> = dyn FnMut(f32) -> ControlFlow<()> + 'a;

/// The [`Progress`] of who does not want to know.
pub fn go_on(_: f32) -> ControlFlow<()> {
    ControlFlow::Continue(())
}

/// Something wrong inside a file, before the file's name is known.
#[derive(PartialEq, Eq, Debug)]
struct Flaw {
    place: String,
    reason: String,
    /// Nothing is wrong: the import was cancelled.
    cancelled: bool,
}

impl Flaw {
    fn new(place: impl Into<String>, reason: impl Into<String>) -> Flaw {
        Flaw { place: place.into(), reason: reason.into(), cancelled: false }
    }

    fn cancelled() -> Flaw {
        Flaw { place: String::new(), reason: String::new(), cancelled: true }
    }

    fn of(self, file: &Path) -> ImportError {
        let file = file.to_owned();
        match self.cancelled {
            true => ImportError::Cancelled { file },
            false => ImportError::Malformed { file, place: self.place, reason: self.reason },
        }
    }
}

/// Tells of the progress; an error if the import is to end.
fn report(progress: &mut Progress, done: f32) -> Result<(), Flaw> {
    match progress(done) {
        ControlFlow::Continue(()) => Ok(()),
        ControlFlow::Break(()) => Err(Flaw::cancelled()),
    }
}

/// Reads one format.
type Importer = fn(&Path, Target, &mut Progress) -> Result<Summary, ImportError>;

/// Extension (lower case), name of the format, importer.
const FORMATS: &[(&str, &str, Importer)] = &[
    ("vox", "MagicaVoxel", vox::import),
    ("mca", "Minecraft region", anvil::import),
    ("schem", "Sponge schematic", schematic::import),
    ("schematic", "MCEdit schematic", schematic::import),
    ("litematic", "Litematica schematic", schematic::import),
    ("mcr", "Minecraft Beta region", anvil::import),
    ("cw", "ClassicWorld", classic::import_cw),
    ("mclevel", "Minecraft Indev", classic::import_mclevel),
    ("mts", "Luanti schematic", luanti::import),
    ("png", "heights as a grey picture", heightmap::import),
    ("r16", "raw heights", heightmap::import),
    ("hgt", "SRTM heights", heightmap::import),
    ("tif", "GeoTIFF heights", heightmap::import),
    ("tiff", "GeoTIFF heights", heightmap::import),
];

/// The formats that can be imported: each one's name and its extensions, with their dots. Beside these, folders: Minecraft worlds.
#[must_use]
pub fn formats() -> Vec<(&'static str, Vec<String>)> {
    let named = FORMATS.chunk_by(|(_, a, _), (_, b, _)| a == b);
    named.map(|same| (same[0].1, same.iter().map(|(extension, ..)| format!(".{extension}")).collect())).collect()
}

/// True if `path` is called as a file that can be imported is.
#[must_use]
pub fn is_known(path: &Path) -> bool {
    importer(path).is_some()
}

fn importer(path: &Path) -> Option<Importer> {
    let extension = path.extension()?.to_string_lossy().to_lowercase();
    FORMATS.iter().find(|(known, ..)| *known == extension).map(|(.., importer)| *importer)
}

fn known() -> String {
    let list: Vec<_> = FORMATS.iter().map(|(extension, name, _)| format!(".{extension} ({name})")).collect();
    format!("{}, and folders (Minecraft world)", list.join(", "))
}

/// Imports `path` into memory; its extension, in any case, says which format it is, and a folder is a Minecraft world.
///
/// # Errors
/// The extension is unknown, the file cannot be read, its content is malformed, its chunks take more than 2 GiB, or it was
/// cancelled.
pub fn import(path: &Path, progress: &mut Progress) -> Result<Imported, ImportError> {
    in_memory(|target| import_to(path, target, progress))
}

/// The same to any target, without a limit of its own.
fn import_to(path: &Path, target: Target, progress: &mut Progress) -> Result<Summary, ImportError> {
    if path.is_dir() {
        return anvil::import(path, target, progress);
    }
    match importer(path) {
        Some(importer) => importer(path, target, progress),
        None => Err(match path.metadata() {
            Ok(_) => ImportError::UnknownFormat { file: path.to_owned() },
            Err(source) => ImportError::Read { file: path.to_owned(), source },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn unknown_extensions_list_the_known_ones() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["model.obj", "model", "vox"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "something").expect("a file");
            let error = import(&path, &mut go_on).unwrap_err().to_string();
            assert_eq!(error, format!("{}: not a format that can be imported; known are {}", path.display(), known()));
            assert!(FORMATS.iter().all(|(known, ..)| error.contains(&format!(".{known} ("))), "{error}");
        }
    }

    #[test]
    fn heights_are_read_by_their_own_readers() {
        for (extension, name, _) in FORMATS {
            assert_eq!(
                heightmap::is_one(Path::new(&format!("a.{extension}"))),
                name.contains("heights"),
                "{extension}"
            );
        }
    }

    #[test]
    fn a_file_that_is_not_there() {
        for name in ["no/such.VOX", "no/such.thing", "no/such"] {
            let error = import(Path::new(name), &mut go_on).unwrap_err();
            assert!(matches!(error, ImportError::Read { .. }), "{error}");
            assert!(error.to_string().starts_with(&format!("{name}: ")), "{error}");
        }
    }
}
