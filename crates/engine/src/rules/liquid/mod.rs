//! Liquids, whose level is their occupancy. They fall as far as they fit, then spread sideways.
//!
//! Water also flows into and out of what solids leave free. A solid stands at the bottom of its
//! voxel, so its water lies on it and falls no further.
//!
//! The new levels of a pair are computed in the same way in the blocks of both voxels, so blocks
//! can be computed independently. The liquid of both together stays the same.

mod flow;
mod giving;
mod levels;

use super::amounts::{DEFICIT_BITS, Numbers};
use super::block_set::{BlockSet, layers};
use super::kinds::gas;
use super::patch::PhasePatch;
use super::rows::Rows;
use super::summary::Summary;
use super::view::{BlockPos, PlaneView, plane_of};
pub(super) use flow::Flow;
use giving::{Giving, PairFlow, Shared};
use glam::IVec3;
use levels::{Levels, Partners};

/// Rows at even z.
const EVEN_ROWS: Rows = Rows([u32::MAX, 0, u32::MAX, 0, u32::MAX, 0, u32::MAX, 0]);
/// Voxels at even x.
const EVEN_X: Rows = Rows([0x5555_5555; 8]);

/// A horizontal axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    /// The axis from west to east.
    X,
    /// The axis from north to south.
    Z,
}

impl Flow {
    /// Adds a block in which the levels of the voxels `changed` become `brim_deficits`, as
    /// [`Levels::brim_deficits`].
    #[inline(always)]
    fn push(
        &self,
        view: &PlaneView<'_>,
        patch: &mut PhasePatch,
        number: usize,
        here: &Levels,
        [changed, emptied]: [Rows; 2],
        brim_deficits: Numbers,
    ) {
        let block = view.block(0, BlockPos::new(number));
        let in_solids = changed & here.solid;
        let becomes_gas = emptied & !here.solid;
        let becomes_liquid = changed & !here.solid & !emptied;
        let dry = view.code_bits + DEFICIT_BITS;
        let count = if in_solids.is_empty() { dry.max(block.len()) } else { dry + DEFICIT_BITS };
        let liquids = if in_solids.is_empty() {
            brim_deficits
        } else {
            here.floor_deficits.minus(brim_deficits).0
        };
        patch.push(number, block, count, |plane| {
            let before = plane_of(block, plane);
            if let Some(bit) = plane.checked_sub(dry) {
                return liquids.0[bit].or_where_not(in_solids, before);
            }
            match plane.checked_sub(view.code_bits) {
                None => {
                    let bit = |code: u8| Rows::splat(code >> plane & 1 == 1);
                    let after = bit(self.code).or_where_not(becomes_liquid, before);
                    bit(self.air).or_where_not(becomes_gas, after)
                }
                Some(bit) => (brim_deficits.0[bit] & !becomes_gas)
                    .or_where_not(becomes_liquid | becomes_gas, before),
            }
        });
    }

    /// The blocks in which the liquid may fall.
    pub fn falling(&self, view: &PlaneView<'_>, parity: i32) -> BlockSet {
        let has = view.summary();
        let mut upper = has.liquid & layers(parity);
        let mut lower = has.room() & !layers(parity);
        if upper != 0 {
            upper &= view.seen(IVec3::NEG_Y, Summary::room);
        }
        if lower != 0 {
            lower &= view.seen(IVec3::Y, |has| has.liquid);
        }
        upper | lower
    }

    /// Lets the liquid fall in all pairs with a voxel in a block. `parity` is the parity of y of
    /// each pair's upper voxel.
    pub fn fall(&self, view: &PlaneView<'_>, number: usize, parity: i32, patch: &mut PhasePatch) {
        let at = BlockPos::new(number);
        let is_upper = at.y & 1 == parity;
        let other = at.above(if is_upper { -1 } else { 1 });
        let (upper, lower) = if is_upper { (at, other) } else { (other, at) };
        let [upper, lower] = [upper, lower].map(|at| view.block(0, at));
        if self.liquid.find(upper).is_empty() {
            return;
        }
        let upper = Levels::new::<false>(self, view.code_bits, upper);
        let lower = Levels::new::<true>(self, view.code_bits, lower);
        let falls = upper.liquid & lower.has_room();
        if falls.is_empty() {
            return;
        }
        // If everything fits, the upper voxel becomes gas: the sum is 256 plus the new number of
        // the lower voxel. Otherwise the lower voxel becomes full, and the sum is the new number of
        // the upper voxel.
        let (sum, _) = upper.brim_deficits.plus(lower.brim_deficits);
        let fits = falls & sum.is_256();
        if is_upper {
            patch.count(self.rule, falls.count(), 0);
            self.push(view, patch, number, &upper, [falls, fits], sum);
        } else {
            self.push(view, patch, number, &lower, [falls, Rows::NONE], sum.low_bits(fits));
        }
    }

