//! Which chunks a map has, kept in memory while it is open: 40 bytes a chunk.
//!
//! It makes the answer "the map has no such chunk" certain. Taken from the file, a damaged page would make
//! a chunk look as if it had never been saved, new terrain would be made in its place, and saved over it.

use super::frame::Prefix;
use super::records::{Digest, place_hash};
use super::schema::VERSION;
use super::types::Totals;
use crate::visibility::bake::RULES;
use crate::voxel::{ChunkPos, MaterialTable};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Where a chunk's record is, and what it measures.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Entry {
    /// Row in the table `chunk`.
    pub id: i64,
    /// The save that wrote it.
    pub revision: u32,
    /// Bytes as byte-RLE.
    pub rle: u32,
    /// Bytes of the data stored.
    pub data: u32,
    /// The data's codec; that of a bad record may be nonsense.
    pub codec: u8,
}

impl Entry {
    /// What a record in the row `id` says of itself.
    pub(super) fn of(id: i64, record: &Prefix) -> Entry {
        let (rle, data) = (record.plain_len as u32, record.data_len as u32);
        Entry { id, revision: record.revision, rle, data, codec: record.codec }
    }
}

/// All chunks of a map.
#[derive(Clone, Debug, Default)]
pub(super) struct Index {
    entries: FxHashMap<ChunkPos, Entry>,
    /// Chunks with bad records, and what is wrong with each.
    bad: FxHashMap<ChunkPos, String>,
    /// The digest's sum over `entries`.
    sum: u64,
    /// For each n from 0 to the number of materials: which of the first n hide what is behind them, and by which rules
    /// visibility is baked, as a checksum.
    hiding: Vec<u32>,
}

impl Index {
    pub(super) fn get(&self, pos: ChunkPos) -> Option<Entry> {
        self.entries.get(&pos).copied()
    }

    /// Puts a chunk in, as sound, in place of the one that was there.
    pub(super) fn insert(&mut self, pos: ChunkPos, entry: Entry) {
        if let Some(old) = self.entries.insert(pos, entry) {
            self.sum = self.sum.wrapping_sub(place_hash(pos, old.revision));
        }
        self.sum = self.sum.wrapping_add(place_hash(pos, entry.revision));
        self.bad.remove(&pos);
    }

    pub(super) fn remove(&mut self, pos: ChunkPos) {
        if let Some(old) = self.entries.remove(&pos) {
            self.sum = self.sum.wrapping_sub(place_hash(pos, old.revision));
        }
        self.bad.remove(&pos);
    }

    pub(super) fn mark_bad(&mut self, pos: ChunkPos, reason: String) {
        self.bad.insert(pos, reason);
    }

    /// What is wrong with the chunk at `pos`, if it is known to be bad.
    pub(super) fn badness(&self, pos: ChunkPos) -> Option<&str> {
        self.bad.get(&pos).map(String::as_str)
    }

    /// The bad chunks by position.
    pub(super) fn bad(&self) -> Vec<(ChunkPos, String)> {
        let mut bad: Vec<_> = self.bad.iter().map(|(&pos, reason)| (pos, reason.clone())).collect();
        bad.sort();
        bad
    }

    pub(super) fn len(&self) -> usize {
        self.entries.len()
    }

    /// The positions within so many chunks of one, along each axis, and their rows.
    pub(super) fn around(&self, pos: ChunkPos, reach: i32) -> Vec<(ChunkPos, i64)> {
        let far = IVec3::splat(reach + 1);
        let away = |at: &ChunkPos| at.as_ivec3().saturating_sub(pos.as_ivec3()).clamp(-far, far);
        let is_near = |at: &ChunkPos| away(at).abs().max_element() <= reach;
        self.entries.iter().filter(|(at, _)| is_near(at)).map(|(at, entry)| (*at, entry.id)).collect()
    }

    /// The last row; 0 if there is none. A chunk keeps its row, and one that is new gets a later one than all there are.
    pub(super) fn last_row(&self) -> i64 {
        self.entries.values().map(|entry| entry.id).max().unwrap_or(0)
    }

    /// The positions of the chunks whose rows come after one.
    pub(super) fn after(&self, row: i64) -> Vec<ChunkPos> {
        self.entries.iter().filter(|(_, entry)| entry.id > row).map(|(at, _)| *at).collect()
    }

    /// Length of the material table.
    pub(super) fn materials(&self) -> usize {
        self.hiding.len().saturating_sub(1)
    }

    /// Takes the material table as it is now.
    pub(super) fn set_materials(&mut self, table: &MaterialTable) {
        // A map is saved often, and its table grows seldom.
        if table.len() == self.materials() {
            return;
        }
        let mut sum = crc32fast::Hasher::new();
        sum.update(&RULES.to_le_bytes());
        let none = sum.clone().finalize();
        let one_more = |(id, _)| {
            sum.update(&[u8::from(table.is_opaque(id))]);
            sum.clone().finalize()
        };
        self.hiding = std::iter::once(none).chain(table.iter().map(one_more)).collect();
    }

    /// Which of the first so many materials hide what is behind them, and by which rules visibility is baked, as a checksum;
    /// none if there are fewer.
    pub(super) fn hiding(&self, materials: usize) -> Option<u32> {
        self.hiding.get(materials).copied()
    }

    /// The positions, sorted.
    pub(super) fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<_> = self.entries.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// The digest of the map as it will be with `written` in it and a table of `materials`.
    pub(super) fn digest_with(&self, written: &FxHashMap<ChunkPos, Entry>, materials: usize) -> Digest {
        let (mut sum, mut chunks) = (self.sum, self.len() as u64);
        for (&pos, entry) in written {
            match self.entries.get(&pos) {
                Some(old) => sum = sum.wrapping_sub(place_hash(pos, old.revision)),
                None => chunks += 1,
            }
            sum = sum.wrapping_add(place_hash(pos, entry.revision));
        }
        Digest { schema: VERSION, chunks, sum, materials: materials as u32 }
    }

    /// The digest of the map as it is.
    pub(super) fn digest(&self) -> Digest {
        self.digest_with(&FxHashMap::default(), self.materials())
    }

    /// The sums over the chunks; the file's size is left 0.
    pub(super) fn totals(&self) -> Totals {
        let mut t = Totals { chunks: self.len() as u64, bad: self.bad.len() as u64, ..Totals::default() };
        for entry in self.entries.values() {
            t.rle_bytes += u64::from(entry.rle);
            t.data_bytes += u64::from(entry.data);
            if let Some(codec) = t.codecs.get_mut(usize::from(entry.codec)) {
                codec.chunks += 1;
                codec.rle_bytes += u64::from(entry.rle);
                codec.data_bytes += u64::from(entry.data);
            }
        }
        t.stored_bytes = t.data_bytes + t.chunks * super::frame::FRAME as u64;
        t
    }
}
