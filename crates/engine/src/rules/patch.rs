//! Changes of a phase in a chunk.

use super::amounts::DEFICIT_BITS;
use super::block_set::{BlockSet, Changed};
use super::kinds::RuleKindSet;
use super::rows::Rows;
use super::view::plane_of;

/// Changes of one phase in one chunk. They are applied after the phase has read all chunks, so that
/// every chunk is evaluated on the state before the phase.
#[derive(Default)]
pub(super) struct PhasePatch {
    /// Bits of a code.
    code_bits: usize,
    /// Number of each changed block, and how many planes it has in `rows`.
    blocks: Vec<(u8, u8)>,
    /// Planes of the changed blocks.
    rows: Vec<Rows>,
    /// Changed blocks and their borders.
    pub changed: Changed,
    /// Blocks that stay pending, because chance may change a voxel in a later step.
    pub waiting: BlockSet,
    /// Kinds before and after the changes, one set for each rule.
    pub(crate) causes: Vec<RuleKindSet>,
    /// Effects of each rule.
    pub counts: Vec<RuleCount>,
}

/// Effects of one rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RuleCount {
    /// Number of the rule: its index in [`RuleSet::names`](super::RuleSet::names).
    pub rule: usize,
    /// Number of pairs of voxels between which matter has moved, or of voxels that have changed.
    pub voxels: u64,
    /// Matter that a `Change` or `Support` rule has turned into another material, in 256ths of a
    /// voxel.
    pub amount: u64,
}

impl PhasePatch {
    /// Creates an empty patch for codes of `code_bits` bits.
    pub fn new(code_bits: usize) -> PhasePatch {
        PhasePatch { code_bits, ..PhasePatch::default() }
    }

    /// Adds a block of `count` planes, which `after` returns, if they differ from `before`. Planes
    /// of the deficit are left out if all voxels are full.
    #[inline]
    pub fn push(
        &mut self,
        number: usize,
        before: &[Rows],
        count: usize,
        after: impl Fn(usize) -> Rows,
    ) {
        let mut differing = Rows::NONE;
        let first = self.rows.len();
        for plane in 0..count {
            let rows = after(plane);
            differing |= rows ^ plane_of(before, plane);
            self.rows.push(rows);
        }
        // `before` has no set bits beyond `count` planes.
        if differing.is_empty() {
            self.rows.truncate(first);
            return;
        }
        self.end_block(number, count, differing);
    }

    /// Adds the next plane of a block. [`PhasePatch::end_block`] must follow the last one.
    #[inline(always)]
    pub(crate) fn push_plane(&mut self, plane: Rows) {
        self.rows.push(plane);
    }

    /// Reserves memory for changes of these blocks, not counting planes of the deficit.
    pub fn reserve(&mut self, set: BlockSet) {
        let count = set.count_ones() as usize;
        self.blocks.reserve(count);
        self.rows.reserve(count * self.code_bits);
    }

    /// Ends a block of `count` planes in which exactly the voxels `differing` differ.
    #[inline(always)]
    pub(crate) fn end_block(&mut self, number: usize, count: usize, differing: Rows) {
        let first = self.rows.len() - count;
        // Drops the planes of the water, and of the deficit, if they are empty.
        for kept in [self.code_bits + DEFICIT_BITS, self.code_bits] {
            let rest = self.rows.get(first + kept..).unwrap_or_default();
            if !rest.iter().all(|rows| rows.is_empty()) {
                break;
            }
            self.rows.truncate(first + kept);
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

    /// Adds to the effects of a rule.
    pub fn count(&mut self, rule: usize, voxels: u64, amount: u64) {
        if voxels == 0 {
            return;
        }
        match self.counts.iter_mut().find(|count| count.rule == rule) {
            Some(count) => {
                count.voxels += voxels;
                count.amount += amount;
            }
            None => self.counts.push(RuleCount { rule, voxels, amount }),
        }
    }
}
