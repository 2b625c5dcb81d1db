//! An open map: reading, saving, compaction and baked visibility.
//!
//! [`MapFile`] is the interface. Each operation is a function that takes the state of an open map
//! (`state.rs`), in a file of its own.

pub(super) mod baked;
mod compact;
mod file_check;
pub(super) mod idle_compaction;
pub(super) mod map_changes;
pub(super) mod map_file;
mod open;
mod reader;
mod shared;
pub(super) mod state;
mod transaction;

pub use baked::BakedView;
pub use compact::CompactReport;
pub use map_changes::{MapChanges, SaveReport};
pub use map_file::{MapFile, OpenedMap};
pub use reader::MapReader;
