//! The map file: everything a player made, in one SQLite file, `saves/NAME.stonerun`.
//!
//! Each of three layers detects its own damage:
//!
//! 1. A chunk is [byte-RLE](crate::codec::byte_rle), with LZ4 where that is smaller, or in one of
//!    two smaller codecs (`format/chunk_record.rs`).
//! 2. Every chunk, material and header is a *record* in a frame with kind, key and checksum
//!    (`format/frame.rs`).
//! 3. The records are rows of SQLite tables (`format/schema.rs`), and a save is one transaction
//!    (`map/transaction.rs`).
//!
//! SQLite makes a save atomic, the frames tell damaged records from sound ones, and the digest
//! detects missing records (`format/digest.rs`). If SQLite cannot read a file,
//! `recovery/salvage.rs` finds the sound records without SQLite, and `recovery/rebuild.rs` builds a
//! new map from them and keeps the damaged file. Baked visibility is deleted when it becomes wrong,
//! and can be baked again (`map/baked`).
//!
//! - [`MapFile`] is an open map, [`MapReader`] loads its chunks on other threads, and [`MapWriter`]
//!   saves it on a thread.
//! - [`catalogue`] lists, renames and deletes the maps of a folder; [`backup`] makes, lists and
//!   restores their backups.
//! - [`MapBuilder`] writes a new map, which gets its name when it is complete.
//! - [`verify`] and [`repair`] check and repair a map for the command line.
//! - [`TimeOfDay`] is the map's clock.
//! - [`Blueprint`] is a file of copied voxels.
//! - [`read_text_file`] reads a text file up to a limit of size, [`WatchedTextFile`] detects
//!   changes of its text.
//!
//! The rooms, from the bottom up; each uses only rooms above it in this table:
//!
//! | room | holds |
//! |---|---|
//! | `format` | the bytes: frames, records, the definitions of the tables |
//! | `error` | the reasons why a map could not be read or written, and damage |
//! | `file` | the file on the disk: connections, lock, identity, companion files |
//! | `tables` | rows of the tables, the index of chunks, the inspection of a file |
//! | `recovery` | a new map from the sound records of a damaged file |
//! | `map` | an open map: loading, saving, compaction, baked visibility |
//! | `check` | `verify`, `repair`, comparison of two maps |
//! | `library` | the maps of a folder, their backups, new maps |
//! | `writer` | the thread that saves |
//! | `blueprint` | files of copied voxels; uses `format`, `error` and `file` alone |
//!
//! Sources: the Roblox text ("Disk format") for the bytes of a chunk, sqlite.org for SQLite's file
//! format. `docs/map-format.md` specifies the file.

pub mod autosave;
mod blueprint;
mod check;
mod error;
mod file;
mod format;
mod library;
mod map;
mod recovery;
mod tables;
mod text_file;
mod time_of_day;
mod writer;

pub use blueprint::{BLUEPRINT_EXTENSION, Blueprint, BlueprintChunk, BlueprintError};
pub use check::{RepairReport, VerifyReport, repair, verify};
pub use error::reason::io_reason;
pub use error::{BadRecord, Damage, Refusal, SaveError, StructureError};
pub use file::is_same_file;
pub(crate) use format::MAX_STEP_BYTES;
pub use format::{
    AwakeChunk, ChunkCodec, EncodedChunk, EncodedSizes, FrameError, Header, HistoryError,
    MAX_REGION_BYTES, MAX_RULES_BYTES, NamedPlace, PlaceError, Places, RecordError, RecordKind,
    SavedAwake, SavedPlayer, SavedRules, StepBody, StepHeader, encoded_sizes, places,
    sqlite_version, unix_now,
};
pub use library::{MapBuilder, backup, catalogue};
pub use map::{BakedView, CompactReport, MapChanges, MapFile, MapReader, OpenedMap, SaveReport};
pub use tables::{
    CodecTotals, HistoryChange, RegionChange, SavedHistory, SavedRegion, SavedRegions, SavedStep,
    TableBytes, Totals, UnsavedStep,
};
pub use text_file::{TextFileError, WatchedTextFile, read_text_file};
pub use time_of_day::{TimeError, TimeOfDay};
pub use writer::{CloseReport, MapWriter};

#[cfg(test)]
mod tests;
