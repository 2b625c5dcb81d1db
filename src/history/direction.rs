//! Undo or redo.

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
}
