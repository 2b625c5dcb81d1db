//! Rules by which a voxel becomes another material because of the voxels around it.

use super::amounts::{DEFICIT_BITS, Numbers};
use super::block_set::{ALL_BLOCKS, BlockSet};
use super::chance::Chance;
use super::kinds::{RuleKindSet, Test, gas};
use super::patch::PhasePatch;
use super::product::Product;
use super::rows::Rows;
use super::view::{BlockPos, PlaneView, plane_of};
use crate::voxel::neighbour_offsets;
use glam::IVec3;
use std::ops::RangeInclusive;

/// The neighbours that a condition counts.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum CountedNeighbours {
    /// The six neighbours that share a face.
    Faces,
    /// The four horizontal neighbours that share a face.
    Sides,
    /// All 26 neighbours.
    All,
}

impl CountedNeighbours {
    fn offsets(self) -> impl Iterator<Item = IVec3> {
        neighbour_offsets().filter(move |by| match (self, by.abs().element_sum()) {
            (_, 0) => false,
            (CountedNeighbours::All, _) => true,
            (CountedNeighbours::Faces, distance) => distance == 1,
            (CountedNeighbours::Sides, distance) => distance == 1 && by.y == 0,
        })
    }
}

/// A condition for a change.
#[derive(Clone, Debug)]
pub(super) enum Condition {
    /// The voxel above or below is of some kinds.
    Vertical {
        /// 1 for the voxel above, -1 for the one below.
        dy: i32,
        /// Test for the kinds.
        is: Test,
        /// The same kinds as a set, to skip chunks without them.
        kinds: RuleKindSet,
    },
    /// All voxels above, up to a height, are of some kinds.
    Clear {
        /// Test for the kinds.
        is: Test,
        /// The same kinds as a set.
        kinds: RuleKindSet,
        /// Number of voxels above that must all match.
        height: i32,
    },
    /// The number of neighbours of some kinds is in a range.
    Count {
        /// The neighbours that count.
        among: CountedNeighbours,
        /// Test for the kinds.
        of: Test,
        /// The same kinds as a set, to skip chunks without them.
        kinds: RuleKindSet,
        /// Accepted numbers of neighbours.
        number: RangeInclusive<u32>,
    },
    /// The amount of the voxel in 256ths is in a range.
    Amount(RangeInclusive<u32>),
}

/// A rule that changes voxels.
#[derive(Clone, Debug)]
pub(super) struct ChangeRule {
    /// Number of the rule.
    pub rule: usize,
    /// Test for the kinds that change.
    pub of: Test,
    /// The same kinds as a set, to skip chunks without them.
    pub kinds: RuleKindSet,
    /// Conditions that must all hold.
    pub conditions: Vec<Condition>,
    /// Chance in each step, if the conditions hold; `None` if the rule always acts.
    pub chance: Option<Chance>,
    /// New material.
    pub becomes: Product,
}

impl ChangeRule {
    /// False if the rule cannot act in a chunk that holds `kinds` and has `around` in its Moore
    /// neighbourhood.
    pub(crate) fn may_act(&self, kinds: RuleKindSet, around: RuleKindSet) -> bool {
        let may_hold = |condition: &Condition| match condition {
            Condition::Count { kinds, number, .. } => *number.start() == 0 || around.meets(*kinds),
            Condition::Vertical { kinds, .. } => around.meets(*kinds),
            Condition::Clear { .. } | Condition::Amount(_) => true,
        };
        self.kinds.meets(kinds) && self.conditions.iter().all(may_hold)
    }

    /// The blocks in which the rule may act.
    pub fn candidates(&self, view: &PlaneView<'_>) -> BlockSet {
        self.of.motion().map_or(ALL_BLOCKS, |motion| view.summary().moving(motion))
    }

    /// Voxels of a block for which all conditions hold.
    fn find(&self, view: &PlaneView<'_>, at: BlockPos, mut found: Rows) -> Rows {
        let block = view.block(0, at);
        found &= self.of.find(block) & self.becomes.allowed(view.code_bits, block);
        for condition in &self.conditions {
            if found.is_empty() {
                break;
            }
            match condition {
                Condition::Vertical { dy, is, .. } => {
                    found &= is.find(view.block(0, at.above(*dy)))
                }
                Condition::Clear { is, height, .. } => {
                    found &= clear_above(view, at, is, *height, found)
                }
                Condition::Count { among, of, number, .. } => {
                    found &= count(view, at, *among, of, number)
                }
                Condition::Amount(range) => found &= amounts_in(view, view.block(0, at), range),
            }
        }
        found
    }
}

