//! One writer per map: a lock file next to it, held with the operating system's file lock.
//!
//! SQLite keeps two writers from corrupting the file, but not two games from overwriting each
//! other's chunks. The lock is on a separate file, because a lock on the map itself would conflict
//! with SQLite's locks. The system releases it when the process ends in any way, so a crash never
//! leaves a map locked.

use super::companion_files::with_suffix;
use super::file_identity::is_same_file;
use crate::save::error::SaveError;
use std::fs::{File, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// The lock of a map, held while the map is open for writing.
#[derive(Debug)]
pub(in crate::save) struct MapLock {
    /// The open lock file. The lock ends when this handle is closed.
    file: File,
    path: PathBuf,
}

impl MapLock {
    /// Locks the map at `map`, which need not exist yet.
    pub(in crate::save) fn acquire(map: &Path) -> Result<MapLock, SaveError> {
        let path = with_suffix(map, "-lock");
        loop {
            let file = OpenOptions::new()
                .create(true)
                .truncate(false)
                .write(true)
                .open(&path)
                .map_err(|e| cannot_lock(map, e))?;
            match file.try_lock() {
                Ok(()) => {}
                Err(TryLockError::WouldBlock) => {
                    return Err(SaveError::InUse { path: map.to_owned() });
                }
                Err(TryLockError::Error(e)) if e.kind() == std::io::ErrorKind::Unsupported => {}
                Err(TryLockError::Error(e)) => return Err(SaveError::io(&path, "lock")(e)),
            }
            // The last owner may have removed the file between opening and locking. Then this lock
            // is on a file without a name, which no other program can see, so try again.
            if is_same_file(&file, &path) {
                return Ok(MapLock { file, path });
            }
        }
    }

    /// Locks the map again if the lock file was removed: another game could not see the old lock.
    pub(in crate::save) fn renew(&mut self, map: &Path) -> Result<(), SaveError> {
        if !is_same_file(&self.file, &self.path) {
            *self = MapLock::acquire(map)?;
        }
        Ok(())
    }
}

/// Reports that the lock file could not be created as an error of its folder, which the user knows.
fn cannot_lock(map: &Path, error: std::io::Error) -> SaveError {
    let folder = map.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return SaveError::io(folder, "find this folder")(error);
    }
    SaveError::io(map, "write to its folder, which an open map needs")(error)
}

impl Drop for MapLock {
    fn drop(&mut self) {
        // Removed while still locked, see `acquire`. A lock file that stays does no harm, but a
        // lock file of another program must not be removed.
        if cfg!(unix) && is_same_file(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
