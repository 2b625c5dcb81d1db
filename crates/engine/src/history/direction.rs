//! The two directions in which a step can be applied.

use super::ChunkChange;
use crate::voxel::SurfaceChange;
use crate::world::Chunk;

/// Direction in which a step is applied.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Direction {
    /// Restores the voxels from before the edit.
    Undo,
    /// Restores the voxels from after the edit.
    Redo,
}

impl Direction {
    /// The opposite direction.
    #[must_use]
    pub fn reversed(self) -> Direction {
        match self {
            Direction::Undo => Direction::Redo,
            Direction::Redo => Direction::Undo,
        }
    }

    /// Returns the chunk before and after a step is applied in this direction.
    #[must_use]
    pub fn sides(self, change: &ChunkChange) -> [&Chunk; 2] {
        match self {
            Direction::Undo => [&change.after, &change.before],
            Direction::Redo => [&change.before, &change.after],
        }
    }

    /// Returns the change of a chunk when a step is applied in this direction.
    #[must_use]
    pub fn change_for(self, change: &ChunkChange) -> ChunkChange {
        match self {
            Direction::Undo => change.reversed(),
            Direction::Redo => change.clone(),
        }
    }

    /// Returns the change of a surface when a step is applied in this direction.
    #[must_use]
    pub fn surface_change_for(self, change: SurfaceChange) -> SurfaceChange {
        match self {
            Direction::Undo => change.reversed(),
            Direction::Redo => change,
        }
    }
}
