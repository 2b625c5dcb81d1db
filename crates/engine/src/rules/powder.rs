//! Powder: whole voxels fall into gas and liquids, and slide down where they cannot fall.

use super::block_set::{BlockSet, blocks, layers};
use super::kinds::{Test, fluid};
use super::patch::Patch;
use super::rows::Rows;
use super::summary::Summary;
use super::view::{BlockPos, PlaneView, plane_of};
use glam::IVec3;

/// Which voxels exchange, and their partners.
#[derive(Clone, Debug)]
pub(super) struct Sinking {
    /// Number of the rule.
    pub rule: usize,
    /// The powder of the rule.
    pub powder: Test,
    /// Parity of y of the upper voxel of each pair.
    pub parity: i32,
    /// From the upper to the lower voxel of a pair, which is one layer below.
    pub along: IVec3,
}

impl Sinking {
    /// The blocks in which a pair may exchange.
    pub fn candidates(&self, view: &PlaneView<'_>) -> BlockSet {
        let has = view.summary();
        let (mut upper, mut lower) = (has.powder & layers(self.parity), has.fluid() & !layers(self.parity));
        let side = IVec3::new(self.along.x, 0, self.along.z);
        if side != IVec3::ZERO {
            // Something holds the powder.
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
    pub fn exchange(&self, view: &PlaneView<'_>, set: BlockSet, patch: &mut Patch) {
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
    fn exchange_along(&self, view: &PlaneView<'_>, set: BlockSet, (dx, dz): (i32, i32), patch: &mut Patch) {
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

    /// Exchanges the pairs with a voxel in a block, and returns these voxels. `dx`, `dz`: offset of
    /// their partners.
    #[inline(always)]
    fn exchange_block(
        &self,
        view: &PlaneView<'_>,
        number: usize,
        is_upper: bool,
        (dx, dz): (i32, i32),
        patch: &mut Patch,
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
            // The voxel next to the upper one above the lower one must be free, and the one below
            // the upper one must be neither free nor unknown.
            let (straight, next) = (fluid(view.block(0, other)), view.shifted(at, dx, dz).read(fluid));
            sinks &= if is_upper {
                next & !straight & view.loaded(other, 0, 0)
            } else {
                straight & !next & view.loaded(at, dx, dz)
            };
        }
        if !sinks.is_empty() {
            // A loop, because a closure would be called for each plane.
            let count = block.len().max(partner.count());
            for plane in 0..count {
                patch.push_plane(partner.plane(plane).or_where_not(sinks, plane_of(block, plane)));
            }
            // Powder differs from fluids.
            patch.end_block(number, count, sinks);
        }
        sinks
    }
}
