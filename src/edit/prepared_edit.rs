//! An operation carried out on a snapshot, not yet applied.

use super::{ChunkSource, EditError, JobProgress, Operation};
use crate::history::ChunkChange;
use crate::voxel::ChunkPos;
use std::sync::Arc;

/// The result of an operation on a snapshot. [`EditableWorld::commit`](super::EditableWorld::commit)
/// applies it.
#[derive(Clone)]
pub struct PreparedEdit {
    /// Name for the history.
    pub name: String,
    /// The operation, to repeat it for chunks that change before the commit.
    pub operation: Arc<dyn Operation>,
    /// The chunks that differ, sorted by position.
    pub changes: Vec<ChunkChange>,
    /// Revision of the world from which the snapshot was taken.
    pub revision: u64,
}

impl PreparedEdit {
    /// Carries out an operation on all cores, on a snapshot taken at `revision` of the world.
    ///
    /// # Errors
    /// A chunk cannot be read, or `progress` was cancelled.
    pub fn prepare(
        name: impl Into<String>,
        operation: Arc<dyn Operation>,
        world: &dyn ChunkSource,
        revision: u64,
        progress: &JobProgress,
    ) -> Result<PreparedEdit, EditError> {
        let chunks: Vec<ChunkPos> = operation.chunks().into_iter().filter(|pos| pos.in_world()).collect();
        let change = |pos: ChunkPos| -> Result<Option<ChunkChange>, EditError> {
            let before = world.chunk(pos)?;
            let after = operation.apply(pos, &before, world)?;
            Ok(ChunkChange::new(pos, before, after))
        };
        let mut changes: Vec<ChunkChange> = progress.map(&chunks, |&pos| change(pos))?.into_iter().flatten().collect();
        changes.sort_unstable_by_key(|change| change.pos);
        Ok(PreparedEdit { name: name.into(), operation, changes, revision })
    }

    /// Number of voxels that change.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.changes.iter().map(ChunkChange::volume).sum()
    }
}
