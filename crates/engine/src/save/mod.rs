//! The map file: everything a player made, in one SQLite file, `saves/NAME.stonerun`.
//!
//! Each of three layers detects its own damage:
//!
//! 1. A chunk is [byte-RLE](crate::codec::byte_rle), with LZ4 where that is smaller.
//! 2. Every chunk, material and header is a *record* in a frame with kind, key and checksum
//!    (`format/frame.rs`).
//! 3. The records are rows of SQLite tables (`format/schema.rs`), and a save is one transaction
//!    (`map/transaction.rs`).
//!
//! SQLite makes a save atomic, the frames tell damaged records from sound ones, and the digest
//! detects missing records (`format/digest.rs`). If SQLite cannot read a file,
//! `recovery/salvage.rs` finds the sound records without it, and `recovery/rebuild.rs` builds a new
//! map from them and keeps the damaged file. Baked visibility is deleted when it becomes wrong and
//! baked again (`map/baked`).
//!
//! - [`MapFile`] is an open map, [`MapReader`] loads its chunks on other threads, and [`MapWriter`]
//!   saves it on a thread.
//! - [`catalogue`] lists, renames and deletes the maps of a folder, [`backup`] their backups.
//! - [`MapBuilder`] writes a new map that gets its name when it is complete.
//! - [`verify`] and [`repair`] serve the command line.
//! - [`TimeOfDay`] is the map's clock.
//! - [`Blueprint`] is a file of copied voxels.
//! - [`read_text_file`] reads a text file up to a size, [`WatchedTextFile`] whenever it changes.
//!
//! Sources: the Roblox text ("Disk format") for the bytes of a chunk, sqlite.org for SQLite's file
//! format. `docs/map-format.md` specifies the file.

pub mod autosave;
mod blueprint;
mod check;
mod error;
mod format;
mod library;
mod map;
mod reason;
mod recovery;
mod text_file;
mod time_of_day;

pub use blueprint::{BLUEPRINT_EXTENSION, Blueprint, BlueprintChunk, BlueprintError};
pub use check::{BadRecord, Damage, RepairReport, StructureError, VerifyReport, repair, verify};
pub use error::{Refusal, SaveError};
pub use format::{
    AwakeChunk, ChunkCodec, EncodedChunk, EncodedSizes, FrameError, Header, HistoryError, MAX_REGION_BYTES,
    MAX_RULES_BYTES, MAX_STEP_BYTES, NamedPlace, PlaceError, Places, RecordError, RecordKind, SavedAwake, SavedPlayer,
    SavedRules, StepBody, StepHeader, encoded_sizes, places, sqlite_version,
};
pub use library::is_same_file;
pub use library::{MapBuilder, backup, catalogue};
pub use map::{
    BakedView, CloseReport, CodecTotals, CompactReport, HistoryChange, MapChanges, MapFile, MapReader, MapWriter,
    OpenedMap, RegionChange, SaveReport, SavedHistory, SavedRegion, SavedRegions, SavedStep, TableBytes, Totals,
    UnsavedStep, unix_now,
};
pub use reason::io_reason;
pub use text_file::{WatchedTextFile, read_text_file};
pub use time_of_day::{TimeError, TimeOfDay};

#[cfg(test)]
mod tests;
