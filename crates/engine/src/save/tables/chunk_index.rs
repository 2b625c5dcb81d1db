//! The index of the chunks of a map, in memory while the map is open: 40 bytes per chunk.
//!
//! The index tells which chunks exist without reading the file. Otherwise a damaged page could make
//! a chunk look as if it had never been saved, and new terrain would be generated and saved over
//! it.

use super::totals::Totals;
use crate::save::format::ChunkCodec;
use crate::save::format::digest::{Digest, chunk_hash};
use crate::save::format::frame::{FRAME_BYTES, Frame};
use crate::save::format::record_error::RecordError;
use crate::save::format::schema::VERSION;
use crate::visibility::bake::BAKE_VERSION;
use crate::voxel::{Box3, ChunkPos, Material, MaterialId, MaterialTable, Voxel};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Tag that stands for no codec.
const UNKNOWN_CODEC: u8 = u8::MAX;
const _: () = assert!(ChunkCodec::ALL.len() < UNKNOWN_CODEC as usize);

/// Row and sizes of a chunk's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(in crate::save) struct ChunkEntry {
    /// Number of the row in the table `chunk`.
    pub id: i64,
    /// Revision of the record.
    pub revision: u32,
    /// Length of the chunk in bytes as byte-RLE; 0 if unknown.
    pub rle: u32,
    /// Length of the stored data in bytes; 0 if unknown.
    pub data: u32,
    /// Codec tag of the data; [`UNKNOWN_CODEC`] if the frame was not read, and perhaps no codec's
    /// tag for a bad record.
    pub codec: u8,
}

impl ChunkEntry {
    /// Creates the entry of the row `id` from the frame of its record.
    pub(in crate::save) fn from_frame(id: i64, frame: &Frame) -> ChunkEntry {
        let rle = frame.plain_len as u32;
        let data = frame.data_len as u32;
        ChunkEntry { id, revision: frame.revision, rle, data, codec: frame.codec }
    }

    /// Creates the entry of the row `id` without the frame of its record. The totals count it as a
    /// chunk without bytes, of no codec.
    pub(in crate::save) fn without_frame(id: i64, revision: u32) -> ChunkEntry {
        ChunkEntry { id, revision, rle: 0, data: 0, codec: UNKNOWN_CODEC }
    }
}

/// All chunks of a map, without their voxels.
#[derive(Clone, Debug, Default)]
pub(in crate::save) struct ChunkIndex {
    entries: FxHashMap<ChunkPos, ChunkEntry>,
    /// Chunks with bad records, and the defect of each.
    bad: FxHashMap<ChunkPos, RecordError>,
    /// The digest's sum over `entries`.
    sum: u64,
    /// A box around all chunk positions of the map since it was opened.
    bounds: Option<Box3>,
    /// Totals of `entries`, kept up to date so that a save need not visit every entry.
    totals: Totals,
    /// For each n from 0 to the length of the material table, a checksum over the version of the
    /// bake rules, and of the first n materials the opacity and the kind of surface.
    opacity_checksums: Vec<u32>,
    /// The gases and liquids of the material table, ascending.
    fluids: Vec<MaterialId>,
}

impl ChunkIndex {
    /// Returns the heap size in bytes of the table of chunks.
    pub(in crate::save) fn heap_bytes(&self) -> u64 {
        // A hash table has a control byte per slot and leaves at least one of eight slots empty.
        let slots = (self.entries.capacity() * 8 / 7).next_power_of_two();
        (slots * (size_of::<(ChunkPos, ChunkEntry)>() + 1)) as u64
    }

    pub(in crate::save) fn get(&self, pos: ChunkPos) -> Option<ChunkEntry> {
        self.entries.get(&pos).copied()
    }

    pub(in crate::save) fn contains(&self, pos: ChunkPos) -> bool {
        self.entries.contains_key(&pos)
    }

    /// Inserts a chunk as sound, replacing an earlier entry.
    pub(in crate::save) fn insert(&mut self, pos: ChunkPos, entry: ChunkEntry) {
        self.remove(pos);
        self.entries.insert(pos, entry);
        let here = Box3::spanning(pos.as_ivec3(), pos.as_ivec3());
        self.bounds = Some(self.bounds.map_or(here, |bounds| bounds.around(here)));
        self.sum = self.sum.wrapping_add(chunk_hash(pos, entry.revision));
        self.add_to_totals(&entry, u64::wrapping_add);
    }

