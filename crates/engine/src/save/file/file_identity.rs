//! Identity of an open file, to notice when its name leads elsewhere.
//!
//! A file that is deleted or moved while it is open lives on without its name, and SQLite would
//! keep saving into it: every save would succeed and be lost. So an open map remembers which files
//! it consists of; `map/file_check.rs` compares before and after each save.

use super::companion_files::with_suffix;
use crate::save::error::SaveError;
use std::fs::{File, Metadata};
use std::io::{self, ErrorKind};
use std::path::Path;

/// Disk and inode of a file, the same under all its names.
///
/// On Windows all values are equal: the standard library offers no such number there, and the
/// system neither moves nor deletes open files.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct FileId {
    disk: u64,
    inode: u64,
}

impl FileId {
    /// The file that has the name `path`.
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

/// True if the open `file` has the name `path`. Always true on systems without file numbers, if
/// both exist.
pub fn is_same_file(file: &File, path: &Path) -> bool {
    matches!((file.metadata(), FileId::from_path(path)), (Ok(a), Ok(b)) if FileId::from(&a) == b)
}

/// The files of an open map.
#[derive(Clone, Copy, Debug)]
pub(in crate::save) struct FileIdentity {
    /// The map's file.
    pub file: FileId,
    /// The write-ahead log; `None` for a map opened for reading, or where the file system has no
    /// WAL.
    log: Option<FileId>,
    /// True if the last save found no file of the map's name.
    pub(crate) was_missing: bool,
}

/// The file behind a map's name, compared with the files that were opened.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) enum NameState {
    /// The same file and log.
    Same,
    /// The same file, but the log lost its name.
    LogMissing,
    /// The file is missing, but its folder is still there.
    Missing,
    /// The file is missing, and so is its folder on the same disk.
    FolderMissing,
    /// Another file has the name.
    Replaced,
}

impl FileIdentity {
    /// The files of the open map at `path`.
    pub(in crate::save) fn from_path(path: &Path) -> Result<FileIdentity, SaveError> {
        let file = FileId::from_path(path).map_err(SaveError::io(path, "open the map"))?;
        Ok(FileIdentity {
            file,
            log: FileId::from_path(&with_suffix(path, "-wal")).ok(),
            was_missing: false,
        })
    }

    /// Compares the files that now have the map's names.
    pub(in crate::save) fn compare(&self, path: &Path) -> Result<NameState, SaveError> {
        let log = || FileId::from_path(&with_suffix(path, "-wal")).ok();
        match FileId::from_path(path) {
            Ok(file) if file != self.file => Ok(NameState::Replaced),
            Ok(_) if self.log.is_some() && self.log != log() => Ok(NameState::LogMissing),
            Ok(_) => Ok(NameState::Same),
            Err(e) if matches!(e.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                let folder =
                    path.parent().filter(|p| !p.as_os_str().is_empty()).unwrap_or(Path::new("."));
                // If the disk is gone, the path may lead to the empty folder of its mount point,
                // which lies on another disk.
                let same_disk =
                    FileId::from_path(folder).is_ok_and(|folder| folder.disk == self.file.disk);
                Ok(if same_disk { NameState::Missing } else { NameState::FolderMissing })
            }
            Err(e) => Err(SaveError::io(path, "find the map's file")(e)),
        }
    }
}
