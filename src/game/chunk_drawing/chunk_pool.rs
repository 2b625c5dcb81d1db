//! The words of all chunk meshes in one large GPU buffer: where each chunk lies, and which words to
//! write when its mesh changes.
//!
//! A chunk has one range, in 32-bit words:
//!
//! ```text
//! 0-2    lowest voxel of the chunk: x, y, z
//! 3-6    where its opaque, cut-out and translucent quads and its dark bricks begin, from word 0;
//!        0 without dark bricks
//! 7      where its light bricks begin; 0 if everything is sunlit, 1 if everything is dark
//! 8 ...  the quads of each list, two words each; the dark bricks; the light bricks
//! ```
//!
//! Offsets count from the chunk's first word, so ranges can move. A chunk that is edited gets spare
//! words after each list, and its words are also kept in memory: the next edit writes only what
//! differs.

use crate::game::chunk_drawing::quad_diff::{replace_ordered, replace_unordered};
use crate::game::chunk_drawing::range_allocator::{MovedRange, RangeAllocator, moved_start};
use crate::game::chunk_drawing::translucent_order::{TranslucentQuads, Zone};
use crate::light::LightBricks;
use crate::mesh::{ChunkMesh, PackedQuad};
use crate::voxel::ChunkPos;
use glam::Vec3;
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::VecDeque;
use std::ops::Range;

/// Words of a range's unit: draw records name a chunk by its first word divided by this.
pub const UNIT_WORDS: u32 = 16;
/// Words before the quads of a chunk.
const HEADER: usize = 8;
/// Chunks whose words are kept in memory.
const KEPT: usize = 256;
/// Spare quads per list, and spare words of dark bricks, of an edited chunk.
const SPARE: usize = 24;

/// A write of words into the buffer.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct WordWrite {
    /// First word.
    pub at: u32,
    /// The words.
    pub words: Vec<u32>,
}

/// How a chunk that finds no free range gets one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Room {
    /// The buffer must grow to this many units.
    Grow(u32),
    /// The chunks must be moved together.
    Compact,
    /// This chunk, which is farther away, must be removed.
    Drop(ChunkPos),
    /// All other chunks are as near, and the buffer may not grow.
    None,
}

/// Quads of each list: opaque, cut-out, translucent.
pub type QuadCounts = [u32; 3];

/// Index of the translucent list.
const TRANSLUCENT: usize = 2;

/// A chunk in the buffer.
#[derive(Debug)]
pub struct PooledChunk {
    /// Position.
    pub pos: ChunkPos,
    /// First unit.
    pub start: u32,
    /// Units.
    len: u32,
    /// Quads to draw.
    pub quads: QuadCounts,
    /// Offsets of the parts in words.
    offsets: [u32; 5],
    /// False while the chunk is culled by its visible set.
    pub visible: bool,
    translucent: TranslucentQuads,
    /// Zone of the order on the GPU.
    zone: Option<Zone>,
    kept: Option<KeptWords>,
}

/// What is on the GPU, for chunks that are edited.
#[derive(Debug, Default)]
struct KeptWords {
    opaque: Vec<PackedQuad>,
    cutout: Vec<PackedQuad>,
    dark: Vec<u32>,
    light: LightBricks,
    /// Room for quads of each list and words of dark and light bricks.
    room: [usize; 5],
}

/// All chunks in the buffer.
#[derive(Debug, Default)]
pub struct ChunkPool {
    allocator: RangeAllocator,
    /// The chunks, in any order.
    pub chunks: Vec<PooledChunk>,
    index: FxHashMap<ChunkPos, usize>,
    /// Chunks with kept words, the latest edit last.
    kept: VecDeque<ChunkPos>,
}

