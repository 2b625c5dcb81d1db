//! A chunk before and after an edit.

use crate::voxel::{Box3, ChunkPos};
use crate::world::Chunk;

/// A chunk before and after an edit. Both are shared handles: unchanged chunks cost nothing.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ChunkChange {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// Smallest box around the voxels that differ, in voxels of the world.
    pub area: Box3,
    /// The chunk before the edit.
    pub before: Chunk,
    /// The chunk after the edit.
    pub after: Chunk,
}

impl ChunkChange {
    /// The change of a chunk; `None` if no voxel differs.
    #[must_use]
    pub fn new(pos: ChunkPos, before: Chunk, after: Chunk) -> Option<ChunkChange> {
        let area = Box3::around_ranges(pos, before.differing_ranges(&after))?;
        Some(ChunkChange { pos, area, before, after })
    }

    /// Number of voxels that differ.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.before.differing_ranges(&self.after).map(|range| range.len() as u64).sum()
    }
}
