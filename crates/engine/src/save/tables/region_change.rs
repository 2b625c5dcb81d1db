//! The named regions that a map holds, and their changes by a save.

use crate::save::format::record_error::RecordError;
use std::sync::Arc;

/// A named region that a map holds.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SavedRegion {
    /// Number of the region's row.
    pub number: u64,
    /// The name, as `clean_name` returns it.
    pub name: String,
    /// Bytes of the region.
    pub bytes: u64,
}

/// The named regions that a map holds.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct SavedRegions {
    /// The sound regions, sorted by their names in lower case.
    pub regions: Vec<SavedRegion>,
    /// Numbers of the regions with bad records, and the defects.
    pub bad: Vec<(u64, RecordError)>,
}

/// Saves a named region, or deletes it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RegionChange {
    /// The name, as `clean_name` returns it. Case does not
    /// distinguish names.
    pub name: String,
    /// The region as bytes; `None` deletes it.
    pub bytes: Option<Arc<[u8]>>,
}

impl RegionChange {
    /// True if this changes the region `name`.
    #[must_use]
    pub(crate) fn is_of(&self, name: &str) -> bool {
        self.name.to_lowercase() == name.to_lowercase()
    }
}
