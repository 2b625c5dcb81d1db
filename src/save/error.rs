//! Why a map could not be read or written. Every message names the file, and the place in it where there is one.

use crate::voxel::ChunkPos;
use std::path::{Path, PathBuf};

/// Why something with a map file failed.
#[derive(thiserror::Error, Debug)]
pub enum SaveError {
    /// There is no such file.
    #[error("{}: there is no such map", path.display())]
    NotFound {
        /// The file.
        path: PathBuf,
    },
    /// A new map's file exists already.
    #[error("{}: the file exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// A new map would take over what is left of another.
    #[error("{}: there is no such map any more, but backups of it; restore or delete them on the title screen, or take another name", path.display())]
    BackupsLeft {
        /// The file that the backups are of.
        path: PathBuf,
    },
    /// Another game, or another part of this one, has it open for writing.
    #[error("{} is open in another program", path.display())]
    InUse {
        /// The file.
        path: PathBuf,
    },
    /// The file is not a map, or nothing of one is left in it.
    #[error("{}: not a Stonerun map, or nothing of one is left: {reason}", path.display())]
    NotAMap {
        /// The file.
        path: PathBuf,
        /// What was found instead.
        reason: String,
    },
    /// The map was written by a later version of the program.
    #[error("{}: the map's format {found} is newer than this program's, {}", path.display(), super::schema::VERSION)]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Its format.
        found: u32,
    },
    /// The record of one chunk is bad; the others are not touched by that.
    #[error("{}: chunk {pos}: {reason}", path.display())]
    BadChunk {
        /// The file.
        path: PathBuf,
        /// The chunk.
        pos: ChunkPos,
        /// What is wrong with its record.
        reason: String,
    },
    /// The file of a map that is open is not there any more.
    #[error("{}: cannot save: the map's file was moved or deleted; put it back, or the next save writes the whole map anew there", path.display())]
    Gone {
        /// The file.
        path: PathBuf,
    },
    /// The folder of a map that is open is not there any more, or another disk's is.
    #[error("{}: cannot save: the map's file is gone with its folder or disk; saving goes on when it is back", path.display())]
    FolderGone {
        /// The file.
        path: PathBuf,
    },
    /// Another file has the name of a map that is open.
    #[error("{}: cannot save: another file has taken the map's place; move that away, and saving goes on", path.display())]
    Replaced {
        /// The file.
        path: PathBuf,
    },
    /// The operating system refused.
    #[error("{}: cannot {doing}: {}", path.display(), told(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        doing: &'static str,
        /// Its reason.
        source: std::io::Error,
    },
    /// SQLite refused: the disk is full, the file is locked or cannot be written.
    #[error("{}: cannot {doing}: {}", path.display(), reason(source))]
    Sqlite {
        /// The file.
        path: PathBuf,
        /// What was tried, as a verb phrase.
        doing: &'static str,
        /// Its reason.
        source: rusqlite::Error,
    },
    /// A map opened for reading only was to be written.
    #[error("{}: the map is open for reading only", path.display())]
    ReadOnly {
        /// The file.
        path: PathBuf,
    },
    /// What was to be saved does not fit the format or this map.
    #[error("{}: cannot save: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// What does not fit.
        reason: String,
    },
    /// The map was found to be damaged, and has been mended; what was asked for is not done.
    #[error("{}: it was damaged and has been mended now: {damage}", path.display())]
    Repaired {
        /// The file.
        path: PathBuf,
        /// What is lost, in one line.
        damage: String,
    },
    /// The map was closed while something still wanted to read it.
    #[error("{}: the map is closed", path.display())]
    Closed {
        /// The file.
        path: PathBuf,
    },
    /// A name that cannot be a map's.
    #[error("{name:?} cannot be a map's name: {reason}")]
    Name {
        /// The name.
        name: String,
        /// Why not.
        reason: &'static str,
    },
}

impl SaveError {
    /// For `map_err`: an error of the operating system at `path` while `doing`.
    pub(super) fn io(path: &Path, doing: &'static str) -> impl FnOnce(std::io::Error) -> SaveError {
        let path = path.to_owned();
        move |source| SaveError::Io { path, doing, source }
    }

    /// For `map_err`: an error of SQLite at `path` while `doing`.
    pub(super) fn sqlite(path: &Path, doing: &'static str) -> impl FnOnce(rusqlite::Error) -> SaveError {
        let path = path.to_owned();
        move |source| SaveError::Sqlite { path, doing, source }
    }
}

const FULL: &str = "the disk is full";

/// What the operating system says, and in our words where it is a thing that players can do something about.
fn told(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::StorageFull | std::io::ErrorKind::QuotaExceeded => FULL.to_owned(),
        _ => error.to_string(),
    }
}

/// Why SQLite refused, in words for a player: its own are of databases.
fn reason(error: &rusqlite::Error) -> String {
    use rusqlite::ErrorCode as Code;
    use rusqlite::ffi;
    let code = error.sqlite_extended_error_code().unwrap_or_default();
    let why = match error.sqlite_error_code() {
        Some(Code::DiskFull) => return FULL.to_owned(),
        Some(Code::DatabaseBusy | Code::DatabaseLocked) => "another program is using it",
        Some(Code::CannotOpen) => "it, or a file beside it, cannot be opened or made",
        Some(Code::ReadOnly) => "it may not be written",
        Some(Code::SystemIoFailure) => match code {
            ffi::SQLITE_IOERR_READ | ffi::SQLITE_IOERR_SHORT_READ => "the disk could not be read",
            ffi::SQLITE_IOERR_FSYNC | ffi::SQLITE_IOERR_DIR_FSYNC => "the disk did not confirm what was written",
            ffi::SQLITE_IOERR_SHMSIZE => "the disk has no room for a file beside it",
            ffi::SQLITE_IOERR_DELETE => "a file beside it could not be deleted",
            _ => "the disk could not be written",
        },
        _ => return error.to_string(),
    };
    format!("{why} (SQLite's error {code})")
}
