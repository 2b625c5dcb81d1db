//! Undo and redo within a frame.

use super::change::Change;
use super::editable_world::{EditableWorld, Fetch, UndoError};
use crate::history::{ChunkChange, Direction, StepHandle};
use crate::voxel::{Box3, ChunkPos};
use crate::world::Chunk;

impl EditableWorld {
    /// Undoes the last edit. `fetch` reads chunks of the edit that are not loaded. Returns `None`
    /// if there is nothing to undo.
    ///
    /// # Errors
    /// A chunk or the step cannot be read. The world is then unchanged, and the edit stays the next
    /// one to undo.
    pub fn undo(&mut self, fetch: impl Fetch) -> Result<Option<Change>, UndoError> {
        self.step(Direction::Undo, fetch)
    }

    /// Redoes the last undone edit. `fetch` reads chunks of the edit that are not loaded. Returns
    /// `None` if there is nothing to redo.
    ///
    /// # Errors
    /// A chunk or the step cannot be read. The world is then unchanged, and the edit stays the next
    /// one to redo.
    pub fn redo(&mut self, fetch: impl Fetch) -> Result<Option<Change>, UndoError> {
        self.step(Direction::Redo, fetch)
    }

    /// Undoes or redoes a step, like [`EditableWorld::undo`] and [`EditableWorld::redo`]. A step
    /// whose chunks are in memory takes a few microseconds per chunk. Other steps are unpacked
    /// first, which [`EditableWorld::step_job`] does in the background.
    ///
    /// # Errors
    /// The errors of [`EditableWorld::undo`].
    pub fn step(
        &mut self,
        direction: Direction,
        mut fetch: impl Fetch,
    ) -> Result<Option<Change>, UndoError> {
        self.history.end_stroke();
        let Some(handle) = self.history.next_step(direction) else { return Ok(None) };
        let chunks = handle.chunks()?;
        if chunks.are_whole && handle.revision().is_some_and(|revision| self.is_unedited(revision))
        {
            // No voxel has changed since the step, so whole chunks can be replaced.
            let left = chunks
                .changes
                .iter()
                .map(|change| (change.area, change.pos, direction.sides(change)[1]));
            let change = self.put(left);
            return Ok(Some(self.stepped(&handle, direction, change)));
        }
        let mut put: Vec<(Box3, ChunkPos, Chunk)> = Vec::with_capacity(chunks.changes.len());
        for change in chunks.changes.iter() {
            let pos = change.pos;
            let [found, left] = direction.sides(change);
            let loaded = self.world.chunk(pos);
            let is_found = chunks.are_whole
                && handle.revision().is_some_and(|revision| self.is_unedited_since(pos, revision));
            if is_found || loaded.is_some_and(|chunk| chunk.shares_runs(found)) {
                put.push((change.area, pos, left.clone()));
                continue;
            }
            let changed =
                direction.change_for(change).rebased_on(self.current_chunk(pos, &mut fetch)?);
            put.extend(changed.map(|ChunkChange { area, after, .. }| (area, pos, after)));
        }
        let change = self.put(put.iter().map(|(area, pos, chunk)| (*area, *pos, chunk)));
        Ok(Some(self.stepped(&handle, direction, change)))
    }

    /// Updates history and awake blocks after a step was undone or redone, and adds the step's
    /// change of a surface to `change`.
    ///
    /// A redo wakes rules as the edit did. An undo instead restores the blocks that were awake
    /// before the edit. If it woke the voxels around the edit, sand that had hung in the air before
    /// the edit would fall after the undo.
    pub(super) fn stepped(
        &mut self,
        step: &StepHandle,
        direction: Direction,
        change: Change,
    ) -> Change {
        let number = step.number();
        self.history.mark_applied(direction, self.revision);
        let chunks = change.parts.iter().map(|part| part.pos);
        match direction {
            Direction::Undo => self.awake.restore(number, chunks),
            Direction::Redo => {
                self.history.begin_following(number, chunks.collect());
                self.wake(&change);
            }
        }
        let surface = step.step().surface().map(|change| direction.surface_change_for(change));
        Change { surface, ..change }
    }
}
