//! Named regions that the map's file may not have yet.

use super::region_task::RegionTaskError;
use super::suggestions::similar;
use crate::save::{MapReader, RegionChange, SaveError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Most changes that can be taken back, and most bytes of what they have replaced. The last one can
/// always be taken back.
const MOST_STEPS: usize = 100;
const MOST_BYTES: usize = 64 << 20;

/// Named regions that were saved or deleted since the map was opened.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedRegions {
    /// What the map's file may not have yet, by the name in lower case.
    changed: BTreeMap<String, RegionChange>,
    /// What the regions were before the last changes, the latest last.
    before: Vec<RegionChange>,
    /// What the changes made that were taken back, the latest last.
    taken_back: Vec<RegionChange>,
}

/// The named regions of a map.
pub(super) struct RegionNames {
    /// Names and numbers of bytes, sorted by the names in lower case.
    pub sound: Vec<(String, usize)>,
    /// A line for each damaged region.
    pub damaged: Vec<String>,
}

impl RegionNames {
    /// True if there is a region with a name.
    pub fn contains(&self, name: &str) -> bool {
        self.sound.iter().any(|(other, _)| other.to_lowercase() == name.to_lowercase())
    }
}

impl NamedRegions {
    /// Saves a region, or deletes it if there are no bytes. Returns what the next save must write.
    pub fn change(
        &mut self,
        name: String,
        bytes: Option<Arc<[u8]>>,
        map: &MapReader,
    ) -> Result<RegionChange, RegionTaskError> {
        let change = RegionChange { name, bytes };
        let before = self.state(&change.name, map)?;
        self.before.push(before);
        let bytes = |change: &RegionChange| change.bytes.as_ref().map_or(0, |bytes| bytes.len());
        let mut sum: usize = self.before.iter().map(bytes).sum();
        while self.before.len() > 1 && (self.before.len() > MOST_STEPS || sum > MOST_BYTES) {
            sum -= bytes(&self.before.remove(0));
        }
        self.taken_back.clear();
        Ok(self.note(change))
    }

    /// Takes the last change back. Returns what the next save must write, or nothing if there is
    /// no change.
    pub fn undo(&mut self, map: &MapReader) -> Result<Option<RegionChange>, RegionTaskError> {
        let Some(change) = self.before.last().cloned() else { return Ok(None) };
        self.taken_back.push(self.state(&change.name, map)?);
        self.before.pop();
        Ok(Some(self.note(change)))
    }

    /// Makes the change again that was taken back last.
    pub fn redo(&mut self, map: &MapReader) -> Result<Option<RegionChange>, RegionTaskError> {
        let Some(change) = self.taken_back.last().cloned() else { return Ok(None) };
        self.before.push(self.state(&change.name, map)?);
        self.taken_back.pop();
        Ok(Some(self.note(change)))
    }

    fn note(&mut self, change: RegionChange) -> RegionChange {
        self.changed.insert(change.name.to_lowercase(), change.clone());
        change
    }

    /// A region as it is: the change that would bring it back. A damaged one cannot be brought
    /// back, and counts as none.
    fn state(&self, name: &str, map: &MapReader) -> Result<RegionChange, RegionTaskError> {
        let names = self.names(map)?;
        let found = names.sound.iter().find(|(other, _)| other.to_lowercase() == name.to_lowercase());
        Ok(match found {
            Some((name, _)) => RegionChange { name: name.clone(), bytes: Some(self.bytes(name, map)?) },
            None => RegionChange { name: name.to_owned(), bytes: None },
        })
    }

    /// Names of all regions, in the map's file and since it was written.
    pub fn names(&self, map: &MapReader) -> Result<RegionNames, SaveError> {
        let saved = map.regions()?;
        let saved_names = saved.regions.into_iter().map(|region| (region.name, Some(region.bytes as usize)));
        let changed =
            self.changed.values().map(|change| (change.name.clone(), change.bytes.as_ref().map(|bytes| bytes.len())));
        let all: BTreeMap<String, (String, Option<usize>)> =
            saved_names.chain(changed).map(|(name, bytes)| (name.to_lowercase(), (name, bytes))).collect();
        let sound = all.into_values().filter_map(|(name, bytes)| Some((name, bytes?))).collect();
        let damaged = saved.bad.into_iter().map(|(number, reason)| format!("region {number} is damaged: {reason}"));
        Ok(RegionNames { sound, damaged: damaged.collect() })
    }

    /// The bytes of a region.
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

    /// The error for a name that no region has.
    pub fn missing(&self, name: &str, map: &MapReader) -> Result<RegionTaskError, SaveError> {
        let names: Vec<String> = self.names(map)?.sound.iter().map(|(name, _)| name.to_lowercase()).collect();
        let similar = similar(name, names.iter().map(String::as_str));
        Ok(RegionTaskError::Missing { name: name.to_owned(), similar })
    }
}
