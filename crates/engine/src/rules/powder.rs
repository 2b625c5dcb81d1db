//! Powder: whole voxels that fall into gas and liquids, and slide down where they cannot fall.

use super::block_set::{BlockSet, blocks, layers};
use super::kinds::{Test, fluid};
use super::patch::PhasePatch;
use super::rows::Rows;
use super::summary::Summary;
use super::view::{BlockPos, PlaneView, plane_of};
use glam::IVec3;

/// Exchange of powder with fluids in pairs of voxels.
#[derive(Clone, Debug)]
pub(super) struct Sinking {
    /// Number of the rule.
    pub rule: usize,
    /// Test for the powder of the rule.
    pub powder: Test,
    /// Parity of y of the upper voxel of each pair.
    pub parity: i32,
    /// Offset from the upper to the lower voxel of a pair, which is one layer below.
    pub along: IVec3,
}

impl Sinking {
    /// The blocks in which a pair may exchange.
    pub fn candidates(&self, view: &PlaneView<'_>) -> BlockSet {
        let has = view.summary();
        let mut upper = has.powder & layers(self.parity);
        let mut lower = has.fluid() & !layers(self.parity);
        let side = IVec3::new(self.along.x, 0, self.along.z);
        if side != IVec3::ZERO {
            // Powder slides only where firm matter below keeps it from falling.
            upper &= view.seen(IVec3::NEG_Y, |has| has.firm);
            lower &= view.seen(-side, |has| has.firm);
        }
        if upper != 0 {
            upper &= view.seen(self.along, Summary::fluid);
        }
        if lower != 0 {
            lower &= view.seen(-self.along, |has| has.powder);
        }
        upper | lower
    }

    /// Exchanges the pairs that have a voxel in one of these blocks.
    pub fn exchange(&self, view: &PlaneView<'_>, set: BlockSet, patch: &mut PhasePatch) {
        patch.reserve(set);
        // With constant offsets the compiler makes a faster loop for each direction.
        match (self.along.x, self.along.z) {
            (1, _) => self.exchange_along(view, set, (1, 0), patch),
            (-1, _) => self.exchange_along(view, set, (-1, 0), patch),
            (_, 1) => self.exchange_along(view, set, (0, 1), patch),
            (_, -1) => self.exchange_along(view, set, (0, -1), patch),
            _ => self.exchange_along(view, set, (0, 0), patch),
        }
    }

    #[inline(always)]
    fn exchange_along(
        &self,
        view: &PlaneView<'_>,
        set: BlockSet,
        (dx, dz): (i32, i32),
        patch: &mut PhasePatch,
    ) {
        let uppers = layers(self.parity);
        let mut count = 0;
        for number in blocks(set & uppers) {
            count += self.exchange_block(view, number, true, (dx, dz), patch).count();
        }
        for number in blocks(set & !uppers) {
            self.exchange_block(view, number, false, (-dx, -dz), patch);
        }
        patch.count(self.rule, count, 0);
    }

    /// Exchanges the pairs with a voxel in a block, and returns these voxels. `dx` and `dz` lead to
    /// the partners.
    #[inline(always)]
    fn exchange_block(
        &self,
        view: &PlaneView<'_>,
        number: usize,
        is_upper: bool,
        (dx, dz): (i32, i32),
        patch: &mut PhasePatch,
    ) -> Rows {
        let at = BlockPos::new(number);
        let block = view.block(0, at);
        // The layer of the partner.
        let other = at.above(if is_upper { -1 } else { 1 });
        let partner = view.shifted(other, dx, dz);
        let mut sinks = if is_upper {
            self.powder.find(block) & partner.read(fluid)
        } else {
            fluid(block) & partner.read(|block| self.powder.find(block))
        };
        if (dx, dz) != (0, 0) && !sinks.is_empty() {
            // The voxel above the lower one must be free to slide through, and the one below the
            // upper one must be loaded and not free, else the powder falls.
            let straight = fluid(view.block(0, other));
            let next = view.shifted(at, dx, dz).read(fluid);
            sinks &= if is_upper {
                next & !straight & view.loaded(other, 0, 0)
            } else {
                straight & !next & view.loaded(at, dx, dz)
            };
        }
        if !sinks.is_empty() {
            // A loop instead of `PhasePatch::push`, whose closure would be called for each plane.
            let count = block.len().max(partner.count());
            for plane in 0..count {
                patch.push_plane(partner.plane(plane).or_where_not(sinks, plane_of(block, plane)));
            }
            // All exchanged voxels differ, because powder is no fluid.
            patch.end_block(number, count, sinks);
        }
        sinks
    }
}
