//! The map file: everything a player made, in one SQLite file, `saves/NAME.stonerun`.
//!
//! Three layers, each of which proves itself. A chunk is [byte-RLE](crate::codec::byte_rle), with LZ4 where that is smaller. Every
//! chunk, material and header is a *record* that says what it is under a checksum (`frame.rs`). The records
//! are rows of SQLite tables (`schema.rs`), and one save is one transaction (`saving.rs`). SQLite makes a save
//! whole or nothing, the records tell damage from content, and a digest of what must be there misses what is
//! gone (`check.rs`). Where SQLite itself cannot read a file any more, the records are found without it
//! (`salvage.rs`), and the map is built anew from them beside the damaged file (`rebuild.rs`). What the cells of a chunk see is
//! kept as long as it is right, and computed anew rather than mended (`baked`).
//!
//! - [`MapFile`] is an open map, [`MapReader`] loads its chunks on other threads, and [`MapWriter`] saves it on one.
//! - [`catalogue`] is the folder of maps.
//! - [`verify`] and [`repair`] are the command line's.
//!
//! Sources: the chunk's bytes are the Roblox text's ("Disk format"); SQLite's file format is at sqlite.org.

pub mod backup;
mod baked;
pub mod catalogue;
mod check;
mod chunks;
mod compact;
mod damage;
mod error;
mod files;
mod frame;
mod history;
mod index;
mod lock;
mod making;
mod map;
mod materials;
mod pages;
mod place;
mod reader;
mod rebuild;
mod records;
mod salvage;
mod saving;
mod schema;
mod tables;
mod types;
mod verify;
mod writer;

pub use baked::BakedView;
pub use chunks::{ChunkCodec, EncodedChunk, EncodedSizes, encoded_sizes};
pub use compact::CompactReport;
pub use damage::{BadRecord, Damage};
pub use error::SaveError;
pub use history::{HistoryChange, SavedHistory};
pub(crate) use lock::is_same_file;
pub use making::MapBuilder;
pub use map::{MapFile, OpenedMap};
pub use reader::MapReader;
pub use schema::sqlite_version;
pub use tables::TableBytes;
pub use types::{CodecTotals, Header, MapChanges, SaveReport, SavedPlayer, Totals, unix_now};
pub use verify::{RepairReport, VerifyReport, repair, verify};
pub use writer::{CloseReport, MapWriter};

#[cfg(test)]
mod tests;
