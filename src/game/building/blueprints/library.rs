//! The files in the folder of blueprints.

use std::ffi::OsStr;
use std::fs;
use std::hash::{DefaultHasher, Hash, Hasher};
use std::io;
use std::path::{Path, PathBuf};
use std::time::UNIX_EPOCH;
use stonerun_engine::save::{BLUEPRINT_EXTENSION, catalogue};
use stonerun_exchange::{ImportFormat, SourceContent};

/// Maximum number of files that are listed.
const MAX_FILES: usize = 1000;

/// A file of the library.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BlueprintFile {
    /// Path of the file.
    pub path: PathBuf,
    /// Name of the file without the extension.
    pub name: String,
    /// Extension of the file, in lower case.
    pub extension: String,
    /// Size of the file in bytes.
    pub bytes: u64,
    /// Time of the last change of the file, in seconds since 1970 UTC; 0 if not known.
    pub changed_unix: u64,
    /// Version of the content, as a key for caches. Changes even when the file is written twice in
    /// one second.
    pub version: u64,
}

/// The folder of blueprints: `blueprints` in the folder of the maps. The first blueprint creates
/// it.
#[must_use]
pub fn folder() -> PathBuf {
    catalogue::maps_folder().0.join("blueprints")
}

/// True if `path` has the extension of a file that can be pasted: our own, or another program's
/// model.
#[must_use]
pub fn is_blueprint(path: &Path) -> bool {
    extension(path).is_some_and(|extension| extension == BLUEPRINT_EXTENSION)
        || ImportFormat::for_extension(path)
            .is_some_and(|format| format.content == SourceContent::Model)
}

/// The files of a folder that can be pasted, newest first, at most 1,000. A missing folder counts
/// as empty.
///
/// # Errors
/// The folder cannot be read.
pub fn list(folder: &Path) -> io::Result<Vec<BlueprintFile>> {
    let entries = match fs::read_dir(folder) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
        entries => entries?,
    };
    let mut files: Vec<BlueprintFile> =
        entries.filter_map(|entry| file(entry.ok()?.path())).collect();
    files.sort_by(|a, b| b.changed_unix.cmp(&a.changed_unix).then_with(|| a.name.cmp(&b.name)));
    files.truncate(MAX_FILES);
    Ok(files)
}

/// Copies a file into the folder, under a free name. Returns the copy; the file itself if it lies
/// in the folder already.
///
/// # Errors
/// The folder cannot be created, or the file cannot be copied.
pub fn add(folder: &Path, file: &Path) -> io::Result<PathBuf> {
    fs::create_dir_all(folder)?;
    if file.parent().is_some_and(|parent| parent == folder) {
        return Ok(file.to_owned());
    }
    let stem = file.file_stem().unwrap_or(OsStr::new("blueprint")).to_string_lossy();
    let extension = extension(file).unwrap_or_default();
    let named = |number: u32| match number {
        1 => folder.join(format!("{stem}.{extension}")),
        number => folder.join(format!("{stem} {number}.{extension}")),
    };
    // The fallback is never used: a folder cannot hold this many files of one name.
    let target = (1..u32::MAX).map(named).find(|path| !path.exists()).unwrap_or_else(|| named(1));
    fs::copy(file, &target)?;
    Ok(target)
}

fn extension(path: &Path) -> Option<String> {
    Some(path.extension()?.to_string_lossy().to_lowercase())
}

fn file(path: PathBuf) -> Option<BlueprintFile> {
    if !is_blueprint(&path) {
        return None;
    }
    let metadata = path.metadata().ok().filter(fs::Metadata::is_file)?;
    let modified = metadata.modified().ok();
    let changed = modified.and_then(|time| time.duration_since(UNIX_EPOCH).ok());
    let mut hasher = DefaultHasher::new();
    (modified, metadata.len()).hash(&mut hasher);
    Some(BlueprintFile {
        name: path.file_stem()?.to_string_lossy().into_owned(),
        extension: extension(&path)?,
        bytes: metadata.len(),
        changed_unix: changed.map_or(0, |since| since.as_secs()),
        version: hasher.finish(),
        path,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn library_lists_models_and_adds_files_under_free_names() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("blueprints");
        assert_eq!(list(&folder).unwrap(), []);
        let source = root.path().join("tower.SCHEM");
        fs::write(&source, "abc").unwrap();
        let names = |folder: &Path| {
            let mut names: Vec<String> =
                list(folder).unwrap().into_iter().map(|file| file.name).collect();
            names.sort();
            names
        };
        let first = add(&folder, &source).unwrap();
        let second = add(&folder, &source).unwrap();
        assert_eq!(names(&folder), ["tower", "tower 2"]);
        assert_eq!(add(&folder, &second).unwrap(), second, "a file of the library is not copied");
        assert_eq!(fs::read(&first).unwrap(), b"abc");
        fs::write(folder.join("notes.txt"), "").unwrap();
        fs::create_dir(folder.join("house.vox")).unwrap();
        assert_eq!(names(&folder), ["tower", "tower 2"], "neither other files nor folders");
        let files = list(&folder).unwrap();
        assert!(
            files
                .iter()
                .all(|file| file.bytes == 3 && file.extension == "schem" && file.changed_unix > 0)
        );
    }
}
