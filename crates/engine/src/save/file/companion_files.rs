//! Files next to a map: SQLite's logs, and a map that is being rebuilt.

use std::fs;
use std::path::{Path, PathBuf};

/// Suffix of a map's new file while it is being rebuilt.
pub(in crate::save) const REBUILDING: &str = ".rebuilding";
/// Suffixes of SQLite's files next to a map: the logs, and the index of the write-ahead log.
const LOGS: [&str; 3] = ["-wal", "-shm", "-journal"];

/// Appends `suffix` to the file name of `path`.
pub(in crate::save) fn with_suffix(path: &Path, suffix: &str) -> PathBuf {
    let mut name = path.as_os_str().to_owned();
    name.push(suffix);
    PathBuf::from(name)
}

/// Returns the file that the link `path` leads to, or `path` itself if it is no link. Lock, logs
/// and backups of a map are next to its file, not next to a link to it.
pub(in crate::save) fn follow_link(path: &Path) -> PathBuf {
    let target = path.is_symlink().then(|| path.canonicalize().ok()).flatten();
    target.unwrap_or_else(|| path.to_owned())
}

/// Removes the logs next to `path` after its map is gone. They have no use without their map, and
/// SQLite would apply them to another map with that name. Usually no log exists.
pub(in crate::save) fn remove_logs(path: &Path) {
    for suffix in LOGS {
        let _ = fs::remove_file(with_suffix(path, suffix));
    }
}

/// Returns the size in bytes of the write-ahead log next to the map. The log is part of the map.
pub(in crate::save) fn log_bytes(path: &Path) -> u64 {
    fs::metadata(with_suffix(path, "-wal")).map_or(0, |m| m.len())
}

/// True if the map has a write-ahead log that is not empty.
pub(in crate::save) fn has_log(path: &Path) -> bool {
    log_bytes(path) > 0
}
