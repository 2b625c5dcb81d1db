//! Parts of the world that an edit changed.

use crate::voxel::{Box3, ChunkPos, SurfaceChange};

/// Part of a chunk that an edit changed.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ChangedPart {
    /// Position of the chunk.
    pub pos: ChunkPos,
    /// Box around all changed voxels of the chunk, in world coordinates.
    pub area: Box3,
}

/// Parts that an edit, an undo or a redo changed. Empty if neither a voxel nor a surface changed.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Change {
    /// Changed parts, at most one per chunk.
    pub parts: Vec<ChangedPart>,
    /// Chunks that were loaded for the change.
    pub loaded: Vec<ChunkPos>,
    /// Change of the surface of a material, which the caller must make in the map's material table.
    pub surface: Option<SurfaceChange>,
}

impl Change {
    /// True if neither a voxel nor a surface changed.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.parts.is_empty() && self.surface.is_none()
    }

    /// Number of voxels in the boxes of the changed parts. At least the number of changed voxels.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.parts.iter().map(|part| part.area.volume()).sum()
    }
}
