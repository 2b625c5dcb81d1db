//! One writer a map: a lock file beside it, held with the operating system's own file lock.
//!
//! SQLite keeps two writers from tearing the file, but not two games from overwriting each other's chunks.
//! The lock is on a file of its own, because a lock on the map itself would meet SQLite's. The system drops
//! it when the process ends, however it ends, so a crash never leaves a map locked.

use super::error::SaveError;
use super::schema::beside;
use std::fs::{File, Metadata, OpenOptions, TryLockError};
use std::path::{Path, PathBuf};

/// Which file it is, whatever it is called. Windows has no such number here, and needs none: it moves and deletes no file that is
/// open.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FileId(u64, u64);

impl FileId {
    /// That of the file called `path` now.
    pub(super) fn of(path: &Path) -> std::io::Result<FileId> {
        std::fs::metadata(path).map(|m| FileId::from(&m))
    }

    /// True if both lie on one disk.
    pub(super) fn is_beside(self, other: FileId) -> bool {
        self.0 == other.0
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
    /// The lock lasts as long as it is open.
    file: File,
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
            if is_same_file(&file, &path) {
                return Ok(MapLock { file, path });
            }
        }
    }
}

/// True if the open `file` is the one that is called `path`. Where files have no numbers it is taken to be.
pub(crate) fn is_same_file(file: &File, path: &Path) -> bool {
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

impl MapLock {
    /// Locks the map again if somebody took the lock's file away: another game would not meet it any more.
    pub(super) fn renew(&mut self, map: &Path) -> Result<(), SaveError> {
        if !is_same_file(&self.file, &self.path) {
            *self = MapLock::take(map)?;
        }
        Ok(())
    }
}

impl Drop for MapLock {
    fn drop(&mut self) {
        // While still locked: see `is_same_file`. A lock file that stays does no harm; another's must stay.
        if cfg!(unix) && is_same_file(&self.file, &self.path) {
            let _ = std::fs::remove_file(&self.path);
        }
    }
}
