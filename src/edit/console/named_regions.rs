//! Named regions: saved in the map, and selected again.

use super::job::ConsoleTask;
use super::state::Console;
use super::suggestions::similar;
use crate::edit::region::{Region, RegionBytesError};
use crate::edit::selection::{Selection, SelectionError};
use crate::save::{MAX_REGION_BYTES, MapReader, RegionChange, SaveError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most named regions of a map.
const MOST: usize = 1024;

/// Named regions that were saved or deleted since the map was opened: its file may not have them
/// yet. By the name in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedRegions(BTreeMap<String, RegionChange>);

/// A command about named regions, which needs the map.
#[derive(Clone, PartialEq, Debug)]
pub enum RegionTask {
    /// Saves a region under a name.
    Save(String, Region),
    /// Selects a named region.
    Load(String),
    /// Deletes a named region.
    Delete(String),
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
    /// The region's bytes have no meaning.
    #[error("region {name:?}: {reason}")]
    Bytes {
        /// The name.
        name: String,
        /// What is wrong with them.
        reason: RegionBytesError,
    },
    /// The region does not fit into a record.
    #[error("the region has {0} bytes; a named region can have {MAX_REGION_BYTES}")]
    TooLarge(usize),
    /// The map has as many regions as it can have.
    #[error("the map has {MOST} named regions, the most it can have")]
    Full,
    /// The region cannot be selected.
    #[error(transparent)]
    Selection(#[from] SelectionError),
}

fn hint(similar: &str) -> String {
    if similar.is_empty() { "; //region list lists them".to_owned() } else { format!("; did you mean {similar}?") }
}

impl RegionTask {
    /// True if it changes the map.
    #[must_use]
    pub fn changes_map(&self) -> bool {
        matches!(self, RegionTask::Save(..) | RegionTask::Delete(_))
    }

    /// Carries out the command. Returns the answer, and a change that the next save must write.
    ///
    /// # Errors
    /// There is no such region, it is damaged or too large, or the map cannot be read. Nothing has
    /// changed.
    pub fn run(
        self,
        console: &mut Console,
        map: &MapReader,
    ) -> Result<(String, Option<RegionChange>), RegionTaskError> {
        match self {
            RegionTask::Save(name, region) => {
                let (bytes, names) = (region.to_bytes(), console.regions.names(map)?.0);
                let is_new = !names.iter().any(|(other, _)| other.to_lowercase() == name.to_lowercase());
                if is_new && names.len() >= MOST {
                    return Err(RegionTaskError::Full);
                }
                if bytes.len() > MAX_REGION_BYTES {
                    return Err(RegionTaskError::TooLarge(bytes.len()));
                }
                let answer = format!("region {name:?} {}", if is_new { "saved" } else { "replaced" });
                Ok((answer, Some(console.regions.note(name, Some(bytes.into())))))
            }
            RegionTask::Load(name) => {
                let bytes = console.regions.bytes(&name, map)?;
                let region = Region::from_bytes(&bytes).map_err(|reason| RegionTaskError::Bytes { name, reason })?;
                console.set_selection(Selection::from_region(region));
                console.note_selection();
                Ok((format!("selected: {}", console.selection().description()?), None))
            }
            RegionTask::Delete(name) => {
                console.regions.require(&name, map)?;
                Ok((format!("region {name:?} deleted"), Some(console.regions.note(name, None))))
            }
            RegionTask::List => {
                let (names, damaged) = console.regions.names(map)?;
                let mut lines: Vec<String> =
                    names.iter().map(|(name, bytes)| format!("{name}: {bytes} bytes")).collect();
                if lines.is_empty() {
                    lines.push("the map has no named regions".to_owned());
                }
                lines.extend(damaged);
                Ok((lines.join("\n"), None))
            }
        }
    }
}

impl From<RegionTask> for ConsoleTask {
    fn from(task: RegionTask) -> ConsoleTask {
        ConsoleTask::Region(task)
    }
}

impl NamedRegions {
    /// Notes a change that the map's file does not have yet.
    fn note(&mut self, name: String, bytes: Option<Arc<[u8]>>) -> RegionChange {
        let (key, change) = (name.to_lowercase(), RegionChange { name, bytes });
        self.0.insert(key, change.clone());
        change
    }

    /// Names and bytes of all regions, sorted, and a line for each damaged one.
    fn names(&self, map: &MapReader) -> Result<(Vec<(String, usize)>, Vec<String>), SaveError> {
        let saved = map.regions()?;
        let saved_names = saved.regions.into_iter().map(|region| (region.name, Some(region.bytes as usize)));
        let changed =
            self.0.values().map(|change| (change.name.clone(), change.bytes.as_ref().map(|bytes| bytes.len())));
        let all: BTreeMap<String, (String, Option<usize>)> =
            saved_names.chain(changed).map(|(name, bytes)| (name.to_lowercase(), (name, bytes))).collect();
        let names = all.into_values().filter_map(|(name, bytes)| Some((name, bytes?))).collect();
        let damaged = saved.bad.into_iter().map(|(number, reason)| format!("region {number} is damaged: {reason}"));
        Ok((names, damaged.collect()))
    }

    /// The bytes of a region.
    fn bytes(&self, name: &str, map: &MapReader) -> Result<Arc<[u8]>, RegionTaskError> {
        let found = match self.0.get(&name.to_lowercase()) {
            Some(change) => change.bytes.clone(),
            None => map.region(name)?.map(Arc::from),
        };
        match found {
            Some(bytes) => Ok(bytes),
            None => Err(self.missing(name, map)?),
        }
    }

    /// Checks that there is a region with a name.
    fn require(&self, name: &str, map: &MapReader) -> Result<(), RegionTaskError> {
        let names = self.names(map)?.0;
        match names.iter().any(|(other, _)| other.to_lowercase() == name.to_lowercase()) {
            true => Ok(()),
            false => Err(self.missing(name, map)?),
        }
    }

    fn missing(&self, name: &str, map: &MapReader) -> Result<RegionTaskError, SaveError> {
        let names: Vec<String> = self.names(map)?.0.iter().map(|(name, _)| name.to_lowercase()).collect();
        let similar = similar(name, names.iter().map(String::as_str));
        Ok(RegionTaskError::Missing { name: name.to_owned(), similar })
    }
}
