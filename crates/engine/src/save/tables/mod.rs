//! The tables of a map: functions that read and write rows over a connection, and the index of
//! chunks that an open map keeps in memory.
//!
//! Nothing here opens a file or depends on an open map: `recovery` uses these functions to fill a
//! new file, `map` to read and change an open map.

pub(super) mod chunk_index;
pub(super) mod history_change;
pub(super) mod history_rows;
pub(super) mod inspect;
pub(super) mod region_change;
pub(super) mod region_rows;
pub(super) mod rows;
pub(super) mod table_sizes;
pub(super) mod totals;

pub use history_change::{HistoryChange, SavedHistory, SavedStep, UnsavedStep};
pub use region_change::{RegionChange, SavedRegion, SavedRegions};
pub use table_sizes::TableBytes;
pub use totals::{CodecTotals, Totals};
