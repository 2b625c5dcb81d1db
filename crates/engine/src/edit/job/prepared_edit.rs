//! A finished edit that is not applied yet.

use crate::history::ChunkChange;
use rayon::prelude::*;

/// The result of a [`VoxelEdit`](crate::edit::VoxelEdit). It can be previewed or dropped before
/// [`EditableWorld::commit`](crate::edit::EditableWorld::commit) applies it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PreparedEdit {
    /// Name for the history.
    pub name: String,
    /// The chunks that differ, sorted by position.
    pub changes: Vec<ChunkChange>,
    /// Revision of the world from which the snapshot was taken.
    pub revision: u64,
}

impl PreparedEdit {
    /// Number of voxels that change. The first call may walk the runs of the chunks, on all cores.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.changes.par_iter().map(ChunkChange::volume).sum()
    }
}
