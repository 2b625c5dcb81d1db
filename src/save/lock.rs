//! One writer a map: a lock file beside it, held with the operating system's own file lock.
//!
//! SQLite keeps two writers from tearing the file, but not two games from overwriting each other's chunks.
//! The lock is on a file of its own, because a lock on the map itself would meet SQLite's. The system drops
//! it when the process ends, however it ends, so a crash never leaves a map locked.

use super::error::SaveError;
use super::schema::beside;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Held while a map is open for writing.
#[derive(Debug)]
pub(super) struct MapLock {
    /// Never read: the lock lasts as long as it is open.
    _file: File,
    path: PathBuf,
}

impl MapLock {
    /// Locks the map at `map`, which need not exist yet.
    pub(super) fn take(map: &Path) -> Result<MapLock, SaveError> {
        let path = beside(map, "-lock");
        loop {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(SaveError::io(map, "create the lock file beside it"))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => return Err(SaveError::InUse { path: map.to_owned() }),
                Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(SaveError::io(&path, "lock")(e)),
            }
            // Between opening and locking, the last owner may have removed the file; then what is locked is
            // a file nobody else will ever look at.
            if is_still_there(&file, &path) {
                return Ok(MapLock { _file: file, path });
            }
        }
    }
}

#[cfg(unix)]
fn is_still_there(file: &File, path: &Path) -> bool {
    use std::os::unix::fs::MetadataExt;
    let same = |a: &std::fs::Metadata, b: &std::fs::Metadata| (a.dev(), a.ino()) == (b.dev(), b.ino());
    matches!((file.metadata(), std::fs::metadata(path)), (Ok(a), Ok(b)) if same(&a, &b))
}

/// Elsewhere the lock file is never removed, so it cannot have been.
#[cfg(not(unix))]
fn is_still_there(_: &File, _: &Path) -> bool {
    true
}

impl Drop for MapLock {
    fn drop(&mut self) {
        // While still locked: see `is_still_there`. A lock file that stays does no harm.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
