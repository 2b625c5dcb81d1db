//! Liquids, whose level is their occupancy. They fall as far as they fit, then spread sideways.
//!
//! The new levels of a pair are computed in the same way in the blocks of both voxels, so blocks
//! can be computed independently. The sum of the two levels stays the same.

use super::amounts::Numbers;
use super::block_set::{BlockSet, layers};
use super::kinds::{Test, gas};
use super::patch::PhasePatch;
use super::planes::DEFICIT_BITS;
use super::rows::Rows;
use super::summary::Summary;
use super::view::{BlockPos, MAX_PLANES, PlaneView, Shifted, plane_of};
use glam::IVec3;

/// Rows at even z.
const EVEN_ROWS: Rows = Rows([u32::MAX, 0, u32::MAX, 0, u32::MAX, 0, u32::MAX, 0]);
/// Voxels at even x.
const EVEN_X: Rows = Rows([0x5555_5555; 8]);

/// A liquid and the rule by which it flows.
#[derive(Clone, Debug)]
pub(super) struct Flow {
    /// Number of the rule.
    pub rule: usize,
    /// Test for voxels of the liquid.
    pub liquid: Test,
    /// Code of the liquid's kind.
    pub code: u8,
    /// Code of air.
    pub air: u8,
    /// Minimum amount that spreads on flat ground, in 256ths of a voxel, from 2 to 256.
    pub least_depth: u32,
}

/// A horizontal axis.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Axis {
    /// The axis from west to east.
    X,
    /// The axis from north to south.
    Z,
}

/// Voxels of a block with the liquid, voxels with gas, and all deficits.
#[derive(Clone, Copy)]
struct Levels {
    liquid: Rows,
    gas: Rows,
    deficits: Numbers,
}

impl Levels {
    /// Levels of the voxels of a block.
    #[inline(always)]
    fn new(flow: &Flow, code_bits: usize, block: &[Rows]) -> Levels {
        let gas = gas(block);
        let deficits = Numbers::deficits(gas, |bit| plane_of(block, code_bits + bit));
        Levels { liquid: flow.liquid.find(block), gas, deficits }
    }

    /// The voxels into which more of the liquid fits.
    fn has_room(&self) -> Rows {
        self.gas | self.liquid & self.deficits.is_positive()
    }
}

/// Partners of the voxels of a block: for each voxel, the next or the previous one along the axis.
#[derive(Clone, Copy)]
struct Partners<'a> {
    next: Shifted<'a>,
    previous: Shifted<'a>,
    /// Voxels whose partner is the next voxel along the axis. The others have the previous voxel.
    is_first: Rows,
}

impl Partners<'_> {
    #[inline(always)]
    fn read(&self, read: impl Fn(&[Rows]) -> Rows) -> Rows {
        self.next.read(&read).or_where_not(self.is_first, self.previous.read(&read))
    }

    /// All planes of the partners.
    #[inline(always)]
    fn planes(&self, count: usize) -> [Rows; MAX_PLANES] {
        let mut planes = [Rows::NONE; MAX_PLANES];
        for (plane, rows) in planes[..count].iter_mut().enumerate() {
            *rows = self.read(|block| plane_of(block, plane));
        }
        planes
    }
}