impl ChunkPool {
    /// Units of the buffer.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.allocator.capacity()
    }

    /// Units that chunks use.
    #[must_use]
    pub fn used(&self) -> u32 {
        self.allocator.used()
    }

    /// The chunk farthest from `centre`.
    #[must_use]
    pub fn farthest(&self, centre: ChunkPos) -> Option<ChunkPos> {
        let chunks = self.chunks.iter().map(|chunk| chunk.pos);
        chunks.max_by_key(|pos| (pos.as_ivec3() - centre.as_ivec3()).length_squared())
    }

    /// The chunks, those farthest from `centre` first.
    #[must_use]
    pub fn farthest_first(&self, centre: ChunkPos) -> Vec<ChunkPos> {
        let mut chunks: Vec<ChunkPos> = self.chunks.iter().map(|chunk| chunk.pos).collect();
        chunks.sort_by_key(|pos| Reverse((pos.as_ivec3() - centre.as_ivec3()).length_squared()));
        chunks
    }

    /// How the chunk at `pos` gets `needed` units in a buffer of at most `limit` units. Chunks far
    /// from `centre` make room for near ones.
    #[must_use]
    pub fn room_for(&self, needed: u32, pos: ChunkPos, centre: ChunkPos, limit: u32) -> Room {
        let capacity = self.capacity();
        let larger = (capacity + (capacity / 2).max(needed)).min(limit);
        if larger >= capacity + needed {
            return Room::Grow(larger);
        }
        // A little more than needed, so that not every chunk moves all others.
        if capacity - self.used() >= needed + capacity / 32 {
            return Room::Compact;
        }
        let distance = |pos: ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).length_squared();
        let farthest = self.farthest(centre).filter(|&farthest| distance(farthest) > distance(pos));
        farthest.map_or(Room::None, Room::Drop)
    }

    /// Shortens the buffer after a compaction.
    pub fn shrink(&mut self, capacity: u32) {
        self.allocator.shrink(capacity);
    }

    /// Extends the buffer.
    pub fn grow(&mut self, capacity: u32) {
        self.allocator.grow(capacity);
    }

    /// Moves all chunks together. The caller moves the words.
    pub fn compact(&mut self) -> Vec<MovedRange> {
        let moved = self.allocator.compact();
        self.chunks.iter_mut().for_each(|chunk| chunk.start = moved_start(&moved, chunk.start));
        moved
    }

    /// Removes a chunk.
    pub fn remove(&mut self, pos: ChunkPos) {
        let Some(at) = self.index.remove(&pos) else { return };
        let chunk = self.chunks.swap_remove(at);
        if chunk.kept.is_some() {
            self.kept.retain(|&kept| kept != pos);
        }
        self.allocator.free(chunk.start, chunk.len);
        if let Some(moved) = self.chunks.get(at) {
            self.index.insert(moved.pos, at);
        }
    }

    /// Replaces the mesh and the light of a chunk and passes the words to write to `write`. Meshes
    /// after an edit are compared with what is there.
    ///
    /// # Errors
    /// No free range is large enough; returns the units that are needed. The chunk is then not in
    /// the buffer.
    pub fn put(
        &mut self,
        pos: ChunkPos,
        (mesh, light): (&ChunkMesh, &LightBricks),
        edited: bool,
        visible: bool,
        mut write: impl FnMut(WordWrite),
    ) -> Result<(), u32> {
        if mesh.is_empty() {
            self.remove(pos);
            return Ok(());
        }
        if edited
            && let Some(&at) = self.index.get(&pos)
            && self.chunks[at].update(mesh, light, &mut write)
        {
            self.touch(pos);
            return Ok(());
        }
        self.remove(pos);
        let translucent = TranslucentQuads::new(&mesh.translucent);
        let spare = if edited { SPARE } else { 0 };
        let counts = [mesh.opaque.len(), mesh.cutout.len(), translucent.len()];
        let dark = mesh.dark.words();
        let room =
            [counts[0] + spare, counts[1] + spare, counts[2] + spare, dark.len() + spare, light.words().len() + spare];
        let mut end = HEADER;
        let offsets = std::array::from_fn(|part| {
            let start = end;
            end += if part < 3 { 2 * room[part] } else { room[part] };
            start as u32
        });
        let len = (end as u32).div_ceil(UNIT_WORDS);
        let start = self.allocator.allocate(len).ok_or(len)?;
        let kept = edited.then(|| KeptWords {
            opaque: mesh.opaque.clone(),
            cutout: mesh.cutout.clone(),
            dark: dark.to_vec(),
            light: light.clone(),
            room,
        });
        let chunk = PooledChunk {
            pos,
            start,
            len,
            quads: counts.map(|count| count as u32),
            offsets,
            visible,
            translucent,
            zone: None,
            kept,
        };
        write(chunk.all_words(mesh, light, end));
        self.index.insert(pos, self.chunks.len());
        self.chunks.push(chunk);
        if edited {
            self.touch(pos);
        }
        Ok(())
    }

    /// Marks a chunk as edited last, and forgets the words of the one edited longest ago.
    fn touch(&mut self, pos: ChunkPos) {
        self.kept.retain(|&other| other != pos);
        self.kept.push_back(pos);
        if self.kept.len() > KEPT
            && let Some(oldest) = self.kept.pop_front()
            && let Some(&at) = self.index.get(&oldest)
        {
            self.chunks[at].kept = None;
        }
    }
}

impl PooledChunk {
    /// True if it has translucent quads.
    #[must_use]
    pub fn is_translucent(&self) -> bool {
        self.quads[TRANSLUCENT] > 0
    }

