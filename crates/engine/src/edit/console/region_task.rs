//! Tasks of commands about named regions, which are saved in the map.

use crate::save::{MAX_REGION_BYTES, SaveError};
use std::sync::Arc;

/// Maximum number of named regions of a map.
pub(super) const MAX_NAMED_REGIONS: usize = 1024;

/// Task of a command about named regions, which needs the map.
#[derive(Clone, PartialEq, Debug)]
pub enum RegionTask {
    /// Saves a region, as bytes, under a name.
    Save(String, Arc<[u8]>),
    /// Selects a named region.
    Load(String),
    /// Deletes a named region.
    Delete(String),
    /// Undoes the last change of a named region since the map was opened.
    Undo,
    /// Redoes the change that was undone last.
    Redo,
    /// Lists the named regions.
    List,
}

/// Error of a command about named regions.
#[derive(thiserror::Error, Debug)]
pub enum RegionTaskError {
    /// The map cannot be read.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// The map has no region of this name.
    #[error("there is no region {name:?}{}", hint(similar))]
    Missing {
        /// The name.
        name: String,
        /// Similar names, with commas; empty without any.
        similar: String,
    },
    /// The region does not fit into a record.
    #[error("the region has {0} bytes; a named region can have {MAX_REGION_BYTES}")]
    TooLarge(usize),
    /// The map has as many regions as it can have.
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
