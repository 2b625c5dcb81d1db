//! The changes that one save writes, and the report of the save.

use crate::save::format::awake_record::SavedAwake;
use crate::save::format::header::Header;
use crate::save::format::places::Places;
use crate::save::format::saved_rules::SavedRules;
use crate::save::tables::history_change::HistoryChange;
use crate::save::tables::region_change::RegionChange;
use crate::save::tables::totals::Totals;
use crate::voxel::{ChunkPos, MaterialTable};
use crate::world::Chunk;
use rustc_hash::FxHashMap;
use std::time::Duration;

/// The changes that one save writes.
#[derive(Clone, Debug)]
pub struct MapChanges {
    /// Exactly the chunks that changed since the last save.
    pub chunks: Vec<(ChunkPos, Chunk)>,
    /// Current header.
    pub header: Header,
    /// Current material table: the map's own, possibly with more materials at its end. The save
    /// replaces the records of materials whose surface differs, and ignores other differences.
    pub materials: MaterialTable,
    /// Picture for the title screen, PNG, at most 4 MiB; `None` keeps the map's picture.
    pub picture: Option<Vec<u8>>,
    /// Change of the undo history; `None` keeps the map's history.
    pub history: Option<HistoryChange>,
    /// All named places; `None` keeps the map's places.
    pub places: Option<Places>,
    /// The map's own rules, and the number of the next rule step; `None` keeps the map's record.
    pub rules: Option<SavedRules>,
    /// All creatures in their own encoding; `None` keeps the map's creatures.
    pub creatures: Option<Vec<u8>>,
    /// The awake blocks; `None` keeps the map's record.
    pub awake: Option<SavedAwake>,
    /// Changes of named regions, applied in order; all other regions stay as they are.
    pub regions: Vec<RegionChange>,
}

impl MapChanges {
    /// Creates changes of chunks, header and materials; everything else stays as it is in the map.
    #[must_use]
    pub fn new(
        chunks: Vec<(ChunkPos, Chunk)>,
        header: Header,
        materials: MaterialTable,
    ) -> MapChanges {
        MapChanges {
            chunks,
            header,
            materials,
            picture: None,
            history: None,
            places: None,
            rules: None,
            creatures: None,
            awake: None,
            regions: Vec::new(),
        }
    }

    /// Merges `earlier` changes, which could not be saved, into these. Of each chunk the later form
    /// is kept.
    #[must_use]
    pub fn merged_after(mut self, earlier: MapChanges) -> MapChanges {
        let mut chunks: FxHashMap<ChunkPos, Chunk> = earlier.chunks.into_iter().collect();
        chunks.extend(std::mem::take(&mut self.chunks));
        self.chunks = chunks.into_iter().collect();
        self.picture = self.picture.or(earlier.picture);
        self.places = self.places.or(earlier.places);
        self.rules = self.rules.or(earlier.rules);
        self.creatures = self.creatures.or(earlier.creatures);
        self.awake = self.awake.or(earlier.awake);
        let mut regions = earlier.regions;
        regions.retain(|earlier| !self.regions.iter().any(|later| later.is_of(&earlier.name)));
        regions.append(&mut self.regions);
        self.regions = regions;
        self.history = match (self.history, earlier.history) {
            (Some(later), Some(earlier)) => Some(later.merged_after(earlier)),
            (later, earlier) => later.or(earlier),
        };
        self
    }
}

/// Result of a save.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SaveReport {
    /// Number of the save; the first is 1.
    pub revision: u32,
    /// Number of chunk records written.
    pub chunks_written: usize,
    /// Size of the chunk records written, in bytes.
    pub bytes_written: u64,
    /// Time from the call until the data were safe on the disk.
    pub took: Duration,
    /// Totals of the map after the save.
    pub totals: Totals,
    /// True if the map's file was missing, so the whole map was written to a new one.
    pub recreated: bool,
}