    pub(in crate::save) fn remove(&mut self, pos: ChunkPos) {
        if let Some(old) = self.entries.remove(&pos) {
            self.sum = self.sum.wrapping_sub(chunk_hash(pos, old.revision));
            self.add_to_totals(&old, u64::wrapping_sub);
        }
        self.bad.remove(&pos);
    }

    /// Adds an entry to the totals, or subtracts it, as `with` does.
    fn add_to_totals(&mut self, entry: &ChunkEntry, with: fn(u64, u64) -> u64) {
        let t = &mut self.totals;
        let rle = u64::from(entry.rle);
        let data = u64::from(entry.data);
        t.chunks = with(t.chunks, 1);
        t.rle_bytes = with(t.rle_bytes, rle);
        t.data_bytes = with(t.data_bytes, data);
        if let Some(c) = t.codecs.get_mut(usize::from(entry.codec)) {
            c.chunks = with(c.chunks, 1);
            c.rle_bytes = with(c.rle_bytes, rle);
            c.data_bytes = with(c.data_bytes, data);
        }
    }

    pub(in crate::save) fn mark_bad(&mut self, pos: ChunkPos, reason: RecordError) {
        self.bad.insert(pos, reason);
    }

    /// Returns the defect of the chunk at `pos`, if it is known to be bad.
    pub(in crate::save) fn bad_reason(&self, pos: ChunkPos) -> Option<&RecordError> {
        self.bad.get(&pos)
    }

    /// Returns the bad chunks, sorted by position.
    pub(in crate::save) fn bad(&self) -> Vec<(ChunkPos, RecordError)> {
        let mut bad: Vec<_> = self.bad.iter().map(|(&pos, reason)| (pos, reason.clone())).collect();
        bad.sort_by_key(|&(pos, _)| pos);
        bad
    }

    pub(in crate::save) fn len(&self) -> usize {
        self.entries.len()
    }

    /// Returns a box of chunk positions that contains all chunks but may be larger; `None` for an
    /// empty map.
    pub(in crate::save) fn bounds(&self) -> Option<Box3> {
        self.bounds
    }

    /// Returns positions and rows of the chunks within `reach` chunks of `pos` along each axis.
    pub(in crate::save) fn around(&self, pos: ChunkPos, reach: i32) -> Vec<(ChunkPos, i64)> {
        // Clamps so that corrupt positions cannot overflow.
        let far = IVec3::splat(reach + 1);
        let offset = |at: &ChunkPos| at.as_ivec3().saturating_sub(pos.as_ivec3()).clamp(-far, far);
        let is_near = |at: &ChunkPos| offset(at).abs().max_element() <= reach;
        self.entries
            .iter()
            .filter(|(at, _)| is_near(at))
            .map(|(at, entry)| (*at, entry.id))
            .collect()
    }

    /// Returns the highest row; 0 in an empty map. A chunk keeps its row, and a new chunk gets a
    /// higher one.
    pub(in crate::save) fn last_row(&self) -> i64 {
        self.entries.values().map(|entry| entry.id).max().unwrap_or(0)
    }

    /// Returns the positions of the chunks in higher rows than `row`.
    pub(in crate::save) fn after_row(&self, row: i64) -> Vec<ChunkPos> {
        self.entries.iter().filter(|(_, entry)| entry.id > row).map(|(at, _)| *at).collect()
    }

    /// Returns the length of the material table.
    pub(in crate::save) fn materials(&self) -> usize {
        self.opacity_checksums.len().saturating_sub(1)
    }

    /// Returns a gas or liquid of the table in which `chunk` has liquid; `None` if there is none.
    pub(in crate::save) fn wet_fluid(&self, chunk: &Chunk) -> Option<MaterialId> {
        let mut wet = chunk.values().filter(|voxel| voxel.is_wet()).map(Voxel::material);
        wet.find(|material| self.fluids.binary_search(material).is_ok())
    }

