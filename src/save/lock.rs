//! One writer a map: a lock file beside it, held with the operating system's own file lock.
//!
//! SQLite keeps two writers from tearing the file, but not two games from overwriting each other's chunks.
//! The lock is on a file of its own, because a lock on the map itself would meet SQLite's. The system drops
//! it when the process ends, however it ends, so a crash never leaves a map locked.

use super::error::SaveError;
use super::schema::beside;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Which file it is, whatever it is called: nothing to tell by where the system has no such number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId(u64, u64);

impl FileId {
    /// That of the file called `path` now.
    pub(super) fn of(path: &Path) -> std::io::Result<FileId> {
        std::fs::metadata(path).map(|m| FileId::from(&m))
    }
}

impl From<&Metadata> for FileId {
    #[cfg(unix)]
    fn from(m: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId(m.dev(), m.ino())
    }

    #[cfg(not(unix))]
    fn from(_: &Metadata) -> FileId {
        FileId(0, 0)
    }
}

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
                .map_err(|e| cannot_lock(map, e))?;
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

/// Where files have no numbers the lock file is never removed, so it cannot have been.
fn is_still_there(file: &File, path: &Path) -> bool {
    matches!((file.metadata(), FileId::of(path)), (Ok(a), Ok(b)) if FileId::from(&a) == b)
}

/// Says why the lock file could not be made in terms of what the user knows: the folder.
fn cannot_lock(map: &Path, error: std::io::Error) -> SaveError {
    let folder = map.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
    if !folder.is_dir() {
        return SaveError::io(folder, "find this folder")(error);
    }
    SaveError::io(map, "write to its folder, which an open map needs")(error)
}

impl Drop for MapLock {
    fn drop(&mut self) {
        // While still locked: see `is_still_there`. A lock file that stays does no harm.
        if cfg!(unix) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
