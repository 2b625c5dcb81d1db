//! Undo and redo in the background, for steps that must be unpacked first.

use super::change::Change;
use super::editable_world::{EditableWorld, Fetch, UndoError};
use crate::edit::{ChunkSource, EditError, JobProgress};
use crate::history::{ChunkChange, Direction, StepChunks, StepHandle};
use crate::voxel::{Box3, ChunkPos};
use crate::world::Chunk;

/// Maximum number of chunks of a step to unpack within a frame.
const IMMEDIATE_CHUNKS: u64 = 64;

/// A job that prepares the next undo or redo on any thread.
#[derive(Clone, Debug)]
pub struct StepJob {
    step: StepHandle,
    id: StepId,
    revision: u64,
}

/// Identity of the undo or redo that a job prepares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct StepId {
    /// Number of the step in the history.
    pub number: u64,
    /// Undo or redo.
    pub direction: Direction,
    /// Count of rewritten steps ([`History::rewrites`](crate::history::History::rewrites)) when the
    /// job began. A later count means that the step may have changed since.
    rewrites: u64,
}

/// A prepared undo or redo that is not yet applied.
#[derive(Clone, Debug)]
pub struct PreparedStep {
    /// Identity of the undo or redo.
    pub id: StepId,
    /// Chunks before and after the undo or redo, sorted by position.
    pub changes: Vec<ChunkChange>,
    /// Revision of the world when the job was made. The snapshot that the step was computed on is
    /// at least as new.
    pub revision: u64,
}

impl StepJob {
    /// Name of the step.
    #[must_use]
    pub fn name(&self) -> &str {
        self.step.step().name()
    }

    /// Identity of the undo or redo that the job prepares.
    #[must_use]
    pub fn id(&self) -> StepId {
        self.id
    }

    /// Unpacks the step and computes the changed chunks, on the threads of the current pool.
    /// `world` is a snapshot taken when the job was made, or later.
    ///
    /// # Errors
    /// The step or a chunk cannot be read, or the job was cancelled.
    pub fn run(
        &self,
        world: &dyn ChunkSource,
        progress: &JobProgress,
    ) -> Result<PreparedStep, EditError> {
        let chunks = self.step.chunks()?;
        let changed = |change: &ChunkChange| {
            Ok(self.id.direction.change_for(change).rebased_on(world.chunk(change.pos)?))
        };
        let changes = progress.map(&chunks.changes, changed)?.into_iter().flatten().collect();
        Ok(PreparedStep { id: self.id, changes, revision: self.revision })
    }
}

impl EditableWorld {
    /// True if the next undo or redo would take too long for a frame: its step has many chunks, and
    /// they are not in memory or have changed since the step.
    #[must_use]
    pub fn needs_step_job(&self, direction: Direction) -> bool {
        let Some(next) = self.history.next_step(direction) else { return false };
        let is_left = |chunks: StepChunks| {
            let are_whole = chunks.are_whole;
            let revision = next.revision();
            are_whole
                && revision
                    .is_some_and(|revision| self.edited_since(&*chunks.changes, revision) == 0)
        };
        next.step().chunk_count() > IMMEDIATE_CHUNKS && !next.step().chunks().is_some_and(is_left)
    }

    /// Job that prepares the next undo or redo; `None` if there is no step. Ends the current
    /// stroke.
    pub fn step_job(&mut self, direction: Direction) -> Option<StepJob> {
        self.history.end_stroke();
        let step = self.history.next_step(direction)?;
        let id = StepId { number: step.number(), direction, rewrites: self.history.rewrites() };
        Some(StepJob { step, id, revision: self.revision })
    }

    /// Applies a prepared undo or redo at one moment. Where a chunk was changed since the snapshot,
    /// the voxels of the step win and all others keep their current values; `fetch` reads such
    /// chunks if they are not loaded.
    ///
    /// # Errors
    /// Another edit, undo or redo was made since the job began, so that the step is not the next
    /// one; or a chunk cannot be read. The world is then unchanged.
    pub fn commit_step(
        &mut self,
        prepared: PreparedStep,
        mut fetch: impl Fetch,
    ) -> Result<Change, UndoError> {
        self.history.end_stroke();
        let PreparedStep { id: StepId { number, direction, rewrites }, changes, revision } =
            prepared;
        let next = self.history.next_step(direction).filter(|next| next.number() == number);
        let Some(step) = next else { return Err(UndoError::Outdated) };
        if rewrites != self.history.rewrites() {
            // Rules may have added changes to the step since the job began, so it is computed
            // again.
            return Ok(self.step(direction, fetch)?.unwrap_or_default());
        }
        let mut put: Vec<(Box3, ChunkPos, Chunk)> = Vec::with_capacity(changes.len());
        for change in changes {
            let pos = change.pos;
            let change = if self.is_unedited_since(pos, revision) {
                Some(change)
            } else {
                change.rebased_on(self.current_chunk(pos, &mut fetch)?)
            };
            put.extend(change.map(|ChunkChange { area, after, .. }| (area, pos, after)));
        }
        let change = self.put(put.iter().map(|(area, pos, chunk)| (*area, *pos, chunk)));
        Ok(self.stepped(&step, direction, change))
    }
}
