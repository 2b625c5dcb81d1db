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
        let (sum, carry) = here.brims.plus(there.brims);
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
    /// `drops` are the voxels whose partners have room below them. Films of less than `min_depth`
    /// 256ths do not spread over what is dry.
    pub fn new<const SOLIDS: bool>(
        from: &Levels,
        to: &Levels,
        shared: &Shared,
        [rests, drops]: [Rows; 2],
        min_depth: u32,
    ) -> Giving {
        let from_wet = from.wet & rests;
        let over_edge = from_wet & to.gas & drops;
        let deep = from.brims.is_at_most(256 - min_depth);
        let to_gas = from_wet & to.gas & !drops & deep;
        let evens = from_wet & to.wet & to.brims.exceeds_by_two(from.brims);
        let mut part = to_gas | evens;
        if !SOLIDS {
            return Giving { all: over_edge, part };
        }
        let to_dry = from_wet & to.solid & !to.wet;
        if !to_dry.is_empty() {
            let (film, _) = from.brims.plus(Numbers::constant(min_depth));
            part |= to_dry & !to.brims.minus(film).1;
        }
        let below_floor = from.floors.minus(shared.down).1;
        let emptied = part & from.solid & below_floor;
        Giving { all: over_edge | emptied, part: part & !emptied }
    }

    /// The voxels that give anything.
    pub fn any(self) -> Rows {
        self.all | self.part
    }
}

/// What happens to the voxels of a block: some give, others take.
#[derive(Clone, Copy)]
pub(super) struct Exchange {
    /// The voxels that give.
    pub given: Giving,
    /// The voxels that take.
    pub taken: Giving,
}

impl Exchange {
    /// The voxels whose level changes.
    pub fn any(&self) -> Rows {
        self.given.any() | self.taken.any()
    }

    /// The voxels that lose all their liquid.
    pub fn emptied(&self) -> Rows {
        self.given.all
    }

    /// The new levels of the voxels that change, as [`Levels::brims`].
    #[inline(always)]
    pub fn brims(&self, shared: &Shared, here: &Levels, there: &Levels) -> Numbers {
        let halves = shared.down.or_where_not(self.given.part, shared.up);
        if here.solid.is_empty() && there.solid.is_empty() {
            // Nothing stays of what is given, so the partner's level is the new one.
            return there.brims.or_where_not(self.taken.all, halves);
        }
        let rest = shared.sum.minus(there.floors).0;
        let taken = rest.or_where_not(self.taken.all, halves);
        here.floors.or_where_not(self.given.all, taken)
    }
}
