//! Finds every sound record in a file that SQLite cannot read.
//!
//! Every byte of every page is tried as the beginning of a record. That needs no page to be whole: a
//! changed page type, a broken list of cells or a lost b-tree costs nothing, and a changed byte in a record
//! costs that record. Of several sound records of one chunk (pages that SQLite has freed keep old ones) the
//! one of the latest save is taken; whether all are of their chunk's last save, the digest tells.

use super::chunks;
use super::frame::{self, Kind, Prefix, Record};
use super::pages::{Page, Pages, Place, candidates};
use super::records::{self, Digest, place_hash};
use super::schema::PAGE;
use super::types::Header;
use crate::voxel::{ChunkPos, Material, MaterialId, Voxel};
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::io;
use std::path::Path;

/// Bad chunks that are remembered; more would be a file made to confuse us.
const MOST_BAD: usize = 100_000;

/// What was found.
#[derive(Debug)]
pub(super) struct Salvage {
    pages: Pages,
    /// Each with the save it is of.
    pub header: Option<(u32, Header)>,
    pub digest: Option<(u32, Digest)>,
    pub picture: Option<(u32, Vec<u8>)>,
    pub materials: BTreeMap<MaterialId, Material>,
    pub chunks: FxHashMap<ChunkPos, (u32, Place)>,
    /// Chunks of which only bad records were found: the save these say they are of, and what is wrong.
    pub bad: FxHashMap<ChunkPos, (u32, String)>,
    /// Length the material table must have at least.
    pub materials_len: usize,
    /// The latest save that any record, sound or not, says it is of.
    latest: u32,
}

/// Reads the whole file at `path`, and its write-ahead log.
pub(super) fn scan(path: &Path) -> io::Result<Salvage> {
    let pages = Pages::open(path)?;
    // Checking a record costs its length. Sound records do not overlap; what is made so that they seem to
    // must not cost hours.
    let mut budget = 8 * pages.len() + (64 << 20);
    let all = pages.all();
    let mut found = Salvage {
        pages,
        header: None,
        digest: None,
        picture: None,
        materials: BTreeMap::new(),
        chunks: FxHashMap::default(),
        bad: FxHashMap::default(),
        materials_len: 0,
        latest: 0,
    };
    let mut page: Page = [0; PAGE];
    for (view, number) in all {
        if !found.pages.read(view, number, &mut page) {
            continue;
        }
        for (at, prefix) in candidates(&page) {
            let cost = prefix.len() as u64;
            if cost <= budget {
                budget -= cost;
                found.take(Place { view, page: number, at }, &page, &prefix);
            }
        }
    }
    found.bad.retain(|pos, _| !found.chunks.contains_key(pos));
    let last = found.materials.keys().next_back().map_or(0, |&id| usize::from(id) + 1);
    let told = found.digest.map_or(0, |(_, d)| d.materials as usize);
    found.materials_len = found.materials_len.max(last).max(told);
    Ok(found)
}

/// True if `revision` is at least as new as what is there.
fn newer<T>(there: Option<&(u32, T)>, revision: u32) -> bool {
    there.is_none_or(|(r, _)| *r <= revision)
}

impl Salvage {
    /// Takes the record at `place`, if it is sound.
    fn take(&mut self, place: Place, page: &Page, prefix: &Prefix) {
        self.latest = self.latest.max(prefix.revision);
        let bytes = self.pages.record(place, page).unwrap_or_default();
        match frame::parse(&bytes) {
            Ok(record) => self.keep(place, &record),
            Err(reason) if prefix.kind == Kind::Chunk && self.bad.len() < MOST_BAD => {
                self.bad.insert(prefix.key, (prefix.revision, reason.to_string()));
            }
            Err(_) => {}
        }
    }

    fn keep(&mut self, place: Place, record: &Record<'_>) {
        let Prefix { kind, revision, key, .. } = record.prefix;
        match kind {
            Kind::Header if newer(self.header.as_ref(), revision) => {
                self.header = records::read_header(record).ok().map(|h| (revision, h)).or(self.header.take());
            }
            Kind::Digest if newer(self.digest.as_ref(), revision) => {
                self.digest = records::read_digest(record).ok().map(|d| (revision, d)).or(self.digest.take());
            }
            Kind::Picture if newer(self.picture.as_ref(), revision) => {
                self.picture = Some((revision, record.data.to_vec()));
            }
            Kind::Material => {
                // A material is written once and never changes.
                if let (Ok(id), Ok(material)) = (MaterialId::try_from(key.x), records::read_material(record)) {
                    self.materials.insert(id, material);
                }
            }
            // Outside the world there is nothing.
            Kind::Chunk if !key.in_world() => {}
            Kind::Chunk if newer(self.chunks.get(&key), revision) => match chunks::read(record, Voxel::MAX_MATERIALS) {
                Ok(chunk) => {
                    let used = chunk.values().map(|v| usize::from(v.material()) + 1).max().unwrap_or(0);
                    self.materials_len = self.materials_len.max(used);
                    self.chunks.insert(key, (revision, place));
                }
                Err(reason) => _ = self.bad.insert(key, (revision, reason)),
            },
            // The visibility of a map that has lost something may be another.
            _ => {}
        }
    }

    /// True if nothing of a map was found.
    pub(super) fn is_empty(&self) -> bool {
        self.header.is_none() && self.chunks.is_empty() && self.materials.is_empty()
    }

    /// The record of a chunk that was found.
    pub(super) fn record(&mut self, place: Place) -> Option<Vec<u8>> {
        let mut page: Page = [0; PAGE];
        if !self.pages.read(place.view, place.page, &mut page) {
            return None;
        }
        self.pages.record(place, &page).filter(|bytes| frame::parse(bytes).is_ok())
    }

    /// The latest save of which anything was found.
    pub(super) fn revision(&self) -> u32 {
        let header = self.header.as_ref().map_or(0, |h| h.0);
        let digest = self.digest.map_or(0, |d| d.0);
        self.chunks.values().map(|c| c.0).fold(header.max(digest).max(1), u32::max)
    }

    /// Whether the chunks found, with the bad ones as they say they were, are all chunks of the last save.
    pub(super) fn is_of_last_save(&self) -> bool {
        let found = self.chunks.iter().map(|(&pos, &(revision, _))| place_hash(pos, revision));
        let bad = self.bad.iter().map(|(&pos, &(revision, _))| place_hash(pos, revision));
        let sum = found.chain(bad).fold(0, u64::wrapping_add);
        self.digest.is_some_and(|(revision, d)| revision == self.latest && d.sum == sum)
    }
}
