//! Search for every sound record in a file that SQLite cannot read.
//!
//! Every byte of every page is tried as the beginning of a record, so no page structure needs to be
//! intact: a changed page type, a broken list of cells or a lost b-tree costs no record, and a
//! changed byte in a record costs only that record. Freed pages still hold old records, so of
//! several sound records of a chunk, the one with the highest revision counts. The digest shows
//! whether a chunk is older than its last save.

use super::page_scanner::{PageScanner, RecordLocation, candidates};
use crate::save::format::awake_record::{self, SavedAwake};
use crate::save::format::chunk_record;
use crate::save::format::digest::{Digest, chunk_hash};
use crate::save::format::frame::{self, Frame, FramedRecord, RecordKind};
use crate::save::format::header::Header;
use crate::save::format::places::Places;
use crate::save::format::record_error::RecordError;
use crate::save::format::region_record;
use crate::save::format::saved_rules::SavedRules;
use crate::save::format::schema::PAGE_SIZES;
use crate::save::format::small_records::{
    read_digest, read_header, read_material, read_places, read_rules,
};
use crate::voxel::{ChunkPos, Material, MaterialId, Voxel};
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Maximum number of bad chunks kept. More are found only in files made to exhaust memory.
const MAX_BAD_CHUNKS: usize = 100_000;

/// Maximum number of undo steps counted. More are found only in files made to exhaust memory.
const MAX_STEPS: usize = 100_000;

/// Maximum number of named regions kept. More are found only in files made to exhaust memory.
const MAX_REGIONS: usize = 100_000;

/// A salvaged value, with the revision of its record.
#[derive(Clone, Debug)]
pub(super) struct Salvaged<T> {
    pub revision: u32,
    pub value: T,
}

/// Sound records found in a file.
#[derive(Debug)]
pub(super) struct Salvage {
    /// A scanner of the file for each of [`PAGE_SIZES`].
    scanners: Vec<PageScanner>,
    pub header: Option<Salvaged<Header>>,
    pub digest: Option<Salvaged<Digest>>,
    pub picture: Option<Salvaged<Vec<u8>>>,
    pub seed_word: Option<Salvaged<Vec<u8>>>,
    pub places: Option<Salvaged<Places>>,
    pub rules: Option<Salvaged<SavedRules>>,
    pub creatures: Option<Salvaged<Vec<u8>>>,
    pub awake: Option<Salvaged<SavedAwake>>,
    /// Locations of the latest records of named regions, by name in lower case.
    pub regions: BTreeMap<String, Salvaged<RecordLocation>>,
    pub materials: BTreeMap<MaterialId, Salvaged<Material>>,
    pub chunks: FxHashMap<ChunkPos, Salvaged<RecordLocation>>,
    /// Chunks with bad records only, with the revision that each record claims.
    pub bad: FxHashMap<ChunkPos, Salvaged<RecordError>>,
    /// Length of the material table that the sound materials and chunks require.
    pub(crate) materials_len: usize,
    /// Number of materials at the last save; 0 if that number is lost.
    pub(crate) materials_saved: usize,
    /// Keys of the sound undo steps. Steps are only counted, because they may not fit the chunks
    /// found.
    pub steps: FxHashSet<ChunkPos>,
    /// Highest revision that any record claims, sound or not.
    latest: u32,
}

/// Scans the whole file at `path`, and its write-ahead log.
///
/// The file is read with each of [`PAGE_SIZES`], because its header may name a wrong size.
/// Checksums reject records that are misread with a wrong size.
pub(super) fn scan(path: &Path) -> io::Result<Salvage> {
    let scanners = PAGE_SIZES.map(|page_bytes| PageScanner::open(path, page_bytes));
    let mut found = Salvage {
        scanners: scanners.into_iter().collect::<io::Result<_>>()?,
        header: None,
        digest: None,
        picture: None,
        seed_word: None,
        places: None,
        rules: None,
        creatures: None,
        awake: None,
        regions: BTreeMap::new(),
        materials: BTreeMap::new(),
        chunks: FxHashMap::default(),
        bad: FxHashMap::default(),
        materials_len: 0,
        materials_saved: 0,
        steps: FxHashSet::default(),
        latest: 0,
    };
    for size in 0..PAGE_SIZES.len() {
        found.scan_pages(size);
        // A wrong page size makes records that cross a page look bad, although the right size finds
        // them.
        let chunks = &found.chunks;
        found.bad.retain(|pos, _| !chunks.contains_key(pos));
    }
    let last = found.materials.keys().next_back().map_or(0, |&id| usize::from(id) + 1);
    found.materials_len = found.materials_len.max(last);
    found.materials_saved = found.digest.as_ref().map_or(0, |d| d.value.materials as usize);
    Ok(found)
}

/// Replaces `kept` by the result of `read`, if that is `Some` and `revision` is not earlier.
fn keep_later<T>(kept: &mut Option<Salvaged<T>>, revision: u32, read: impl FnOnce() -> Option<T>) {
    if replaces(kept.as_ref(), revision)
        && let Some(value) = read()
    {
        *kept = Some(Salvaged { revision, value });
    }
}

/// True if a record of `revision` replaces the record found before.
fn replaces<T>(before: Option<&Salvaged<T>>, revision: u32) -> bool {
    before.is_none_or(|before| before.revision <= revision)
}

impl Salvage {
    /// Keeps all sound records that are found with one of [`PAGE_SIZES`].
    fn scan_pages(&mut self, page_size_index: usize) {
        let scanner = &self.scanners[page_size_index];
        // Each check costs time in proportion to the record's length. Sound records do not overlap,
        // so this budget suffices for them, and a file made of overlapping candidates cannot cost
        // hours.
        let mut budget = 8 * scanner.len() + (64 << 20);
        let mut page = scanner.empty_page();
        for (state, number) in scanner.all() {
            if !self.scanners[page_size_index].read(state, number, &mut page) {
                continue;
            }
            for (offset, frame) in candidates(&page) {
                let cost = frame.record_len() as u64;
                if cost <= budget {
                    budget -= cost;
                    self.examine(
                        RecordLocation { page_size_index, state, page: number, offset },
                        &page,
                        &frame,
                    );
                }
            }
        }
    }

