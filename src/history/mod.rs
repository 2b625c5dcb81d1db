//! Undo and redo: a bounded list of packed edits.
//!
//! An edit of any size is one [`EditStep`] with a [`ChunkPatch`] per changed chunk. A step is
//! applied to all its chunks or to none. A memory limit drops the oldest steps first.
//!
//! Steps are numbered in order of creation, so a save can write what was added and removed since
//! the previous save ([`HistoryChange`]), and the map keeps the history across sessions.
//!
//! Source: the Roblox text, "Disk format", which keeps its undo history in the same form.

mod chunk_patch;
mod direction;
mod edit_step;
mod error;

pub use chunk_patch::ChunkPatch;
pub use direction::Direction;
pub use edit_step::{EditRecorder, EditStep};
pub use error::{ApplyError, RestoreError, StepError};

use crate::save::{HistoryChange, SavedHistory};
use std::collections::VecDeque;

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

    /// Adds an edit that was just made. Drops all steps that could be redone.
    pub fn record(&mut self, step: EditStep) {
        while let Some(dropped) = self.undone.pop_back() {
            self.forget(&dropped);
        }
        let numbered = NumberedStep { number: self.next_number, step };
        self.next_number += 1;
        self.memory_bytes += numbered.memory_bytes();
        self.done.push_back(numbered);
        self.changed = true;
        self.shrink();
    }

    /// Sets the memory limit in bytes and drops steps beyond it.
    pub fn set_memory_limit(&mut self, limit: usize) {
        self.memory_limit = limit;
        self.shrink();
    }

    /// Drops the oldest steps to undo, then the steps that would be redone last, down to the limit.
    fn shrink(&mut self) {
        while self.memory_bytes > self.memory_limit {
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

    /// The step to apply next in this direction.
    #[must_use]
    pub fn next_step(&self, direction: Direction) -> Option<&EditStep> {
        let next = match direction {
            Direction::Undo => self.done.back(),
            Direction::Redo => self.undone.back(),
        };
        next.map(|numbered| &numbered.step)
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

    /// Number of steps that can be undone.
    #[must_use]
    pub fn undo_count(&self) -> usize {
        self.done.len()
    }

    /// Number of steps that can be redone.
    #[must_use]
    pub fn redo_count(&self) -> usize {
        self.undone.len()
    }

    /// Memory of all steps in bytes.
    #[must_use]
    pub fn memory_bytes(&self) -> usize {
        self.memory_bytes
    }

    /// Maximum memory in bytes.
    #[must_use]
    pub fn memory_limit(&self) -> usize {
        self.memory_limit
    }
}

#[cfg(test)]
mod tests;
