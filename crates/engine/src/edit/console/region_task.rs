//! Commands about named regions: saved in the map, and selected again.

use crate::save::{MAX_REGION_BYTES, SaveError};
use std::sync::Arc;

/// Most named regions of a map.
pub(super) const MOST: usize = 1024;

/// A command about named regions, which needs the map.
#[derive(Clone, PartialEq, Debug)]
pub enum RegionTask {
    /// Saves a region, as bytes, under a name.
    Save(String, Arc<[u8]>),
    /// Selects a named region.
    Load(String),
    /// Deletes a named region.
    Delete(String),
    /// Takes back the last saving or deleting since the map was opened.
    Undo,
    /// Makes the change again that was taken back last.
    Redo,
    /// Lists the named regions.
    List,
}

/// A command about named regions cannot be carried out.
#[derive(thiserror::Error, Debug)]
pub enum RegionTaskError {
    /// The map cannot be read.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// There is no region with this name.
    #[error("there is no region {name:?}{}", hint(similar))]
    Missing {
        /// The name.
        name: String,
        /// Names like it.
        similar: String,
    },
    /// The region does not fit into a record.
    #[error("the region has {0} bytes; a named region can have {MAX_REGION_BYTES}")]
    TooLarge(usize),
    /// The map has as many regions as it can have.
    #[error("the map has {MOST} named regions, the most it can have")]
    Full,
}

fn hint(similar: &str) -> String {
    if similar.is_empty() { "; //region list lists them".to_owned() } else { format!("; did you mean {similar}?") }
}

impl RegionTask {
    /// True if it changes the map.
    #[must_use]
    pub fn changes_map(&self) -> bool {
        !matches!(self, RegionTask::Load(_) | RegionTask::List)
    }
}
