//! The parts of the world that an edit changed.

use crate::voxel::{Box3, ChunkPos};

/// The part of a chunk that an edit changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedPart {
    /// The chunk.
    pub pos: ChunkPos,
    /// Box that holds all changed voxels of the chunk, in voxels of the world.
    pub area: Box3,
}

/// The parts that an edit, an undo or a redo changed. Empty if no voxel changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// Changed parts, each chunk at most once.
    pub parts: Vec<ChangedPart>,
    /// Chunks that were not loaded and had to be loaded for the change.
    pub loaded: Vec<ChunkPos>,
}

impl Change {
    /// True if no voxel changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty()
    }

    /// Number of voxels in the changed parts.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.parts.iter().map(|part| part.area.volume()).sum()
    }
}
