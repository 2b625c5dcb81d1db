//! Import of files and folders into memory.

use super::chunk_store::{ImportSummary, ImportTarget, Imported, in_memory};
use super::error::ImportError;
use super::import_formats::{ImportFormat, format_list};
use super::import_options::ImportOptions;
use super::progress::Progress;
use std::path::Path;

/// Imports `path` into memory.
///
/// The extension, in any case, decides the format; a folder is a Minecraft world. The example of
/// the [module](super) imports a heightmap. To import something larger than memory, use
/// [`import_to_map()`](super::import_to_map()).
///
/// # Errors
/// The extension is unknown, the file cannot be read, its content is malformed, its chunks need
/// more than 2 GiB, or `progress` cancels.
pub fn import(path: &Path, progress: &mut Progress) -> Result<Imported, ImportError> {
    in_memory(|target| import_to(path, &ImportOptions::default(), target, progress))
}

/// Imports `path` into any target. Only the target limits the size.
///
/// # Errors
/// Returns the errors of [`import`] except its memory limit. The target may have no room.
pub(super) fn import_to(
    path: &Path,
    options: &ImportOptions,
    target: ImportTarget,
    progress: &mut Progress,
) -> Result<ImportSummary, ImportError> {
    match ImportFormat::for_path(path) {
        Some(format) => format.import(path, options, target, progress),
        None => Err(match path.metadata() {
            Ok(_) => ImportError::UnknownFormat { file: path.to_owned(), known: format_list() },
            Err(source) => ImportError::Read { file: path.to_owned(), source },
        }),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::ignore_progress;
    use crate::import_formats::formats;

    #[test]
    fn import_of_unknown_extension_lists_known_formats() {
        let folder = tempfile::tempdir().expect("a folder");
        for name in ["model.obj", "model", "vox"] {
            let path = folder.path().join(name);
            std::fs::write(&path, "something").expect("a file");
            let error = import(&path, &mut ignore_progress).unwrap_err().to_string();
            assert_eq!(
                error,
                format!("{}: unknown format; supported: {}", path.display(), format_list())
            );
            for extension in formats().iter().flat_map(|format| format.extensions) {
                assert!(error.contains(&format!(".{extension} (")), "{error}");
            }
            assert!(error.ends_with(", and folders (Minecraft world)"), "{error}");
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