    /// Keeps the record at `location` if it is sound.
    fn examine(&mut self, location: RecordLocation, page: &[u8], frame: &Frame) {
        self.latest = self.latest.max(frame.revision);
        let bytes =
            self.scanners[location.page_size_index].record(location, page).unwrap_or_default();
        match frame::parse(&bytes) {
            Ok(record) => self.keep(location, &record),
            Err(_) if self.chunks.contains_key(&frame.key) => {}
            Err(reason) if frame.kind == RecordKind::Chunk && self.bad.len() < MAX_BAD_CHUNKS => {
                self.bad
                    .insert(frame.key, Salvaged { revision: frame.revision, value: reason.into() });
            }
            Err(_) => {}
        }
    }

    /// Keeps a sound record, unless a later one was found before.
    fn keep(&mut self, location: RecordLocation, record: &FramedRecord<'_>) {
        let Frame { kind, revision, key, .. } = record.frame;
        match kind {
            RecordKind::Header => {
                keep_later(&mut self.header, revision, || read_header(record).ok())
            }
            RecordKind::Digest => {
                keep_later(&mut self.digest, revision, || read_digest(record).ok())
            }
            RecordKind::Picture => {
                keep_later(&mut self.picture, revision, || Some(record.data.to_vec()))
            }
            RecordKind::Places => {
                keep_later(&mut self.places, revision, || read_places(record).ok())
            }
            RecordKind::Rules => keep_later(&mut self.rules, revision, || read_rules(record).ok()),
            RecordKind::Creatures => {
                keep_later(&mut self.creatures, revision, || Some(record.data.to_vec()))
            }
            RecordKind::Awake => {
                keep_later(&mut self.awake, revision, || awake_record::read(record).ok())
            }
            RecordKind::SeedWord => {
                keep_later(&mut self.seed_word, revision, || Some(record.data.to_vec()))
            }
            RecordKind::Region => {
                if let Ok((name, _)) = region_record::read_content(record) {
                    self.keep_region(name, revision, location);
                }
            }
            RecordKind::Material => {
                if let (Ok(id), Ok(value)) = (MaterialId::try_from(key.x), read_material(record))
                    && replaces(self.materials.get(&id), revision)
                {
                    self.materials.insert(id, Salvaged { revision, value });
                }
            }
            RecordKind::Chunk => self.keep_chunk(location, record),
            RecordKind::History => {
                // The key 0, 0, 0 belongs to the summary of the history.
                if key != ChunkPos::default() && self.steps.len() < MAX_STEPS {
                    self.steps.insert(key);
                }
            }
            // Baked visibility may be wrong for a map that has lost chunks.
            RecordKind::Visibility => {}
        }
    }

    fn keep_region(&mut self, name: &str, revision: u32, location: RecordLocation) {
        let name = name.to_lowercase();
        if self.regions.len() < MAX_REGIONS && replaces(self.regions.get(&name), revision) {
            self.regions.insert(name, Salvaged { revision, value: location });
        }
    }

    fn keep_chunk(&mut self, location: RecordLocation, record: &FramedRecord<'_>) {
        let Frame { revision, key, .. } = record.frame;
        // Chunks outside the world cannot be used.
        if !key.in_world() || !replaces(self.chunks.get(&key), revision) {
            return;
        }
        match chunk_record::read(record, Voxel::MAX_MATERIALS) {
            Ok(chunk) => {
                let used = chunk
                    .values()
                    .map(|voxel| usize::from(voxel.material()) + 1)
                    .max()
                    .unwrap_or(0);
                self.materials_len = self.materials_len.max(used);
                self.chunks.insert(key, Salvaged { revision, value: location });
            }
            Err(reason) => {
                self.bad.insert(key, Salvaged { revision, value: reason });
            }
        }
    }

    /// True if nothing was found that makes a map.
    pub(super) fn is_empty(&self) -> bool {
        self.header.is_none() && self.chunks.is_empty() && self.materials.is_empty()
    }

    /// Reads the record at `location` again; `None` if it is no longer sound.
    pub(super) fn record(&mut self, location: RecordLocation) -> Option<Vec<u8>> {
        let scanner = &mut self.scanners[location.page_size_index];
        let mut page = scanner.empty_page();
        if !scanner.read(location.state, location.page, &mut page) {
            return None;
        }
        scanner.record(location, &page).filter(|bytes| frame::parse(bytes).is_ok())
    }

    /// Highest revision of the sound header, digest and chunks; at least 1.
    pub(super) fn revision(&self) -> u32 {
        let header = self.header.as_ref().map_or(0, |h| h.revision);
        let digest = self.digest.as_ref().map_or(0, |d| d.revision);
        self.chunks.values().map(|c| c.revision).fold(header.max(digest).max(1), u32::max)
    }

    /// True if the chunks found, with the bad chunks at the revisions that they claim, are exactly
    /// the chunks of the last save.
    pub(super) fn is_of_last_save(&self) -> bool {
        let found = self.chunks.iter().map(|(&pos, found)| chunk_hash(pos, found.revision));
        let bad = self.bad.iter().map(|(&pos, bad)| chunk_hash(pos, bad.revision));
        let sum = found.chain(bad).fold(0, u64::wrapping_add);
        self.digest.as_ref().is_some_and(|d| d.revision == self.latest && d.value.sum == sum)
    }
}
