//! Tasks of commands about named regions, which the map stores.

use crate::save::{MAX_REGION_BYTES, SaveError};
use std::sync::Arc;

/// Maximum number of named regions of a map.
pub(super) const MAX_NAMED_REGIONS: usize = 1024;

/// Task about named regions, which needs the map.
#[derive(Clone, PartialEq, Debug)]
pub enum RegionTask {
    /// Saves a region, encoded as bytes, under a name.
    Save(String, Arc<[u8]>),
    /// Selects a named region.
    Load(String),
    /// Deletes a named region.
    Delete(String),
    /// Undoes the last change of a named region since the map was opened.
    Undo,
    /// Redoes the last undone change.
    Redo,
    /// Lists the named regions.
    List,
}

/// Error of a task about named regions.
#[derive(thiserror::Error, Debug)]
pub enum RegionTaskError {
    /// The map cannot be read.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// The map has no region of this name.
    #[error("there is no region {name:?}{}", hint(similar))]
    Missing {
        /// Name as it was typed.
        name: String,
        /// Similar names, separated by commas; may be empty.
        similar: String,
    },
    /// The encoded region is too large for a record; holds its size in bytes.
    #[error("the region has {0} bytes; a named region can have {MAX_REGION_BYTES}")]
    TooLarge(usize),
    /// The map already has the maximum number of named regions.
    #[error("the map has {MAX_NAMED_REGIONS} named regions, the most it can have")]
    Full,
}

fn hint(similar: &str) -> String {
    if similar.is_empty() {
        "; //region list lists them".to_owned()
    } else {
        format!("; did you mean {similar}?")
    }
}

impl RegionTask {
    /// True if the task changes the map.
    #[must_use]
    pub fn changes_map(&self) -> bool {
        !matches!(self, RegionTask::Load(_) | RegionTask::List)
    }
}
