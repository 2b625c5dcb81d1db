//! What a world costs: counted bytes, and beside them what other stores would need for the same voxels.
//!
//! The figures of rivals are their storage formulas applied to the real content (how many different voxels a
//! chunk has, how many of its rows are one value), not estimates. The Roblox text's "take two" defines row
//! packing; palette packing (`palette_sections.rs`) is what Minecraft does since 1.18. To both rivals a voxel is a number of 16 bits,
//! as in the text (a byte of material, one of occupancy) and in `lab/rivals`, where a test compares the real stores with
//! these formulas. No rival pays for pointers, headers of its parts, or its hash map.

use super::palette_sections::Sections;
use crate::voxel::CHUNK_VOLUME;
use crate::world::{Chunk, World};

/// Figures of one chunk.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct ChunkStats {
    /// Runs in the tree.
    pub runs: u64,
    /// Voxels that are not air.
    pub nonempty: u64,
    /// Different voxels.
    pub palette: u64,
    /// Heap bytes of the run tree, as asked of the allocator; 0 for a uniform chunk.
    pub heap_bytes: u64,
    /// Bytes of packed palettes: eight sections of 16^3, each with its own palette of 2 bytes an entry, and indices of 4
    /// to 8 bits, none across a word of 64; no indices where there is one entry, no palette where there are over 256.
    pub palette_bytes: u64,
    /// Bytes of the row-packed store: a header of 2 for each of the 1024 rows, and 2 a voxel for each row that is not one
    /// value.
    pub row_packed_bytes: u64,
}

impl ChunkStats {
    /// Counts `chunk`. Costs one walk over its runs.
    #[must_use]
    pub fn from_chunk(chunk: &Chunk) -> ChunkStats {
        let heap_bytes = chunk.heap_bytes() as u64;
        let mut stats = ChunkStats { runs: chunk.run_count() as u64, heap_bytes, ..ChunkStats::default() };
        let mut sections = Sections::default();
        let mut mixed_rows = 0u64;
        let mut last_mixed = u32::MAX;
        chunk.runs().for_each(|run| {
            if !run.voxel.is_air() {
                stats.nonempty += u64::from(run.len);
            }
            sections.add(&run);
            // A run that starts inside a row makes that row mixed.
            let row = run.start / 32;
            if run.start % 32 != 0 && row != last_mixed {
                mixed_rows += 1;
                last_mixed = row;
            }
        });
        // Not the palette's length: entries that edits left behind do not count.
        stats.palette = sections.kinds();
        stats.palette_bytes = sections.bytes();
        stats.row_packed_bytes = 2 * 1024 + 64 * mixed_rows;
        stats
    }

    /// Bytes of a flat array of this chunk, 3 bytes a voxel (material and occupancy).
    #[must_use]
    pub const fn flat_bytes() -> u64 {
        CHUNK_VOLUME as u64 * 3
    }
}

/// Sums over loaded chunks, kept current as chunks come, change and go.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorldStats {
    /// Loaded chunks.
    pub chunks: u64,
    /// Sums of the chunks' figures.
    pub sum: ChunkStats,
}

impl WorldStats {
    /// Counts all of `world`.
    #[must_use]
    pub fn from_world(world: &World) -> WorldStats {
        let mut stats = WorldStats::default();
        world.chunks().for_each(|(_, chunk)| stats.add(&ChunkStats::from_chunk(chunk)));
        stats
    }

    /// Adds a chunk.
    pub fn add(&mut self, c: &ChunkStats) {
        self.chunks += 1;
        self.combine(c, |sum, part| sum + part);
    }

    /// Takes a chunk away that was added before.
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

    /// Voxels in the loaded chunks.
    #[must_use]
    pub const fn voxels(&self) -> u64 {
        self.chunks * CHUNK_VOLUME as u64
    }

    /// Voxels a run, on average; 0 with nothing loaded.
    #[must_use]
    pub fn voxels_per_run(&self) -> f64 {
        if self.sum.runs == 0 { 0.0 } else { self.voxels() as f64 / self.sum.runs as f64 }
    }

    /// `bytes` a voxel; 0 with nothing loaded.
    #[must_use]
    pub fn per_voxel(&self, bytes: u64) -> f64 {
        if self.chunks == 0 { 0.0 } else { bytes as f64 / self.voxels() as f64 }
    }
}
