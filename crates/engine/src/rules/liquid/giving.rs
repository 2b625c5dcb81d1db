//! Pairs of voxels in which one gives liquid to the other, and their levels afterwards.

use super::super::amounts::Numbers;
use super::super::rows::Rows;
use super::levels::Levels;

/// Sum of the levels of pairs, and its halves.
#[derive(Clone, Copy)]
pub(super) struct Shared {
    sum: Numbers,
    /// Half of the sum, rounded down: the voxel that had more keeps the odd 256th.
    down: Numbers,
    /// Half of the sum, rounded up.
    up: Numbers,
}

impl Shared {
    /// Sums of the levels of the voxels of a block and of their partners.
    #[inline(always)]
    pub fn new(here: &Levels, there: &Levels) -> Shared {
        let (sum, carry) = here.brim_deficits.plus(there.brim_deficits);
        let (down, up) = sum.halves(carry);
        Shared { sum, down, up }
    }
}

/// Voxels that give liquid to their partners.
#[derive(Clone, Copy)]
pub(super) struct Giving {
    /// Voxels that give all their liquid, because it falls over an edge or down to a lower level.
    all: Rows,
    /// Voxels that give half of the difference.
    part: Rows,
}

impl Giving {
    /// The voxels `from` that give liquid to `to`. `rests` are the voxels whose liquid cannot fall;
    /// `drops` are the voxels whose partners have room below them. Films of less than `least_depth`
    /// 256ths do not spread over what is dry.
    pub fn new<const SOLIDS: bool>(
        from: &Levels,
        to: &Levels,
        shared: &Shared,
        [rests, drops]: [Rows; 2],
        least_depth: u32,
    ) -> Giving {
        let from_wet = from.wet & rests;
        let over_edge = from_wet & to.gas & drops;
        let deep = from.brim_deficits.is_at_most(256 - least_depth);
        let to_gas = from_wet & to.gas & !drops & deep;
        let evens = from_wet & to.wet & to.brim_deficits.exceeds_by_two(from.brim_deficits);
        let mut part = to_gas | evens;
        if !SOLIDS {
            return Giving { all: over_edge, part };
        }
        let to_dry = from_wet & to.solid & !to.wet;
        if !to_dry.is_empty() {
            let (film, _) = from.brim_deficits.plus(Numbers::constant(least_depth));
            part |= to_dry & !to.brim_deficits.minus(film).1;
        }
        let below_floor = from.floor_deficits.minus(shared.down).1;
        let emptied = part & from.solid & below_floor;
        Giving { all: over_edge | emptied, part: part & !emptied }
    }

    /// The voxels that give anything.
    pub fn any(self) -> Rows {
        self.all | self.part
    }
}

/// Exchange of liquid in the pairs of a block: some voxels give, others take.
#[derive(Clone, Copy)]
pub(super) struct PairFlow {
    /// The voxels that give.
    pub given: Giving,
    /// The voxels that take.
    pub taken: Giving,
}

impl PairFlow {
    /// The voxels whose level changes.
    pub fn any(&self) -> Rows {
        self.given.any() | self.taken.any()
    }

    /// The voxels that lose all their liquid.
    pub fn emptied(&self) -> Rows {
        self.given.all
    }

    /// The new levels of the voxels that change, as [`Levels::brim_deficits`].
    #[inline(always)]
    pub fn brim_deficits(&self, shared: &Shared, here: &Levels, there: &Levels) -> Numbers {
        let halves = shared.down.or_where_not(self.given.part, shared.up);
        if here.solid.is_empty() && there.solid.is_empty() {
            // Nothing stays of what is given, so the partner's level is the new one.
            return there.brim_deficits.or_where_not(self.taken.all, halves);
        }
        let rest = shared.sum.minus(there.floor_deficits).0;
        let taken = rest.or_where_not(self.taken.all, halves);
        here.floor_deficits.or_where_not(self.given.all, taken)
    }
}
