//! Named regions that the map's file may not have yet.

use super::region_task::RegionTaskError;
use super::suggestions::similar;
use crate::save::{MapReader, RegionChange, SaveError};
use std::collections::BTreeMap;
use std::sync::Arc;

/// Named regions that were saved or deleted since the map was opened: its file may not have them
/// yet. By the name in lower case.
#[derive(Clone, Debug, Default)]
pub(super) struct NamedRegions(BTreeMap<String, RegionChange>);

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
    /// Notes a change that the map's file does not have yet.
    pub fn note(&mut self, name: String, bytes: Option<Arc<[u8]>>) -> RegionChange {
        let (key, change) = (name.to_lowercase(), RegionChange { name, bytes });
        self.0.insert(key, change.clone());
        change
    }

    /// Names of all regions, in the map's file and since it was written.
    pub fn names(&self, map: &MapReader) -> Result<RegionNames, SaveError> {
        let saved = map.regions()?;
        let saved_names = saved.regions.into_iter().map(|region| (region.name, Some(region.bytes as usize)));
        let changed =
            self.0.values().map(|change| (change.name.clone(), change.bytes.as_ref().map(|bytes| bytes.len())));
        let all: BTreeMap<String, (String, Option<usize>)> =
            saved_names.chain(changed).map(|(name, bytes)| (name.to_lowercase(), (name, bytes))).collect();
        let sound = all.into_values().filter_map(|(name, bytes)| Some((name, bytes?))).collect();
        let damaged = saved.bad.into_iter().map(|(number, reason)| format!("region {number} is damaged: {reason}"));
        Ok(RegionNames { sound, damaged: damaged.collect() })
    }

    /// The bytes of a region.
    pub fn bytes(&self, name: &str, map: &MapReader) -> Result<Arc<[u8]>, RegionTaskError> {
        let found = match self.0.get(&name.to_lowercase()) {
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
