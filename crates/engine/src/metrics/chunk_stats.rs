//! Memory of chunks and worlds: counted bytes, and the bytes that other stores would need for the
//! same voxels.
//!
//! The figures of the rivals are not estimates: their storage formulas are applied to the real
//! content (number of different voxels per section, number of rows of one value). The Roblox text's
//! "take two" defines row packing; palette packing (`palette_sections.rs`) is Minecraft's since
//! 1.18. For both rivals a voxel is a 16-bit number, as in the text (a byte of material, a byte of
//! occupancy) and in `lab/rivals`, where a test compares the real stores with these formulas. The
//! rivals' figures contain no pointers, headers or hash maps.

use super::palette_sections::Sections;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME};
use crate::world::{Chunk, World};

/// Memory figures of one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChunkStats {
    /// Number of runs.
    pub runs: u64,
    /// Number of voxels that are not air.
    pub nonempty: u64,
    /// Number of different voxels.
    pub palette: u64,
    /// Heap bytes of the run tree as requested from the allocator; 0 for a uniform chunk.
    pub heap_bytes: u64,
    /// Bytes as packed palettes: eight sections of 16^3 voxels, each with a palette of 2 bytes per
    /// entry and indices of 4 to 8 bits that do not cross 64-bit words. A section of one value has
    /// no indices; a section of more than 256 values has no palette.
    pub palette_bytes: u64,
    /// Bytes as packed rows: a header of 2 bytes for each of the 1024 rows, and 2 bytes per voxel
    /// of each row of more than one value.
    pub row_packed_bytes: u64,
}

impl ChunkStats {
    /// Measures `chunk`. Costs one walk over its runs.
    #[must_use]
    pub fn from_chunk(chunk: &Chunk) -> ChunkStats {
        let heap_bytes = chunk.heap_bytes() as u64;
        let mut stats =
            ChunkStats { runs: chunk.run_count() as u64, heap_bytes, ..ChunkStats::default() };
        let mut sections = Sections::default();
        let mut mixed_rows = 0u64;
        let mut last_mixed = u32::MAX;
        chunk.runs().for_each(|run| {
            if !run.voxel.is_air() {
                stats.nonempty += u64::from(run.len);
            }
            sections.add(&run);
            // A run that starts inside a row gives that row more than one value.
            let row = run.start / CHUNK_SIDE as u32;
            if !run.start.is_multiple_of(CHUNK_SIDE as u32) && row != last_mixed {
                mixed_rows += 1;
                last_mixed = row;
            }
        });
        // The tree's palette may be longer, because it keeps entries that edits no longer use.
        stats.palette = sections.value_count();
        stats.palette_bytes = sections.bytes();
        stats.row_packed_bytes = 2 * 1024 + 64 * mixed_rows;
        stats
    }

    /// Returns the bytes of a chunk as a dense array: 3 bytes per voxel (material and occupancy).
    #[must_use]
    pub const fn flat_bytes() -> u64 {
        CHUNK_VOLUME as u64 * 3
    }
}

/// Sums over the loaded chunks. Callers add and subtract chunks when they are loaded, edited and
/// unloaded.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorldStats {
    /// Number of loaded chunks.
    pub chunks: u64,
    /// Sums of the figures of all chunks.
    pub sum: ChunkStats,
}

impl WorldStats {
    /// Measures all chunks of `world`.
    #[must_use]
    pub fn from_world(world: &World) -> WorldStats {
        let mut stats = WorldStats::default();
        for (_, chunk) in world.chunks() {
            stats.add(&ChunkStats::from_chunk(chunk));
        }
        stats
    }

    /// Adds a chunk.
    pub fn add(&mut self, c: &ChunkStats) {
        self.chunks += 1;
        self.combine(c, |sum, part| sum + part);
    }

    /// Subtracts a chunk that was added before.
    pub fn subtract(&mut self, c: &ChunkStats) {
        self.chunks -= 1;
        self.combine(c, |sum, part| sum - part);
    }

    fn combine(&mut self, c: &ChunkStats, with: fn(u64, u64) -> u64) {
        let s = &mut self.sum;
        s.runs = with(s.runs, c.runs);
        s.nonempty = with(s.nonempty, c.nonempty);
        s.palette = with(s.palette, c.palette);
        s.heap_bytes = with(s.heap_bytes, c.heap_bytes);
        s.palette_bytes = with(s.palette_bytes, c.palette_bytes);
        s.row_packed_bytes = with(s.row_packed_bytes, c.row_packed_bytes);
    }

    /// Number of voxels in the loaded chunks.
    #[must_use]
    pub const fn voxels(&self) -> u64 {
        self.chunks * CHUNK_VOLUME as u64
    }

    /// Average length of a run in voxels; 0 if nothing is loaded.
    #[must_use]
    pub fn voxels_per_run(&self) -> f64 {
        if self.sum.runs == 0 { 0.0 } else { self.voxels() as f64 / self.sum.runs as f64 }
    }

    /// `bytes` divided by the number of voxels; 0 if nothing is loaded.
    #[must_use]
    pub fn per_voxel(&self, bytes: u64) -> f64 {
        if self.chunks == 0 { 0.0 } else { bytes as f64 / self.voxels() as f64 }
    }
}
