//! Undo and redo: a bounded list of packed edits.
//!
//! An edit of any size is one [`EditStep`] with a [`ChunkPatch`] per changed chunk. A step is
//! applied to all its chunks or to none. A memory limit drops the oldest steps first.
//!
//! Voxels that are changed one by one between [`History::begin_stroke`] and
//! [`History::end_stroke`] become one step. A save during a stroke writes the step so far; the next
//! save replaces it.
//!
//! Steps are numbered in order of creation, so a save can write what was added and removed since
//! the previous save ([`HistoryChange`]), and the map keeps the history across sessions.
//!
//! Source: the Roblox text, "Disk format", which keeps its undo history in the same form.

mod chunk_change;
mod chunk_patch;
mod direction;
mod edit_step;
mod error;
mod stroke;

pub use chunk_change::ChunkChange;
pub use chunk_patch::ChunkPatch;
pub use direction::Direction;
pub use edit_step::{EditRecorder, EditStep};
pub use error::{ApplyError, RestoreError, StepError};

use crate::save::{HistoryChange, SavedHistory};
use crate::voxel::{Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;
use std::collections::VecDeque;
use stroke::Stroke;

/// A step and its number. Later steps have higher numbers.
#[derive(Clone, Debug)]
struct NumberedStep {
    number: u64,
    step: EditStep,
}

impl NumberedStep {
    fn memory_bytes(&self) -> usize {
        size_of::<NumberedStep>() + self.step.memory_bytes()
    }
}

/// The steps that can be undone and redone.
#[derive(Clone, Debug)]
pub struct History {
    /// Steps to undo, by rising number; the next one is last.
    done: VecDeque<NumberedStep>,
    /// Steps to redo, by falling number; the next one is last.
    undone: VecDeque<NumberedStep>,
    memory_bytes: usize,
    memory_limit: usize,
    next_number: u64,
    /// Steps below this number are unchanged since the last save.
    saved_below: u64,
    /// True if the history differs from the last save.
    changed: bool,
    /// The open stroke. While it has changes there is nothing to redo.
    stroke: Option<Stroke>,
}

impl History {
    /// An empty history that holds at most `memory_limit` bytes.
    #[must_use]
    pub fn new(memory_limit: usize) -> History {
        History {
            done: VecDeque::new(),
            undone: VecDeque::new(),
            memory_bytes: 0,
            memory_limit,
            next_number: 1,
            saved_below: 1,
            changed: false,
            stroke: None,
        }
    }

    /// An empty history for a map whose saved one is damaged. The next save deletes the saved
    /// steps.
    #[must_use]
    pub fn replacing_saved(memory_limit: usize) -> History {
        History { changed: true, ..History::new(memory_limit) }
    }

    /// The saved history of a map with `material_count` materials.
    ///
    /// # Errors
    /// A step is malformed.
    pub fn from_saved(
        saved: SavedHistory,
        material_count: usize,
        memory_limit: usize,
    ) -> Result<History, RestoreError> {
        let mut history = History::new(memory_limit);
        for (number, bytes) in saved.steps {
            let step = EditStep::from_bytes(bytes, material_count).map_err(|source| RestoreError { number, source })?;
            let numbered = NumberedStep { number, step };
            history.memory_bytes += numbered.memory_bytes();
            history.next_number = number + 1;
            if number <= saved.last_done {
                history.done.push_back(numbered);
            } else {
                history.undone.push_front(numbered);
            }
        }
        history.saved_below = history.next_number;
        history.shrink();
        Ok(history)
    }

    /// Adds an edit that was just made. Drops all steps that could be redone. Ends an open stroke.
    pub fn record(&mut self, step: EditStep) {
        self.end_stroke();
        self.drop_undone();
        self.push(self.next_number, step);
        self.shrink();
    }

    /// Adds the change of one voxel that is about to be made, to the open stroke or as a step of
    /// its own. `chunk` is the voxel's chunk before the change. Drops all steps that could be
    /// redone.
    pub fn record_voxel(&mut self, at: IVec3, chunk: &Chunk, voxel: Voxel) {
        let Some(stroke) = &mut self.stroke else {
            let step = EditStep::from_voxel(at, chunk.get(linear_index(local(at))), voxel);
            return step.into_iter().for_each(|step| self.record(step));
        };
        stroke.add(at, chunk, voxel);
        self.changed = true;
        self.drop_undone();
        self.shrink();
    }

    /// Begins a stroke: voxels recorded from here on become one step. Keeps a stroke that is open.
    pub fn begin_stroke(&mut self) {
        self.stroke.get_or_insert_default();
    }

    /// True while a stroke is open.
    #[must_use]
    pub fn in_stroke(&self) -> bool {
        self.stroke.is_some()
    }

    /// Ends the open stroke, if any. It becomes a step unless it changed nothing.
    pub fn end_stroke(&mut self) {
        self.pack_stroke();
        self.stroke = None;
        self.shrink();
    }

    /// Writes the open stroke as the last step, in place of the step that an earlier save wrote.
    fn pack_stroke(&mut self) {
        let Some(stroke) = self.stroke.as_mut().filter(|stroke| stroke.changed) else { return };
        stroke.changed = false;
        let step = stroke.to_step();
        let mut number = self.next_number;
        if std::mem::replace(&mut stroke.recorded, step.is_some())
            && let Some(outdated) = self.done.pop_back()
        {
            number = outdated.number;
            self.forget(&outdated);
        }
        if let Some(step) = step {
            self.push(number, step);
        }
    }

    /// Adds a step to undo.
    fn push(&mut self, number: u64, step: EditStep) {
        let numbered = NumberedStep { number, step };
        self.next_number = self.next_number.max(number + 1);
        self.memory_bytes += numbered.memory_bytes();
        self.done.push_back(numbered);
        self.changed = true;
    }

    /// Drops all steps that could be redone.
    fn drop_undone(&mut self) {
        while let Some(dropped) = self.undone.pop_back() {
            self.forget(&dropped);
        }
    }

    /// Sets the memory limit in bytes and drops steps beyond it.
    pub fn set_memory_limit(&mut self, limit: usize) {
        self.memory_limit = limit;
        self.shrink();
    }

    /// Drops the oldest steps to undo, then the steps that would be redone last, down to the limit.
    /// A stroke that is alone at the limit ends: as a step it is smaller.
    fn shrink(&mut self) {
        while self.memory_bytes() > self.memory_limit {
            let recorded = self.stroke.as_ref().is_some_and(|stroke| stroke.recorded);
            if self.stroke.is_some() && self.done.len() == usize::from(recorded) {
                self.pack_stroke();
                self.stroke = None;
                continue;
            }
            let oldest = self.done.pop_front().or_else(|| self.undone.pop_front());
            let Some(dropped) = oldest else { return };
            self.forget(&dropped);
        }
    }

    fn forget(&mut self, dropped: &NumberedStep) {
        self.memory_bytes -= dropped.memory_bytes();
        self.changed = true;
        // A save always deletes all steps below the oldest one.
        if self.done.front().is_none_or(|oldest| oldest.number < dropped.number) {
            self.saved_below = self.saved_below.min(dropped.number);
        }
    }

    /// The step to apply next in this direction. An open stroke does not count: end it before.
    #[must_use]
    pub fn next_step(&self, direction: Direction) -> Option<&EditStep> {
        let next = match direction {
            Direction::Undo => self.done.back(),
            Direction::Redo => self.undone.back(),
        };
        next.map(|numbered| &numbered.step)
    }

    /// The steps that can be undone, newest first. An open stroke does not count.
    pub fn done_steps(&self) -> impl Iterator<Item = &EditStep> {
        self.done.iter().rev().map(|numbered| &numbered.step)
    }

    /// Records that [`History::next_step`] was applied to the world.
    pub fn mark_applied(&mut self, direction: Direction) {
        match direction {
            Direction::Undo => self.undone.extend(self.done.pop_back()),
            Direction::Redo => self.done.extend(self.undone.pop_back()),
        }
        self.changed = true;
    }

    /// Takes the changes since the last call, for a save; `None` if nothing has changed.
    pub fn take_change(&mut self) -> Option<HistoryChange> {
        self.pack_stroke();
        self.shrink();
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let is_new = |numbered: &&NumberedStep| numbered.number >= self.saved_below;
        let new = self.done.iter().rev().take_while(is_new).chain(self.undone.iter().take_while(is_new));
        let added = new.map(|numbered| (numbered.number, numbered.step.bytes().clone())).collect();
        let first = self.done.front().or(self.undone.back()).map_or(self.next_number, |numbered| numbered.number);
        let last_done = self.done.back().map_or(0, |numbered| numbered.number);
        let change = HistoryChange { first, unchanged_below: self.saved_below, added, last_done };
        self.saved_below = self.next_number;
        Some(change)
    }

    /// Number of steps that can be undone. An open stroke with changes counts as one.
    #[must_use]
    pub fn undo_count(&self) -> usize {
        let unrecorded = self.stroke.as_ref().is_some_and(|stroke| stroke.changed && !stroke.recorded);
        self.done.len() + usize::from(unrecorded)
    }

    /// Number of steps that can be redone.
    #[must_use]
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }

    /// Memory of all steps and of the open stroke, in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes + self.stroke.as_ref().map_or(0, Stroke::memory_bytes)
    }

    /// Maximum memory in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }
}

#[cfg(test)]
mod tests;