/// Voxels of `found` under `height` loaded voxels that all pass the test `is`.
fn clear_above(
    view: &PlaneView<'_>,
    at: BlockPos,
    is: &Test,
    height: i32,
    mut found: Rows,
) -> Rows {
    for above in (1..=height).map(|dy| at.above(dy)) {
        found &= is.find(view.block(0, above)) & view.loaded(above, 0, 0);
        if found.is_empty() {
            break;
        }
    }
    found
}

/// Voxels of a block whose amounts are in a range.
fn amounts_in(view: &PlaneView<'_>, block: &[Rows], range: &RangeInclusive<u32>) -> Rows {
    let deficits = Numbers::deficits(gas(block), |bit| plane_of(block, view.code_bits + bit));
    // The deficit is 256 minus the amount.
    let too_much =
        255u32.checked_sub(*range.end()).map_or(Rows::NONE, |limit| deficits.is_at_most(limit));
    deficits.is_at_most(256 - range.start()) & !too_much
}

/// Voxels of a block for which the number of neighbours that pass the test `of` is in a range.
fn count(
    view: &PlaneView<'_>,
    at: BlockPos,
    among: CountedNeighbours,
    of: &Test,
    number: &RangeInclusive<u32>,
) -> Rows {
    // The number of neighbours of each voxel, one plane per bit.
    let mut sums = [Rows::NONE; 5];
    for by in among.offsets() {
        let mut carry = view.shifted(at.above(by.y), by.x, by.z).read(|block| of.find(block));
        for sum in &mut sums {
            (*sum, carry) = (*sum ^ carry, *sum & carry);
        }
    }
    let mut found = Rows::NONE;
    for wanted in *number.start()..=*number.end().min(&26) {
        let bits = sums.iter().enumerate();
        found |= bits
            .fold(Rows::ALL, |all, (bit, sum)| all & (*sum ^ Rows::splat(wanted >> bit & 1 == 0)));
    }
    found
}

/// Applies rules to a block. Each voxel is changed by the first rule that acts on it. `draws`
/// returns the hash of seed, step and rule.
pub(super) fn apply(
    changes: &[&ChangeRule],
    view: &PlaneView<'_>,
    number: usize,
    draws: impl Fn(usize) -> u64,
    patch: &mut PhasePatch,
) {
    let at = BlockPos::new(number);
    let mut free = view.neighbourhood_loaded(at);
    let block = view.block(0, at);
    let mut after: Option<Vec<Rows>> = None;
    let origin = view.pos().origin() + IVec3::new(0, at.y, at.z * 8);
    for change in changes {
        let mut found = change.find(view, at, free);
        if found.is_empty() {
            continue;
        }
        if let Some(chance) = change.chance {
            found = drawn(found, chance, draws(change.rule), origin, number, patch);
            if found.is_empty() {
                continue;
            }
        }
        free &= !found;
        let cause = change.kinds.union(change.becomes.brings());
        if !patch.causes.contains(&cause) {
            patch.causes.push(cause);
        }
        patch.count(change.rule, found.count(), matter(view, block, found));
        let after = after.get_or_insert_with(|| block.to_vec());
        change.becomes.put(found, view.code_bits, after);
    }
    if let Some(after) = after {
        patch.push(number, block, after.len(), |plane| after[plane]);
    }
}

/// Draws the voxels of `possible` on which a rule acts by chance. The block stays pending for the
/// other voxels. `origin` is the position of the block's first voxel.
pub(super) fn drawn(
    possible: Rows,
    chance: Chance,
    draws: u64,
    origin: IVec3,
    number: usize,
    patch: &mut PhasePatch,
) -> Rows {
    let found = possible
        .filter(|row, x| chance.happens(draws, origin + IVec3::new(x as i32, 0, row as i32)));
    if found != possible {
        patch.waiting |= 1 << number;
    }
    found
}

/// Matter in some voxels of a block, in 256ths of a voxel.
pub(super) fn matter(view: &PlaneView<'_>, block: &[Rows], found: Rows) -> u64 {
    let voxels = found & !gas(block);
    let missing = (0..DEFICIT_BITS).filter_map(|bit| Some((block.get(view.code_bits + bit)?, bit)));
    256 * voxels.count() - missing.map(|(rows, bit)| (*rows & voxels).count() << bit).sum::<u64>()
}
