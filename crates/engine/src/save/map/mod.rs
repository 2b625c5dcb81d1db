//! An open map: reading, saving, and what a save keeps next to the chunks.
//!
//! [`MapFile`] is the interface. Each operation is a function over a connection, or over the state
//! of an open map (`state.rs`), in a file of its own.

pub(super) mod baked;
mod compact;
pub(super) mod connection;
mod file_check;
mod history_change;
pub(super) mod history_rows;
mod idle_compaction;
pub(super) mod index;
pub(super) mod map_file;
mod open;
mod reader;
mod region_change;
pub(super) mod region_rows;
pub(super) mod rows;
mod shared;
pub(super) mod state;
mod table_sizes;
mod transaction;
pub(super) mod types;
mod writer_thread;

pub use baked::BakedView;
pub use compact::CompactReport;
pub use history_change::{HistoryChange, SavedHistory, SavedStep, UnsavedStep};
pub use map_file::{MapFile, OpenedMap};
pub use reader::MapReader;
pub use region_change::{RegionChange, SavedRegion, SavedRegions};
pub use table_sizes::TableBytes;
pub use types::{CodecTotals, MapChanges, SaveReport, Totals, unix_now};
pub use writer_thread::{CloseReport, MapWriter};