    /// The blocks in which the liquid may spread along an axis, and the blocks next to which it may
    /// flow into or out of solids.
    pub(crate) fn spreading(&self, view: &PlaneView<'_>, axis: Axis) -> [BlockSet; 2] {
        let along = if axis == Axis::X { IVec3::X } else { IVec3::Z };
        let takes = self.solids.is_some();
        let liquid = |has: &Summary| has.liquid | if takes { has.wet } else { 0 };
        let here = view.summary();
        // Liquid above gas falls and does not spread.
        let mut resting = match here.liquid {
            0 => 0,
            liquid => liquid & view.seen(IVec3::NEG_Y, Summary::matter),
        };
        if takes {
            resting |= here.wet;
        }
        let near = |by: IVec3| view.seen_from(by, resting, liquid);
        let set = match near(along) | near(-along) {
            0 => return [0; 2],
            set => set & (view.seen(along, Summary::room) | view.seen(-along, Summary::room)),
        };
        let solids = |by: IVec3| view.seen(by, |has| has.layers);
        let below = |by: IVec3| view.seen(by + IVec3::NEG_Y, |has| has.layers);
        let near_solids = match takes && set != 0 {
            true => solids(along) | solids(-along) | below(along) | below(-along),
            false => 0,
        };
        [set, set & near_solids]
    }

    /// Evens out the levels in all pairs with a voxel in a block. `parity` is the parity of each
    /// pair's first voxel along the axis. Solids take part if `SOLIDS` is set.
    pub fn spread<const SOLIDS: bool>(
        &self,
        view: &PlaneView<'_>,
        number: usize,
        axis: Axis,
        parity: i32,
        patch: &mut PhasePatch,
    ) {
        let at = BlockPos::new(number);
        let below = at.above(-1);
        // Blocks begin at even x and z.
        let even = if axis == Axis::X { EVEN_X } else { EVEN_ROWS };
        let is_first = if parity == 0 { even } else { !even };
        let (dx, dz) = if axis == Axis::X { (1, 0) } else { (0, 1) };
        // Pairs whose first voxels are even lie inside a block.
        let shifted = |at: BlockPos, dx: i32, dz: i32| match parity {
            0 => view.shifted_inside(at, dx, dz),
            _ => view.shifted(at, dx, dz),
        };
        let partners = |at: BlockPos| Partners {
            next: shifted(at, dx, dz),
            previous: shifted(at, -dx, -dz),
            is_first,
        };
        let block = view.block(0, at);
        let block_below = view.block(0, below);
        let partner = partners(at);
        let partner_below = partners(below);
        if !SOLIDS {
            let [ours, theirs] =
                [self.liquid.find(block), partner.read(|block| self.liquid.find(block))];
            let pairs = ours & (theirs | partner.read(gas)) | theirs & gas(block);
            if pairs.is_empty() {
                return;
            }
            // Ends early for falling liquid, which is most of the liquid that moves.
            if ((ours & !gas(block_below) | theirs & !partner_below.read(gas)) & pairs).is_empty() {
                return;
            }
        }
        let planes = view.code_bits + if SOLIDS { 2 * DEFICIT_BITS } else { DEFICIT_BITS };
        let levels = |block: &[Rows]| Levels::new::<SOLIDS>(self, view.code_bits, block);
        let here = levels(block);
        let there = levels(&partner.planes(planes)[..planes]);
        let pairs = here.wet & there.open() | there.wet & here.open();
        // Equal levels stay.
        if (here.brim_deficits.differs(there.brim_deficits) & pairs).is_empty() {
            return;
        }
        let here_room = levels(block_below).has_room();
        let there_room = levels(&partner_below.planes(planes)[..planes]).has_room();
        let mut loaded = pairs;
        if !view.all_loaded {
            for at in [at, below] {
                let partner =
                    view.loaded(at, dx, dz).or_where_not(is_first, view.loaded(at, -dx, -dz));
                loaded &= view.loaded(at, 0, 0) & partner;
            }
        }
        let shared = Shared::new(&here, &there);
        let gives = |[from, to]: [&Levels; 2], [from_room, to_room]: [Rows; 2]| {
            let rests = loaded & !from_room;
            let rests = if SOLIDS { rests | loaded & from.solid } else { rests };
            Giving::new::<SOLIDS>(from, to, &shared, [rests, to_room], self.least_depth)
        };
        let flow = PairFlow {
            given: gives([&here, &there], [here_room, there_room]),
            taken: gives([&there, &here], [there_room, here_room]),
        };
        if flow.any().is_empty() {
            return;
        }
        patch.count(self.rule, flow.given.any().count(), 0);
        let brim_deficits = flow.brim_deficits(&shared, &here, &there);
        let changed = [flow.any(), flow.emptied()];
        self.push(view, patch, number, &here, changed, brim_deficits);
    }
}