    /// Sorts the translucent quads for an eye, given in voxels from the chunk's lowest corner, if
    /// the eye has left the zone of their order. Returns the words to write then.
    pub fn sort_translucent(&mut self, eye: Vec3) -> Option<WordWrite> {
        let zone = self.translucent.zone(eye);
        if !self.is_translucent() || self.zone.replace(zone) == Some(zone) {
            return None;
        }
        let mut quads = Vec::with_capacity(self.translucent.len());
        self.translucent.sorted(zone, &mut quads);
        Some(WordWrite { at: self.word(self.offsets[TRANSLUCENT]), words: words(&quads).collect() })
    }

    /// Index in the buffer of one of the chunk's words.
    fn word(&self, offset: u32) -> u32 {
        self.start * UNIT_WORDS + offset
    }

    fn header(&self, has_dark: bool, light: &LightBricks) -> [u32; HEADER] {
        let [x, y, z] = self.pos.origin().to_array().map(|c| c as u32);
        let [opaque, cutout, translucent, dark, bricks] = self.offsets;
        let light = match light {
            LightBricks::Sunlit => 0,
            LightBricks::Dark => 1,
            LightBricks::Mixed(_) => bricks,
        };
        [x, y, z, opaque, cutout, translucent, if has_dark { dark } else { 0 }, light]
    }

    /// The words of the whole range; the translucent quads are still unsorted.
    fn all_words(&self, mesh: &ChunkMesh, light: &LightBricks, end: usize) -> WordWrite {
        let mut all = vec![0; end];
        let dark = mesh.dark.words();
        all[..HEADER].copy_from_slice(&self.header(!dark.is_empty(), light));
        for (list, offset) in [&mesh.opaque, &mesh.cutout].into_iter().zip(self.offsets) {
            all[offset as usize..].iter_mut().zip(words(list)).for_each(|(to, word)| *to = word);
        }
        for (words, offset) in [dark, light.words()].into_iter().zip(&self.offsets[3..]) {
            all[*offset as usize..][..words.len()].copy_from_slice(words);
        }
        WordWrite { at: self.word(0), words: all }
    }

    /// Changes mesh and light in place; false if their room is too small or their words are not
    /// kept.
    fn update(&mut self, mesh: &ChunkMesh, light: &LightBricks, write: &mut impl FnMut(WordWrite)) -> bool {
        let Some(mut kept) = self.kept.take() else { return false };
        let (translucent, dark) = (TranslucentQuads::new(&mesh.translucent), mesh.dark.words());
        let counts = [mesh.opaque.len(), mesh.cutout.len(), translucent.len(), dark.len(), light.words().len()];
        if counts.iter().zip(kept.room).any(|(&count, room)| count > room) {
            self.kept = Some(kept);
            return false;
        }
        let header = self.header(!dark.is_empty(), light);
        if header != self.header(!kept.dark.is_empty(), &kept.light) {
            write(WordWrite { at: self.word(0), words: header.to_vec() });
        }
        let quads = |offset: u32, list: &[PackedQuad], range: Range<usize>| WordWrite {
            at: self.word(offset) + 2 * range.start as u32,
            words: words(&list[range]).collect(),
        };
        for range in replace_unordered(&mut kept.opaque, &mesh.opaque) {
            write(quads(self.offsets[0], &kept.opaque, range));
        }
        for range in replace_unordered(&mut kept.cutout, &mesh.cutout) {
            write(quads(self.offsets[1], &kept.cutout, range));
        }
        for range in replace_ordered(&mut kept.dark, dark) {
            write(WordWrite { at: self.word(self.offsets[3]) + range.start as u32, words: kept.dark[range].to_vec() });
        }
        if let LightBricks::Mixed(words) = light {
            let mut before = match std::mem::take(&mut kept.light) {
                LightBricks::Mixed(words) => words,
                _ => Vec::new(),
            };
            for range in replace_ordered(&mut before, words) {
                let at = self.word(self.offsets[4]) + range.start as u32;
                write(WordWrite { at, words: before[range].to_vec() });
            }
        }
        kept.light = light.clone();
        if !translucent.same_quads(&self.translucent) {
            (self.translucent, self.zone) = (translucent, None);
        }
        self.quads = [counts[0], counts[1], counts[2]].map(|count| count as u32);
        self.kept = Some(kept);
        true
    }
}

/// The two words of each quad.
fn words(quads: &[PackedQuad]) -> impl Iterator<Item = u32> + '_ {
    quads.iter().flat_map(|quad| [quad.0 as u32, (quad.0 >> 32) as u32])
}

#[cfg(test)]
mod tests;
