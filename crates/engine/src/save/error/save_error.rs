//! The error of operations on maps.

use super::damage::Damage;
use super::reason::{io_reason, sqlite_words};
use super::refusal::Refusal;
use super::structure_error::StructureError;
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::VERSION;
use crate::voxel::ChunkPos;
use std::path::{Path, PathBuf};

/// Reason why an operation on a map file failed.
#[derive(thiserror::Error, Debug)]
pub enum SaveError {
    /// The file does not exist.
    #[error("{}: there is no such map", path.display())]
    NotFound {
        /// Path of the map.
        path: PathBuf,
    },
    /// The file of a new map already exists.
    #[error("{}: the file exists already", path.display())]
    Exists {
        /// Path of the file.
        path: PathBuf,
    },
    /// A new map would get the backups that another map of this name left.
    #[error("{}: the map is gone, but backups of it exist; restore or delete them on the title screen, or choose another name", path.display())]
    BackupsLeft {
        /// Path of the map that the backups belong to.
        path: PathBuf,
    },
    /// Another program, or another part of this one, has the map open for writing.
    #[error("{} is open in another program", path.display())]
    InUse {
        /// Path of the map.
        path: PathBuf,
    },
    /// The file is not a map, or no record in it is readable.
    #[error("{}: not a Stonerun map, or nothing in it is readable: {reason}", path.display())]
    NotAMap {
        /// Path of the file.
        path: PathBuf,
        /// Defect of the file.
        reason: StructureError,
    },
    /// A backup that is to be used is damaged.
    #[error("{}: the backup is damaged: {damage}", path.display())]
    DamagedBackup {
        /// Path of the backup.
        path: PathBuf,
        /// Damage found in the backup.
        damage: Box<Damage>,
    },
    /// A new backup differs from the map that it copies.
    #[error("{}: the backup that was just made differs from the map; the disk may be failing", path.display())]
    BackupDiffers {
        /// Path of the backup.
        path: PathBuf,
    },
    /// The map was written by a later version of the program.
    #[error("{}: the map's format {found} is newer than this program's, {VERSION}", path.display())]
    TooNew {
        /// Path of the map.
        path: PathBuf,
        /// Format version of the map.
        found: u32,
    },
    /// The record of one chunk is bad. Other chunks are not affected.
    #[error("{}: chunk {pos}: {reason}", path.display())]
    BadChunk {
        /// Path of the map.
        path: PathBuf,
        /// Position of the chunk.
        pos: ChunkPos,
        /// Defect of the chunk's record.
        reason: RecordError,
    },
    /// The baked visibility of one chunk is bad. The chunk itself is not affected.
    #[error("{}: visibility of chunk {pos}: {reason}; `stonerun verify --repair {}` deletes it", path.display(), path.display())]
    BadVisibility {
        /// Path of the map.
        path: PathBuf,
        /// Position of the chunk.
        pos: ChunkPos,
        /// Defect of the record of the chunk's visibility.
        reason: RecordError,
    },
    /// The record of an undo step is bad. The chunks are not affected.
    #[error("{}: undo step {number}: {reason}", path.display())]
    BadStep {
        /// Path of the map.
        path: PathBuf,
        /// Number of the step.
        number: u64,
        /// Defect of the step's record.
        reason: RecordError,
    },
    /// The file of an open map is gone.
    #[error("{}: cannot save: the map's file was moved or deleted; put it back, or the next save writes the whole map again", path.display())]
    Gone {
        /// Path of the map.
        path: PathBuf,
    },
    /// The folder of an open map is gone, or the disk with that folder.
    #[error("{}: cannot save: the map's folder or disk is gone; saving resumes when it is back", path.display())]
    FolderGone {
        /// Path of the map.
        path: PathBuf,
    },
    /// The name of an open map now belongs to another file.
    #[error("{}: cannot save: another file has taken the map's name; saving resumes when it is moved away", path.display())]
    Replaced {
        /// Path of the map.
        path: PathBuf,
    },
    /// The operating system reported an error.
    #[error("{}: cannot {doing}: {}", path.display(), io_reason(source))]
    Io {
        /// The file or folder.
        path: PathBuf,
        /// The attempt, as a verb phrase.
        doing: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// SQLite reported an error: the disk is full, or the file is locked or cannot be written.
    #[error("{}: cannot {doing}: {}", path.display(), sqlite_words(source))]
    Sqlite {
        /// Path of the file.
        path: PathBuf,
        /// The attempt, as a verb phrase.
        doing: &'static str,
        /// SQLite's reason.
        source: rusqlite::Error,
    },
    /// The map is open for reading only, so it cannot be written.
    #[error("{}: the map is open for reading only", path.display())]
    ReadOnly {
        /// Path of the map.
        path: PathBuf,
    },
    /// The changes exceed a limit of the format or do not fit this map.
    #[error("{}: cannot save: {reason}", path.display())]
    Refused {
        /// Path of the map.
        path: PathBuf,
        /// Reason of the refusal.
        reason: Refusal,
    },
    /// The map was damaged and has been repaired, but the operation was not carried out.
    #[error("{}: the map was damaged and has been repaired; try again: {damage}", path.display())]
    Repaired {
        /// Path of the map.
        path: PathBuf,
        /// Damage that was repaired, and what was lost.
        damage: Box<Damage>,
    },
    /// A reader was used after its map had been closed.
    #[error("{}: the map is closed", path.display())]
    Closed {
        /// Path of the map.
        path: PathBuf,
    },
    /// The name is not valid for a map.
    #[error("\"{name}\" is not a valid map name: {reason}")]
    Name {
        /// The name, shortened if it is long.
        name: String,
        /// Reason why the name is not valid.
        reason: &'static str,
    },
}

impl SaveError {
    /// Converts an error of the operating system at `path` while `doing`, for `map_err`.
    pub(in crate::save) fn io(
        path: &Path,
        doing: &'static str,
    ) -> impl FnOnce(std::io::Error) -> SaveError {
        let path = path.to_owned();
        move |source| SaveError::Io { path, doing, source }
    }

    /// Converts an error of SQLite at `path` while `doing`, for `map_err`.
    pub(in crate::save) fn sqlite(
        path: &Path,
        doing: &'static str,
    ) -> impl FnOnce(rusqlite::Error) -> SaveError {
        let path = path.to_owned();
        move |source| SaveError::Sqlite { path, doing, source }
    }

    /// Creates the error of changes that the map at `path` cannot take.
    pub(in crate::save) fn refused(path: &Path, reason: Refusal) -> SaveError {
        SaveError::Refused { path: path.to_owned(), reason }
    }
}
