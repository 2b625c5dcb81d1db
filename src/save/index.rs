//! Which chunks a map has, kept in memory while it is open: 40 bytes a chunk.
//!
//! It makes the answer "the map has no such chunk" certain. Taken from the file, a damaged page would make
//! a chunk look as if it had never been saved, new terrain would be made in its place, and saved over it.

use super::frame::Prefix;
use super::records::{Digest, place_hash};
use super::schema::VERSION;
use super::types::Totals;
use crate::visibility::bake::RULES_VERSION;
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
    /// The other sums over `entries`, kept so that a save does not take longer the more chunks there are.
    totals: Totals,
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
        self.remove(pos);
        self.entries.insert(pos, entry);
        self.sum = self.sum.wrapping_add(place_hash(pos, entry.revision));
        self.count(&entry, u64::wrapping_add);
    }

    pub(super) fn remove(&mut self, pos: ChunkPos) {
        if let Some(old) = self.entries.remove(&pos) {
            self.sum = self.sum.wrapping_sub(place_hash(pos, old.revision));
            self.count(&old, u64::wrapping_sub);
        }
        self.bad.remove(&pos);
    }

    /// Adds an entry to the totals, or takes it out.
    fn count(&mut self, entry: &Entry, with: fn(u64, u64) -> u64) {
        let (t, rle, data) = (&mut self.totals, u64::from(entry.rle), u64::from(entry.data));
        (t.chunks, t.rle_bytes, t.data_bytes) = (with(t.chunks, 1), with(t.rle_bytes, rle), with(t.data_bytes, data));
        if let Some(c) = t.codecs.get_mut(usize::from(entry.codec)) {
            (c.chunks, c.rle_bytes, c.data_bytes) =
                (with(c.chunks, 1), with(c.rle_bytes, rle), with(c.data_bytes, data));
        }
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
        sum.update(&RULES_VERSION.to_le_bytes());
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
        let stored_bytes = self.totals.data_bytes + self.totals.chunks * super::frame::FRAME as u64;
        Totals { stored_bytes, bad: self.bad.len() as u64, ..self.totals }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_are_those_of_the_chunks_that_are_there() {
        let (mut index, mut expected) = (Index::default(), FxHashMap::default());
        for i in 0..200u32 {
            // Some places come again, and a bad record's codec may be any number.
            let pos = ChunkPos::new((i % 40) as i32, 0, 0);
            let entry = Entry { id: 1, revision: i, rle: i * 7, data: i * 3, codec: [0, 1, 2, 77][i as usize % 4] };
            match i % 5 {
                4 => (index.remove(pos), expected.remove(&pos)).0,
                _ => (index.insert(pos, entry), expected.insert(pos, entry)).0,
            }
            let sum = |of: fn(&Entry) -> u32| expected.values().map(|e| u64::from(of(e))).sum::<u64>();
            let totals = index.totals();
            assert_eq!((totals.chunks, totals.chunks as usize), (expected.len() as u64, index.len()));
            assert_eq!((totals.rle_bytes, totals.data_bytes), (sum(|e| e.rle), sum(|e| e.data)));
            assert_eq!(totals.stored_bytes, totals.data_bytes + 32 * totals.chunks);
            let packed = expected.values().filter(|e| e.codec == 1);
            assert_eq!(totals.codecs[1].chunks, packed.clone().count() as u64);
            assert_eq!(totals.codecs[1].data_bytes, packed.map(|e| u64::from(e.data)).sum::<u64>());
        }
    }
}
