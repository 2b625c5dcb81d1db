//! A finished edit that is not applied yet.

use crate::history::ChunkChange;

/// The result of a [`VoxelEdit`](super::VoxelEdit).
/// [`EditableWorld::commit`](super::EditableWorld::commit) applies it; until then it can be
/// previewed or dropped.
#[derive(Clone, Debug)]
pub struct PreparedEdit {
    /// Name for the history.
    pub name: String,
    /// The chunks that differ, sorted by position.
    pub changes: Vec<ChunkChange>,
    /// Revision of the world from which the snapshot was taken.
    pub revision: u64,
}

impl PreparedEdit {
    /// Number of voxels that change.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.changes.iter().map(|change| change.volume).sum()
    }
}
