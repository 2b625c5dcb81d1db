//! Changes of named regions that the map file may not contain yet, and their undo history.

use super::region_task::RegionTaskError;
use super::suggestions::similar;
use crate::save::{MapReader, RegionChange, SaveError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Maximum number of changes that can be undone.
const MAX_UNDO_STEPS: usize = 100;
/// Maximum total bytes of the regions stored for undo. The last change can be undone even if its
/// region alone is larger.
const MAX_UNDO_BYTES: usize = 64 << 20;

/// Changes of named regions since the map was opened.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedRegions {
    /// Changes that may not be in the map file yet, by lower-case name.
    changed: BTreeMap<String, RegionChange>,
    /// Changes that undo earlier changes, the latest last.
    undo_steps: Vec<RegionChange>,
    /// Changes that redo undone changes, the latest last.
    redo_steps: Vec<RegionChange>,
}

/// The named regions of a map.
pub(super) struct RegionNames {
    /// Names and sizes in bytes of intact regions, sorted by lower-case name.
    pub sound: Vec<(String, usize)>,
    /// One line of text for each damaged region.
    pub damaged: Vec<String>,
}

/// Bytes of region data that a change holds in memory.
fn byte_count(change: &RegionChange) -> usize {
    change.bytes.as_ref().map_or(0, |bytes| bytes.len())
}

impl RegionNames {
    /// True if there is an intact region with this name, ignoring case.
    pub fn contains(&self, name: &str) -> bool {
        self.sound.iter().any(|(other, _)| other.to_lowercase() == name.to_lowercase())
    }
}

impl NamedRegions {
    /// Saves a region, or deletes it if `bytes` is `None`. Returns the change that the next save
    /// must write.
    pub fn change(
        &mut self,
        name: String,
        bytes: Option<Arc<[u8]>>,
        map: &MapReader,
    ) -> Result<RegionChange, RegionTaskError> {
        let change = RegionChange { name, bytes };
        let before = self.state(&change.name, map)?;
        self.undo_steps.push(before);
        let mut sum: usize = self.undo_steps.iter().map(byte_count).sum();
        while self.undo_steps.len() > 1
            && (self.undo_steps.len() > MAX_UNDO_STEPS || sum > MAX_UNDO_BYTES)
        {
            sum -= byte_count(&self.undo_steps.remove(0));
        }
        self.redo_steps.clear();
        Ok(self.note(change))
    }

    /// Undoes the last change. Returns the change that the next save must write; `None` if there is
    /// nothing to undo.
    pub fn undo(&mut self, map: &MapReader) -> Result<Option<RegionChange>, RegionTaskError> {
        let Some(change) = self.undo_steps.last().cloned() else { return Ok(None) };
        self.redo_steps.push(self.state(&change.name, map)?);
        self.undo_steps.pop();
        Ok(Some(self.note(change)))
    }

    /// Redoes the last undone change. Returns the change that the next save must write; `None` if
    /// there is nothing to redo.
    pub fn redo(&mut self, map: &MapReader) -> Result<Option<RegionChange>, RegionTaskError> {
        let Some(change) = self.redo_steps.last().cloned() else { return Ok(None) };
        self.undo_steps.push(self.state(&change.name, map)?);
        self.redo_steps.pop();
        Ok(Some(self.note(change)))
    }

    fn note(&mut self, change: RegionChange) -> RegionChange {
        self.changed.insert(change.name.to_lowercase(), change.clone());
        change
    }

    /// Change that would restore the current state of a region. A damaged region counts as missing,
    /// because it cannot be restored.
    fn state(&self, name: &str, map: &MapReader) -> Result<RegionChange, RegionTaskError> {
        let names = self.names(map)?;
        let found =
            names.sound.iter().find(|(other, _)| other.to_lowercase() == name.to_lowercase());
        Ok(match found {
            Some((name, _)) => {
                RegionChange { name: name.clone(), bytes: Some(self.bytes(name, map)?) }
            }
            None => RegionChange { name: name.to_owned(), bytes: None },
        })
    }

    /// Names of all regions: those in the map file, with the changes since the last save applied.
    pub fn names(&self, map: &MapReader) -> Result<RegionNames, SaveError> {
        let saved = map.regions()?;
        let saved_names =
            saved.regions.into_iter().map(|region| (region.name, Some(region.bytes as usize)));
        let changed = self
            .changed
            .values()
            .map(|change| (change.name.clone(), change.bytes.as_ref().map(|bytes| bytes.len())));
        let all: BTreeMap<String, (String, Option<usize>)> = saved_names
            .chain(changed)
            .map(|(name, bytes)| (name.to_lowercase(), (name, bytes)))
            .collect();
        let sound = all.into_values().filter_map(|(name, bytes)| Some((name, bytes?))).collect();
        let damaged = saved
            .bad
            .into_iter()
            .map(|(number, reason)| format!("region {number} is damaged: {reason}"));
        Ok(RegionNames { sound, damaged: damaged.collect() })
    }

    /// Encoded bytes of a region.
    pub fn bytes(&self, name: &str, map: &MapReader) -> Result<Arc<[u8]>, RegionTaskError> {
        let found = match self.changed.get(&name.to_lowercase()) {
            Some(change) => change.bytes.clone(),
            None => map.region(name)?.map(Arc::from),
        };
        match found {
            Some(bytes) => Ok(bytes),
            None => Err(self.missing(name, map)?),
        }
    }

    /// Error for a name that no region has.
    pub fn missing(&self, name: &str, map: &MapReader) -> Result<RegionTaskError, SaveError> {
        let names = self.names(map)?.sound;
        let similar = similar(name, names.iter().map(|(name, _)| name.as_str()));
        Ok(RegionTaskError::Missing { name: name.to_owned(), similar })
    }
}
