//! File operations of maps: companion files next to a map, and names that are given in one step,
//! never replace another file, and survive a power loss.

use crate::save::check::structure_error::StructureError;
use crate::save::error::SaveError;
use std::fs::{self, File, OpenOptions};
use std::io;
use std::path::{Path, PathBuf};

/// Suffix of a map that is being rebuilt.
pub(in crate::save) const REBUILDING: &str = ".rebuilding";
/// Suffixes of SQLite's files next to a map: the logs, and the index of the write-ahead log.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// The file `path` with `suffix` appended to its name.
pub(in crate::save) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Checks that `path` is a file.
pub(in crate::save) fn require_file(path: &Path) -> Result<(), SaveError> {
    match fs::metadata(path) {
        Ok(m) if m.is_file() => Ok(()),
        Ok(_) => Err(SaveError::NotAMap { path: path.to_owned(), reason: StructureError::NotAFile }),
        Err(e) if e.kind() == io::ErrorKind::NotFound => Err(SaveError::NotFound { path: path.to_owned() }),
        Err(e) => Err(SaveError::io(path, "open the map")(e)),
    }
}

/// Removes the logs next to `path`, where there is no map any more. Without their map they are
/// worthless, and another map of that name must not find them. Most often there are none.
pub(in crate::save) fn remove_logs(path: &Path) {
    for suffix in LOGS {
        let _ = fs::remove_file(with_suffix(path, suffix));
    }
}

/// Bytes of the write-ahead log next to the map. The log is part of the map.
pub(in crate::save) fn log_bytes(path: &Path) -> u64 {
    fs::metadata(with_suffix(path, "-wal")).map_or(0, |m| m.len())
}

/// True if there is a write-ahead log that is not empty.
pub(in crate::save) fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}

/// Removes a file, if it exists.
pub(in crate::save) fn remove_if_exists(path: &Path) -> Result<(), SaveError> {
    match fs::remove_file(path) {
        Err(e) if e.kind() != io::ErrorKind::NotFound => Err(SaveError::io(path, "remove it")(e)),
        _ => Ok(()),
    }
}

/// Gives the complete file `unfinished` the name `path`, and waits until both are on the disk.
///
/// Unlike a rename alone, this never replaces a file that appeared meanwhile, where the file system
/// has hard links.
pub(in crate::save) fn publish(unfinished: &Path, path: &Path) -> Result<(), SaveError> {
    let file = OpenOptions::new().write(true).open(unfinished);
    file.and_then(|f| f.sync_all()).map_err(SaveError::io(path, "write the map"))?;
    match fs::hard_link(unfinished, path) {
        Ok(()) => remove_if_exists(unfinished)?,
        Err(_) if path.exists() => return Err(SaveError::Exists { path: path.to_owned() }),
        // The file system has no hard links.
        Err(_) => fs::rename(unfinished, path).map_err(SaveError::io(path, "give the map its name"))?,
    }
    sync_folder(path);
    Ok(())
}

/// Makes changed names in the folder of `path` survive a power loss, where the system can do that.
pub(in crate::save) fn sync_folder(path: &Path) {
    if let Some(folder) = path.parent() {
        let folder = if folder.as_os_str().is_empty() { Path::new(".") } else { folder };
        let _ = File::open(folder).and_then(|f| f.sync_all());
    }
}
