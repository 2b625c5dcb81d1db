//! Undo and redo: what edits did, packed, and back again.
//!
//! An edit of any size is one *step*: a [`Patch`] for each chunk that it changed. Steps are kept up to a limit of memory; beyond
//! it the oldest go. A step is undone in all its chunks or in none. So far the game's edits are of one voxel each.
//!
//! Source: the Roblox text, "Disk format", which keeps its undo history so.

mod patch;

pub use patch::{Patch, Side};

use self::patch::ALLOCATION;
use crate::voxel::{Box3, ChunkPos, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;
use std::collections::VecDeque;

/// One edit.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    patches: Box<[Patch]>,
}

/// Chunks as they are before an edit.
pub struct Draft {
    area: Box3,
    chunks: Vec<(ChunkPos, Chunk)>,
}

impl Draft {
    /// Notes what is loaded of `area`. Chunks are shared, so that this copies none.
    #[must_use]
    pub fn of(world: &World, area: Box3) -> Draft {
        let loaded = |pos: ChunkPos| world.chunk(pos).map(|chunk| (pos, chunk.clone()));
        Draft { area, chunks: world.positions_in(area).into_iter().filter_map(loaded).collect() }
    }

    /// The step, now that the edit is done; none if it changed nothing.
    #[must_use]
    pub fn finish(self, world: &World) -> Option<Step> {
        let patch = |(pos, before): &(ChunkPos, Chunk)| Patch::of(*pos, self.area, before, world.chunk(*pos)?);
        let patches: Box<[Patch]> = self.chunks.iter().filter_map(patch).collect();
        (!patches.is_empty()).then_some(Step { patches })
    }
}

impl Step {
    /// That one voxel became another; none if it did not.
    #[must_use]
    pub fn of_voxel(at: IVec3, before: Voxel, after: Voxel) -> Option<Step> {
        let (pos, area) = (ChunkPos::containing(at), Box3 { min: at, max: at + 1 });
        let [before, after] = [before, after].map(Chunk::uniform);
        Patch::of(pos, area, &before, &after).map(|patch| Step { patches: [patch].into() })
    }

    /// What it did, chunk by chunk.
    #[must_use]
    pub fn patches(&self) -> &[Patch] {
        &self.patches
    }

    /// Bytes of memory, with what the allocator takes for itself, about.
    #[must_use]
    pub fn bytes(&self) -> usize {
        size_of::<Step>() + ALLOCATION + self.patches.iter().map(Patch::bytes).sum::<usize>()
    }

    /// Makes all that it changed as it was on one side of the edit. On an error nothing was done.
    ///
    /// # Errors
    /// One line: a chunk is not loaded, or a patch is bad.
    pub fn apply(&self, world: &mut World, side: Side) -> Result<(), String> {
        let made = |patch: &Patch| {
            let pos = patch.pos();
            let chunk = world.chunk(pos).ok_or_else(|| format!("chunk {pos} is not loaded"))?;
            patch.applied(chunk, side).map(|chunk| (pos, chunk)).map_err(|e| format!("chunk {pos}: {e}"))
        };
        let all: Vec<(ChunkPos, Chunk)> = self.patches.iter().map(made).collect::<Result<_, String>>()?;
        all.into_iter().for_each(|(pos, chunk)| drop(world.insert(pos, chunk)));
        Ok(())
    }
}

/// The steps that can be undone and redone.
#[derive(Clone, Debug)]
pub struct History {
    /// The last one last.
    done: VecDeque<Step>,
    /// The one that was undone last is last.
    undone: VecDeque<Step>,
    bytes: usize,
    limit: usize,
}

impl History {
    /// An empty one, of at most so many bytes.
    #[must_use]
    pub fn new(limit: usize) -> History {
        History { done: VecDeque::new(), undone: VecDeque::new(), bytes: 0, limit }
    }

    /// Adds what was just done. What was undone before cannot be redone any more.
    pub fn record(&mut self, step: Step) {
        self.undone.drain(..).for_each(|step| self.bytes -= step.bytes());
        self.bytes += step.bytes();
        self.done.push_back(step);
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
            let Some(step) = oldest else { return };
            self.bytes -= step.bytes();
        }
    }

    /// The step that would be undone, or redone, next.
    #[must_use]
    pub fn next(&self, side: Side) -> Option<&Step> {
        if side == Side::Before { self.done.back() } else { self.undone.back() }
    }

    /// Notes that [`History::next`] was applied to the world on that side.
    pub fn moved(&mut self, side: Side) {
        match side {
            Side::Before => self.undone.extend(self.done.pop_back()),
            Side::After => self.done.extend(self.undone.pop_back()),
        }
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