    /// Takes checksums, gases and liquids from a material table.
    pub(in crate::save) fn set_materials(&mut self, table: &MaterialTable) {
        let mut sum = crc32fast::Hasher::new();
        sum.update(&BAKE_VERSION.to_le_bytes());
        let of_no_material = sum.clone().finalize();
        let with_next = |(id, material): (_, &Material)| {
            sum.update(&[u8::from(table.is_opaque(id)) | u8::from(is_ground(material)) << 1]);
            sum.clone().finalize()
        };
        self.opacity_checksums =
            std::iter::once(of_no_material).chain(table.iter().map(with_next)).collect();
        self.fluids =
            table.iter().filter(|(_, material)| material.is_fluid()).map(|(id, _)| id).collect();
    }

    /// Returns the checksum over the version of the bake rules, and opacity and kind of surface of
    /// the first `materials` materials; `None` if the table has fewer.
    pub(in crate::save) fn opacity_checksum(&self, materials: usize) -> Option<u32> {
        self.opacity_checksums.get(materials).copied()
    }

    /// Returns the positions of all chunks, sorted.
    pub(in crate::save) fn positions(&self) -> Vec<ChunkPos> {
        let mut all: Vec<_> = self.entries.keys().copied().collect();
        all.sort_unstable();
        all
    }

    /// Returns the digest that the map will have after a save of the chunks in `written`, with a
    /// table of `materials` materials.
    pub(in crate::save) fn digest_with(
        &self,
        written: &FxHashMap<ChunkPos, ChunkEntry>,
        materials: usize,
    ) -> Digest {
        let mut sum = self.sum;
        let mut chunks = self.len() as u64;
        for (&pos, entry) in written {
            match self.entries.get(&pos) {
                Some(old) => sum = sum.wrapping_sub(chunk_hash(pos, old.revision)),
                None => chunks += 1,
            }
            sum = sum.wrapping_add(chunk_hash(pos, entry.revision));
        }
        Digest { schema: VERSION, chunks, sum, materials: materials as u32 }
    }

    /// Returns the digest of the map.
    pub(in crate::save) fn digest(&self) -> Digest {
        self.digest_with(&FxHashMap::default(), self.materials())
    }

    /// Returns the sums over the chunks. The size of the file is left at 0.
    pub(in crate::save) fn totals(&self) -> Totals {
        let stored_bytes = self.totals.data_bytes + self.totals.chunks * FRAME_BYTES as u64;
        Totals { stored_bytes, bad: self.bad.len() as u64, ..self.totals }
    }
}

/// True for materials that hide less than their cubes would.
fn is_ground(material: &Material) -> bool {
    !material.surface.is_cube()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn totals_after_inserts_and_removals_match_the_entries() {
        let mut index = ChunkIndex::default();
        let mut expected = FxHashMap::default();
        for i in 0..200u32 {
            // Positions repeat, and some entries have an unknown codec, as bad records may.
            let pos = ChunkPos::new((i % 40) as i32, 0, 0);
            let entry = ChunkEntry {
                id: 1,
                revision: i,
                rle: i * 7,
                data: i * 3,
                codec: [0, 1, 2, 77][i as usize % 4],
            };
            match i % 5 {
                4 => (index.remove(pos), expected.remove(&pos)).0,
                _ => (index.insert(pos, entry), expected.insert(pos, entry)).0,
            }
            let sum = |of: fn(&ChunkEntry) -> u32| {
                expected.values().map(|e| u64::from(of(e))).sum::<u64>()
            };
            let totals = index.totals();
            assert_eq!(
                (totals.chunks, totals.chunks as usize),
                (expected.len() as u64, index.len())
            );
            assert_eq!((totals.rle_bytes, totals.data_bytes), (sum(|e| e.rle), sum(|e| e.data)));
            assert_eq!(totals.stored_bytes, totals.data_bytes + 32 * totals.chunks);
            let packed = expected.values().filter(|e| e.codec == 1);
            assert_eq!(totals.codecs[1].chunks, packed.clone().count() as u64);
            assert_eq!(totals.codecs[1].data_bytes, packed.map(|e| u64::from(e.data)).sum::<u64>());
        }
    }
}
