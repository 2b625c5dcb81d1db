//! Undo and redo: what edits did, packed, and back again.
//!
//! An edit of any size is one [`Step`]: a [`Patch`] for each chunk that it changed. Steps are kept up to a limit of memory; beyond
//! it the oldest go. A step is undone in all its chunks or in none. So far the game's edits are of one voxel each.
//!
//! Steps are numbered as they are made, so that a save can say which came and which went since the last one: the map keeps them
//! over quitting ([`HistoryChange`]).
//!
//! Source: the Roblox text, "Disk format", which keeps its undo history so.

mod patch;
mod step;

pub use patch::{Patch, Side};
pub use step::{Draft, Step};

use crate::save::{HistoryChange, SavedHistory};
use std::collections::VecDeque;

/// A step and its number: later ones have higher numbers.
#[derive(Clone, Debug)]
struct Numbered {
    number: u64,
    step: Step,
}

impl Numbered {
    fn memory(&self) -> usize {
        size_of::<Numbered>() + self.step.memory()
    }
}

/// The steps that can be undone and redone.
#[derive(Clone, Debug)]
pub struct History {
    /// By rising numbers: the last one last.
    done: VecDeque<Numbered>,
    /// By falling numbers: the one that was undone last is last.
    undone: VecDeque<Numbered>,
    bytes: usize,
    limit: usize,
    /// The number of the next step.
    next: u64,
    /// The steps below this number are as a save took them.
    taken: u64,
    /// Whether anything is otherwise than a save took it.
    changed: bool,
}

impl History {
    /// An empty one, of at most so many bytes.
    #[must_use]
    pub fn new(limit: usize) -> History {
        let (done, undone) = (VecDeque::new(), VecDeque::new());
        History { done, undone, bytes: 0, limit, next: 1, taken: 1, changed: false }
    }

    /// An empty one in the place of one that a map kept, and that is bad: the next save deletes it.
    #[must_use]
    pub fn lost(limit: usize) -> History {
        History { changed: true, ..History::new(limit) }
    }

    /// That which a map kept, whose material table has so many entries.
    ///
    /// # Errors
    /// A step is bad: which, and why.
    pub fn restored(kept: SavedHistory, materials: usize, limit: usize) -> Result<History, String> {
        let mut history = History::new(limit);
        for (number, bytes) in kept.steps {
            let step = Step::read(bytes, materials).map_err(|e| format!("step {number}: {e}"))?;
            let numbered = Numbered { number, step };
            history.bytes += numbered.memory();
            history.next = number + 1;
            if number <= kept.last_done {
                history.done.push_back(numbered);
            } else {
                history.undone.push_front(numbered);
            }
        }
        history.taken = history.next;
        history.shrink();
        Ok(history)
    }

    /// Adds what was just done. What was undone before cannot be redone any more.
    pub fn record(&mut self, step: Step) {
        while let Some(dropped) = self.undone.pop_back() {
            self.forget(&dropped);
        }
        let numbered = Numbered { number: self.next, step };
        self.next += 1;
        self.bytes += numbered.memory();
        self.done.push_back(numbered);
        self.changed = true;
        self.shrink();
    }

    /// Sets the limit, in bytes.
    pub fn set_limit(&mut self, limit: usize) {
        self.limit = limit;
        self.shrink();
    }

    /// Forgets the oldest steps, then those that would be redone last, until the limit holds.
    fn shrink(&mut self) {
        while self.bytes > self.limit {
            let oldest = self.done.pop_front().or_else(|| self.undone.pop_front());
            let Some(dropped) = oldest else { return };
            self.forget(&dropped);
        }
    }

    fn forget(&mut self, dropped: &Numbered) {
        self.bytes -= dropped.memory();
        self.changed = true;
        // Those below the oldest a save deletes anyway.
        if self.done.front().is_none_or(|oldest| oldest.number < dropped.number) {
            self.taken = self.taken.min(dropped.number);
        }
    }

    /// The step that would be undone, or redone, next.
    #[must_use]
    pub fn next(&self, side: Side) -> Option<&Step> {
        let next = if side == Side::Before { self.done.back() } else { self.undone.back() };
        next.map(|numbered| &numbered.step)
    }

    /// Notes that [`History::next`] was applied to the world on that side.
    pub fn moved(&mut self, side: Side) {
        match side {
            Side::Before => self.undone.extend(self.done.pop_back()),
            Side::After => self.done.extend(self.undone.pop_back()),
        }
        self.changed = true;
    }

    /// What a save has to write since the last that was taken; none if nothing has changed.
    pub fn take_change(&mut self) -> Option<HistoryChange> {
        if !std::mem::take(&mut self.changed) {
            return None;
        }
        let is_new = |numbered: &&Numbered| numbered.number >= self.taken;
        let new = self.done.iter().rev().take_while(is_new).chain(self.undone.iter().take_while(is_new));
        let added = new.map(|numbered| (numbered.number, numbered.step.bytes().clone())).collect();
        let first = self.done.front().or(self.undone.back()).map_or(self.next, |numbered| numbered.number);
        let last_done = self.done.back().map_or(0, |numbered| numbered.number);
        let change = HistoryChange { first, unchanged_below: self.taken, added, last_done };
        self.taken = self.next;
        Some(change)
    }

    /// How many steps can be undone, and how many redone.
    #[must_use]
    pub fn steps(&self) -> (usize, usize) {
        (self.done.len(), self.undone.len())
    }

    /// Bytes of memory.
    #[must_use]
    pub fn bytes(&self) -> usize {
        self.bytes
    }

    /// The most bytes that are kept.
    #[must_use]
    pub fn limit(&self) -> usize {
        self.limit
    }
}

#[cfg(test)]
mod tests;
