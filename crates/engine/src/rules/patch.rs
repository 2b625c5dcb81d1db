//! What a phase changes in one chunk.

use super::block_set::{BlockSet, Changed};
use super::kinds::KindSet;
use super::rows::Rows;
use super::view::plane_of;

/// Changes of one phase in one chunk. They are applied once the phase has read all chunks.
#[derive(Default)]
pub(super) struct Patch {
    /// Bits of a code.
    code_bits: usize,
    /// The changed blocks: numbers, and numbers of planes.
    blocks: Vec<(u8, u8)>,
    /// Their planes.
    rows: Vec<Rows>,
    /// Where voxels have changed.
    pub changed: Changed,
    /// Blocks where the phase may change a voxel later without any other change: by chance.
    pub waiting: BlockSet,
    /// Kinds from and to which changes lead, for each rule.
    pub causes: Vec<KindSet>,
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
    /// No changes, for codes of this many bits.
    pub fn new(code_bits: usize) -> Patch {
        Patch { code_bits, ..Patch::default() }
    }

    /// Adds a block of `count` planes, if it differs. `before` are its planes before. Planes of the
    /// deficit are left out if all voxels are full.
    #[inline]
    pub fn push(&mut self, number: usize, before: &[Rows], count: usize, after: impl Fn(usize) -> Rows) {
        let mut differing = Rows::NONE;
        let first = self.rows.len();
        for plane in 0..count {
            let rows = after(plane);
            differing |= rows ^ plane_of(before, plane);
            self.rows.push(rows);
        }
        // Planes beyond `count` were empty, and stay so.
        if differing.is_empty() {
            self.rows.truncate(first);
            return;
        }
        self.end_block(number, count, differing);
    }

    /// Adds a plane of a block: all planes of a block follow each other, then it is ended.
    #[inline(always)]
    pub fn push_plane(&mut self, plane: Rows) {
        self.rows.push(plane);
    }

    /// Reserves memory for changes of these blocks, without planes of the deficit.
    pub fn reserve(&mut self, set: BlockSet) {
        let count = set.count_ones() as usize;
        self.blocks.reserve(count);
        self.rows.reserve(count * self.code_bits);
    }

    /// Ends a block of `count` planes, in which exactly the voxels `differing` differ.
    #[inline(always)]
    pub fn end_block(&mut self, number: usize, count: usize, differing: Rows) {
        let first = self.rows.len() - count;
        if self.rows[first + self.code_bits..].iter().all(|rows| rows.is_empty()) {
            self.rows.truncate(first + self.code_bits);
        }
        self.blocks.push((number as u8, (self.rows.len() - first) as u8));
        self.changed.add(number, differing);
    }

    /// The changed blocks: their numbers and planes.
    pub fn blocks(&self) -> impl ExactSizeIterator<Item = (usize, &[Rows])> {
        let mut rest = &self.rows[..];
        self.blocks.iter().map(move |&(number, count)| {
            let (planes, after) = rest.split_at(count.into());
            rest = after;
            (number.into(), planes)
        })
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
