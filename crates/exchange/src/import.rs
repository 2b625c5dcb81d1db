//! The known import formats, and import into memory.

use super::chunk_store::{ImportSummary, ImportTarget, Imported, in_memory};
use super::error::ImportError;
use super::progress::Progress;
use super::{anvil, classic, heightmap, luanti, schematic, vox};
use std::path::Path;

/// Imports one format.
type Importer = fn(&Path, ImportTarget, &mut Progress) -> Result<ImportSummary, ImportError>;

/// Extension (lower case), name of the format, importer.
const FORMATS: &[(&str, &str, Importer)] = &[
    ("vox", "MagicaVoxel", vox::import),
    ("mca", "Minecraft region", anvil::import),
    ("schem", "Sponge schematic", schematic::import),
    ("schematic", "MCEdit schematic", schematic::import),
    ("litematic", "Litematica schematic", schematic::import),
    ("mcr", "Minecraft Beta region", anvil::import),
    ("cw", "ClassiCube", classic::import_cw),
    ("mclevel", "Minecraft Indev", classic::import_mclevel),
    ("lvl", "MCGalaxy", classic::import_lvl),
    ("mcstructure", "Minecraft Bedrock structure", schematic::import_mcstructure),
    ("mts", "Luanti schematic", luanti::import),
    ("png", "heights as a grey picture", heightmap::import),
    ("r16", "raw heights", heightmap::import),
    ("hgt", "SRTM heights", heightmap::import),
    ("tif", "GeoTIFF heights", heightmap::import),
    ("tiff", "GeoTIFF heights", heightmap::import),
];

/// A format that can be imported.
pub struct ImportFormat {
    /// Name of the program or of the format.
    pub name: &'static str,
    /// Extensions of its files, with their dots.
    pub extensions: Vec<String>,
}

/// The formats that can be imported. Folders, which are Minecraft worlds, are not listed.
#[must_use]
pub fn formats() -> Vec<ImportFormat> {
    let format = |rows: &[(&str, &'static str, Importer)]| ImportFormat {
        name: rows[0].1,
        extensions: rows.iter().map(|(extension, ..)| format!(".{extension}")).collect(),
    };
    FORMATS.chunk_by(|(_, a, _), (_, b, _)| a == b).map(format).collect()
}

/// True if the extension of `path` is that of a known format, in any case.
#[must_use]
pub fn is_importable(path: &Path) -> bool {
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

/// Imports `path` into memory.
///
/// The extension, in any case, decides the format; a folder is a Minecraft world. The example of
/// the [module](super) imports a heightmap.
///
/// # Errors
/// The extension is unknown, the file cannot be read, its content is malformed, its chunks need
/// more than 2 GiB, or `progress` cancels.
pub fn import(path: &Path, progress: &mut Progress) -> Result<Imported, ImportError> {
    in_memory(|target| import_to(path, target, progress))
}

/// Imports `path` to any target, without a limit of its own.
pub(super) fn import_to(
    path: &Path,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    if path.is_dir() {
        return anvil::import(path, target, progress);
    }
    match importer(path) {
        Some(importer) => importer(path, target, progress),
        None => Err(match path.metadata() {
            Ok(_) => ImportError::UnknownFormat { file: path.to_owned(), known: known() },
            Err(source) => ImportError::Read { file: path.to_owned(), source },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ignore_progress;

    #[test]
    fn import_of_unknown_extension_lists_known_formats() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["model.obj", "model", "vox"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "something").expect("a file");
            let error = import(&path, &mut ignore_progress).unwrap_err().to_string();
            assert_eq!(error, format!("{}: unknown format; supported: {}", path.display(), known()));
            assert!(FORMATS.iter().all(|(known, ..)| error.contains(&format!(".{known} ("))), "{error}");
        }
    }

    #[test]
    fn heightmap_extensions_match_the_format_list() {
        for (extension, name, _) in FORMATS {
            assert_eq!(
                heightmap::is_heightmap(Path::new(&format!("a.{extension}"))),
                name.contains("heights"),
                "{extension}"
            );
        }
    }

    #[test]
    fn import_of_missing_file_is_a_read_error() {
        for name in ["no/such.VOX", "no/such.thing", "no/such"] {
            let error = import(Path::new(name), &mut ignore_progress).unwrap_err();
            assert!(matches!(error, ImportError::Read { .. }), "{error}");
            assert!(error.to_string().starts_with(&format!("{name}: ")), "{error}");
        }
    }
}
