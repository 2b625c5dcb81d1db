//! Finished edits that are not yet applied.

use crate::history::ChunkChange;
use rayon::prelude::*;

/// Result of a [`VoxelEdit`](crate::edit::VoxelEdit). Can be previewed or dropped before
/// [`EditableWorld::commit`](crate::edit::EditableWorld::commit) applies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreparedEdit {
    /// Name of the undo step.
    pub name: String,
    /// Changed chunks, sorted by position.
    pub changes: Vec<ChunkChange>,
    /// Revision of the world at the snapshot that the edit was computed from.
    pub revision: u64,
}

impl PreparedEdit {
    /// Number of changed voxels. The first call may walk the runs of all changed chunks, on all
    /// cores.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.changes.par_iter().map(ChunkChange::volume).sum()
    }
}
