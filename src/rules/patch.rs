//! What a phase changes in one chunk.

use super::block_set::{BlockSet, Changed};
use super::rows::Rows;
use super::view::plane_of;

/// Changes of one phase in one chunk. They are applied once the phase has read all chunks.
#[derive(Default)]
pub(super) struct Patch {
    /// Planes per block.
    pub len: usize,
    /// Numbers of the changed blocks.
    pub blocks: Vec<u8>,
    /// Their planes.
    pub rows: Vec<Rows>,
    /// Where voxels have changed.
    pub changed: Changed,
    /// Blocks where the phase may change a voxel later without any other change: by chance.
    pub waiting: BlockSet,
    /// What rules have done: number of the rule, voxels and amount.
    pub counts: Vec<RuleCount>,
}

/// What one rule has done.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCount {
    /// Number of the rule, in the order of the file.
    pub rule: usize,
    /// Pairs of voxels between which matter has moved, or voxels that have changed.
    pub voxels: u64,
    /// Matter that a `Change` rule has turned into another material, in 256ths of a voxel.
    pub amount: u64,
}

impl Patch {
    /// Adds a block, if it differs. `before` are its planes before.
    pub fn push(&mut self, number: usize, before: &[Rows], after: impl Fn(usize) -> Rows) {
        let mut differing = Rows::NONE;
        let first = self.rows.len();
        for plane in 0..self.len {
            let rows = after(plane);
            differing |= rows ^ plane_of(before, plane);
            self.rows.push(rows);
        }
        if differing.is_empty() {
            self.rows.truncate(first);
            return;
        }
        self.blocks.push(number as u8);
        self.changed.add(number, differing);
    }

    /// Counts what a rule has done.
    pub fn count(&mut self, rule: usize, voxels: u64, amount: u64) {
        if voxels == 0 {
            return;
        }
        match self.counts.iter_mut().find(|count| count.rule == rule) {
            Some(count) => (count.voxels, count.amount) = (count.voxels + voxels, count.amount + amount),
            None => self.counts.push(RuleCount { rule, voxels, amount }),
        }
    }
}
