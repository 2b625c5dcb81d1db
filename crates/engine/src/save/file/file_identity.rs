//! Identity of an open file, to detect that its name now belongs to another file.
//!
//! A file that is deleted or moved while it is open continues to exist without its name, and SQLite
//! would keep saving into it: every save would succeed and be lost. So an open map remembers which
//! files it consists of, and `map/file_check.rs` compares them before and after each save.

use super::companion_files::with_suffix;
use crate::save::error::SaveError;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Device and inode of a file, equal for all its names.
///
/// On Windows all values are equal: the standard library gives no such number there, and the system
/// neither moves nor deletes open files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct FileId {
    disk: u64,
    inode: u64,
}

impl FileId {
    /// Returns the id of the file with the name `path`.
    pub(in crate::save) fn from_path(path: &Path) -> io::Result<FileId> {
        std::fs::metadata(path).map(|m| FileId::from(&m))
    }
}

impl From<&Metadata> for FileId {
    #[cfg(unix)]
    fn from(m: &Metadata) -> FileId {
        use std::os::unix::fs::MetadataExt;
        FileId { disk: m.dev(), inode: m.ino() }
    }

    #[cfg(not(unix))]
    fn from(_: &Metadata) -> FileId {
        FileId { disk: 0, inode: 0 }
    }
}

/// True if `path` is a name of the open `file`. On systems without inodes, true if both exist.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    matches!((file.metadata(), FileId::from_path(path)), (Ok(a), Ok(b)) if FileId::from(&a) == b)
}

/// Identities of the files of an open map.
#[derive(Clone, Copy, Debug)]
pub(in crate::save) struct FileIdentity {
    /// The map's file.
    pub file: FileId,
    /// The write-ahead log; `None` for a map opened for reading, or where the file system has no
    /// WAL.
    log: Option<FileId>,
    /// True if the last check found no file with the map's name.
    pub(crate) was_missing: bool,
}

/// Result of comparing the files that now have the map's names with the open files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) enum NameState {
    /// The names belong to the open file and its log.
    Same,
    /// The file is in place, but the name of its log is gone or belongs to another file.
    LogMissing,
    /// The file is gone, but its folder still exists on the same disk.
    Missing,
    /// The file is gone, and its folder is gone, too, or now on another disk.
    FolderMissing,
    /// The name belongs to another file.
    Replaced,
}

impl FileIdentity {
    /// Records the files of the open map at `path`.
    pub(in crate::save) fn from_path(path: &Path) -> Result<FileIdentity, SaveError> {
        let file = FileId::from_path(path).map_err(SaveError::io(path, "open the map"))?;
        Ok(FileIdentity {
            file,
            log: FileId::from_path(&with_suffix(path, "-wal")).ok(),
            was_missing: false,
        })
    }

    /// Compares the files that now have the map's names with the recorded files.
    pub(in crate::save) fn compare(&self, path: &Path) -> Result<NameState, SaveError> {
        let log = || FileId::from_path(&with_suffix(path, "-wal")).ok();
        match FileId::from_path(path) {
            Ok(file) if file != self.file => Ok(NameState::Replaced),
            Ok(_) if self.log.is_some() && self.log != log() => Ok(NameState::LogMissing),
            Ok(_) => Ok(NameState::Same),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                let folder =
                    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                // Without its disk, the path may lead to the empty folder of the mount point, which
                // is on another disk.
                let same_disk =
                    FileId::from_path(folder).is_ok_and(|folder| folder.disk == self.file.disk);
                Ok(if same_disk { NameState::Missing } else { NameState::FolderMissing })
            }
            Err(e) => Err(SaveError::io(path, "find the map's file")(e)),
        }
    }
}