impl Flow {
    /// Adds a block in which some voxels become liquid with `deficits`, some become gas, and the
    /// others stay.
    fn push(
        &self,
        view: &PlaneView<'_>,
        patch: &mut PhasePatch,
        number: usize,
        [becomes_liquid, becomes_gas]: [Rows; 2],
        deficits: impl Fn(usize) -> Rows,
    ) {
        let block = view.block(0, BlockPos::new(number));
        patch.push(number, block, view.code_bits + DEFICIT_BITS, |plane| {
            let before = plane_of(block, plane);
            match plane.checked_sub(view.code_bits) {
                None => {
                    let bit = |code: u8| Rows::splat(code >> plane & 1 == 1);
                    let after = bit(self.code).or_where_not(becomes_liquid, before);
                    bit(self.air).or_where_not(becomes_gas, after)
                }
                Some(bit) => (deficits(bit) & !becomes_gas)
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
        let [upper, lower] = [upper, lower].map(|block| Levels::new(self, view.code_bits, block));
        let falls = upper.liquid & lower.has_room();
        if falls.is_empty() {
            return;
        }
        // If everything fits, the upper voxel becomes gas: the sum of the deficits is 256 plus the
        // new deficit of the lower voxel. Otherwise the lower voxel becomes full, and the sum is
        // the new deficit of the upper voxel.
        let (sum, _) = upper.deficits.plus(lower.deficits);
        let fits = falls & sum.is_256();
        let stays = falls & !fits;
        if is_upper {
            patch.count(self.rule, falls.count(), 0);
            self.push(view, patch, number, [stays, fits], |bit| sum.0[bit]);
        } else {
            self.push(view, patch, number, [falls, Rows::NONE], |bit| sum.0[bit] & fits);
        }
    }

    /// The blocks in which the liquid may spread along an axis.
    pub(crate) fn spreading(&self, view: &PlaneView<'_>, axis: Axis) -> BlockSet {
        let along = if axis == Axis::X { IVec3::X } else { IVec3::Z };
        let liquid = view.summary().liquid;
        // Liquid above gas falls and does not spread.
        let resting =
            if liquid == 0 { 0 } else { liquid & view.seen(IVec3::NEG_Y, Summary::matter) };
        let near = |by: IVec3| view.seen_from(by, resting, |has| has.liquid);
        match near(along) | near(-along) {
            0 => 0,
            liquid => liquid & (view.seen(along, Summary::room) | view.seen(-along, Summary::room)),
        }
    }

    /// Evens out the levels in all pairs with a voxel in a block. `parity` is the parity of each
    /// pair's first voxel along the axis.
    pub fn spread(
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
        let there = partners(at);
        let [ours, theirs] = [self.liquid.find(block), there.read(|block| self.liquid.find(block))];
        let pairs = ours & (theirs | there.read(gas)) | theirs & gas(block);
        if pairs.is_empty() {
            return;
        }
        // Ends early for falling liquid, which is most of the liquid that moves.
        let block_below = view.block(0, below);
        let there_below = partners(below);
        if ((ours & !gas(block_below) | theirs & !there_below.read(gas)) & pairs).is_empty() {
            return;
        }
        let planes = view.code_bits + DEFICIT_BITS;
        let here = Levels::new(self, view.code_bits, block);
        let there = Levels::new(self, view.code_bits, &there.planes(planes)[..planes]);
        // Equal levels stay.
        if ((here.deficits.differs(there.deficits)) & pairs).is_empty() {
            return;
        }
        let here_room = Levels::new(self, view.code_bits, block_below).has_room();
        let there_room =
            Levels::new(self, view.code_bits, &there_below.planes(planes)[..planes]).has_room();
        let mut loaded = Rows::ALL;
        if !view.all_loaded {
            for at in [at, below] {
                let partner =
                    view.loaded(at, dx, dz).or_where_not(is_first, view.loaded(at, -dx, -dz));
                loaded &= view.loaded(at, 0, 0) & partner;
            }
        }
        let given = self.gives(&here, &there, loaded & !here_room, there_room);
        let taken = self.gives(&there, &here, loaded & !there_room, here_room);
        if (given.any() | taken.any()).is_empty() {
            return;
        }
        patch.count(self.rule, given.any().count(), 0);
        let (sum, carry) = here.deficits.plus(there.deficits);
        // The voxel that had more keeps the odd 256th.
        let (less, more) = sum.halves(carry);
        let liquid = given.part | taken.part | taken.all;
        self.push(view, patch, number, [liquid, given.all], |bit| {
            let shared = less.0[bit].or_where_not(given.part, more.0[bit]);
            there.deficits.0[bit].or_where_not(taken.all, shared)
        });
        debug_assert!(
            (less.0[DEFICIT_BITS] & given.part | more.0[DEFICIT_BITS] & taken.part).is_empty()
        );
    }

    /// The voxels that give liquid to their partners. `rests` are the voxels that cannot fall;
    /// `drops` are the voxels whose partners have room below them.
    fn gives(&self, from: &Levels, to: &Levels, rests: Rows, drops: Rows) -> Giving {
        let from_liquid = from.liquid & rests;
        let over_edge = from_liquid & to.gas & drops;
        let deep = from.deficits.is_at_most(256 - self.least_depth);
        let to_gas = from_liquid & to.gas & !drops & deep;
        let evens = from_liquid & to.liquid & to.deficits.exceeds_by_two(from.deficits);
        Giving { all: over_edge, part: to_gas | evens }
    }
}

/// Voxels that give liquid to their partners.
#[derive(Clone, Copy)]
struct Giving {
    /// Voxels that give all their liquid, because it falls over an edge.
    all: Rows,
    /// Voxels that give half of the difference.
    part: Rows,
}

impl Giving {
    fn any(self) -> Rows {
        self.all | self.part
    }
}
