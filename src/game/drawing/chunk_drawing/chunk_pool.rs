//! The words of all chunk meshes in one large GPU buffer: the place of each chunk, and the words to
//! write when its mesh changes.
//!
//! A chunk has one range, in 32-bit words:
//!
//! ```text
//! 0-2    lowest voxel of the chunk: x, y, z
//! 3-6    where its opaque, cut-out and translucent quads and its dark bricks begin, from word 0;
//!        0 without dark bricks
//! 7      where its light bricks begin; 0 if everything is sunlit, 1 if everything is dark
//! 8, 9   where the quads and vertices of its surface begin; bit 31 of word 9 if quads are wide
//! 10 ... the quads of each list, two words each; the quads and vertices of the surface
//!        (SurfaceWords); the dark bricks; the light bricks
//! ```
//!
//! Offsets count from the chunk's first word, so ranges can move. A chunk that is edited gets spare
//! words after each list, and its words are also kept in memory: the next edit writes only the
//! differences.

mod layout;
mod pooled_chunk;

pub use layout::{QuadCounts, UNIT_WORDS, WordWrite, part};
pub use pooled_chunk::PooledChunk;

use crate::game::drawing::chunk_drawing::drawn_mesh::DrawnMesh;
use crate::game::drawing::chunk_drawing::range_allocator::{
    MovedRange, RangeAllocator, moved_start,
};
use layout::HEADER;
use pooled_chunk::{KeptWords, word_counts};
use rustc_hash::FxHashMap;
use std::cmp::Reverse;
use std::collections::VecDeque;
use stonerun_engine::light::LightBricks;
use stonerun_engine::voxel::ChunkPos;

/// Maximum number of chunks whose words are kept in memory.
const KEPT: usize = 256;
/// Spare words of each part of an edited chunk: 24 quads, or 16 vertices.
const SPARE: usize = 48;
/// Words of light bricks per spare word. Light has spare words because it often changes while the
/// mesh stays.
const LIGHT_PER_SPARE: usize = 8;

/// Way to make room for a chunk that finds no free range.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum MakeRoom {
    /// The buffer must grow to this many units.
    Grow(u32),
    /// The chunks must be moved together.
    Compact,
    /// The chunk at this position, which is farther away, must be removed.
    Drop(ChunkPos),
    /// No room can be made: all other chunks are as near, and the buffer may not grow.
    None,
}

/// The pool of all chunks in the buffer.
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
    /// Length of the buffer, in units of [`UNIT_WORDS`] words.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.allocator.capacity()
    }

    /// Length of all ranges that chunks use, in units of [`UNIT_WORDS`] words.
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

    /// Finds a way to make `needed` units free for the chunk at `pos`, in a buffer of at most
    /// `limit` units. Chunks far from `centre` make room for near ones.
    #[must_use]
    pub fn room_for(&self, needed: u32, pos: ChunkPos, centre: ChunkPos, limit: u32) -> MakeRoom {
        let capacity = self.capacity();
        let larger = (capacity + (capacity / 2).max(needed)).min(limit);
        if larger >= capacity + needed {
            return MakeRoom::Grow(larger);
        }
        // Compaction moves all chunks, so it must free more than this chunk needs. Otherwise each
        // following chunk would compact again.
        if capacity - self.used() >= needed + capacity / 32 {
            return MakeRoom::Compact;
        }
        let distance = |pos: ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).length_squared();
        let farthest = self.farthest(centre).filter(|&farthest| distance(farthest) > distance(pos));
        farthest.map_or(MakeRoom::None, MakeRoom::Drop)
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
        for chunk in &mut self.chunks {
            chunk.start = moved_start(&moved, chunk.start);
        }
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

    /// Replaces the mesh and the light of a chunk and passes the words to write to `write`. The
    /// mesh of an edited chunk is compared with the words in the buffer, and only differences are
    /// written. On success, the translucent quads are moved out of `drawn`.
    ///
    /// # Errors
    /// No free range is large enough; returns the units that are needed. The chunk is then not in
    /// the buffer.
    pub fn put(
        &mut self,
        pos: ChunkPos,
        drawn: &mut DrawnMesh,
        light: &LightBricks,
        edited: bool,
        visible: bool,
        mut write: impl FnMut(WordWrite),
    ) -> Result<(), u32> {
        if drawn.is_empty() {
            self.remove(pos);
            return Ok(());
        }
        if edited
            && let Some(&at) = self.index.get(&pos)
            && self.chunks[at].update(drawn, light, &mut write)
        {
            self.touch(pos);
            return Ok(());
        }
        self.remove(pos);
        let spare = if edited { SPARE } else { 0 };
        let mut room = word_counts(drawn, light).map(|words| words + spare);
        room[part::LIGHT] += light.words().len() / LIGHT_PER_SPARE;
        let mut end = HEADER;
        let offsets = room.map(|words| {
            let start = end;
            end += words;
            start as u32
        });
        let len = (end as u32).div_ceil(UNIT_WORDS);
        let start = self.allocator.allocate(len).ok_or(len)?;
        let quads = drawn.list_counts().map(|count| count as u32);
        let DrawnMesh { mesh, surface, translucent } = drawn;
        let kept = edited.then(|| KeptWords {
            opaque: mesh.opaque.clone(),
            cutout: mesh.cutout.clone(),
            surface: surface.clone(),
            dark: mesh.dark.words().to_vec(),
            light: light.clone(),
            room,
        });
        let chunk = PooledChunk {
            pos,
            start,
            len,
            quads,
            offsets,
            visible,
            translucent: std::mem::take(translucent),
            zone: None,
            kept,
        };
        write(chunk.all_words(mesh, surface, light));
        self.index.insert(pos, self.chunks.len());
        self.chunks.push(chunk);
        if edited {
            self.touch(pos);
        }
        Ok(())
    }

    /// Replaces the light of a chunk whose mesh stays, and passes the words to write to `write`.
    /// Returns false if the chunk has no room for it; then nothing is written.
    #[must_use]
    pub fn relight(
        &mut self,
        pos: ChunkPos,
        light: &LightBricks,
        mut write: impl FnMut(WordWrite),
    ) -> bool {
        // A chunk outside the buffer has no faces, or was dropped and gets its light with its mesh.
        self.index.get(&pos).is_none_or(|&at| self.chunks[at].relight(light, &mut write))
    }

    /// Marks a chunk as edited last, and drops the kept words of the chunk edited longest ago.
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

#[cfg(test)]
mod tests;
