//! The named regions of a map, and their changes by a save.

use crate::save::format::record_error::RecordError;
use std::sync::Arc;

/// A named region of a map.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedRegion {
    /// Number of the region's row.
    pub number: u64,
    /// The name, in the form that `clean_name` returns.
    pub name: String,
    /// Size of the encoded region in bytes.
    pub bytes: u64,
}

/// The named regions of a map.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedRegions {
    /// The sound regions, sorted by their names in lower case.
    pub regions: Vec<SavedRegion>,
    /// Numbers of the regions with bad records, and the error of each.
    pub bad: Vec<(u64, RecordError)>,
}

/// Replacement or deletion of a named region.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionChange {
    /// The name, in the form that `clean_name` returns. Its case does not matter.
    pub name: String,
    /// The encoded region; `None` deletes it.
    pub bytes: Option<Arc<[u8]>>,
}

impl RegionChange {
    /// True if this changes the region `name`, in upper or lower case.
    #[must_use]
    pub(crate) fn is_of(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }
}
