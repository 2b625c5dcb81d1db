//! Powder: whole voxels fall into gas and liquids, and slide down where they cannot fall.

use super::block_set::{BlockSet, layers};
use super::kinds::{Test, fluid};
use super::patch::Patch;
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

    /// Exchanges the pairs that have a voxel in a block.
    pub fn exchange(&self, view: &PlaneView<'_>, number: usize, patch: &mut Patch) {
        let at = BlockPos::new(number);
        let block = view.block(0, at);
        let is_upper = at.y & 1 == self.parity;
        // Offset and layer of the partner.
        let (dx, dz) = if is_upper { (self.along.x, self.along.z) } else { (-self.along.x, -self.along.z) };
        let other = at.above(if is_upper { -1 } else { 1 });
        let partner = view.shifted(other, dx, dz);
        let mut sinks = if is_upper {
            self.powder.find(block) & partner.read(fluid)
        } else {
            fluid(block) & partner.read(|block| self.powder.find(block))
        };
        if sinks.is_empty() {
            return;
        }
        if (dx, dz) != (0, 0) {
            // The voxel next to the upper one above the lower one must be free, and the one below
            // the upper one must be neither free nor unknown.
            let (straight, next) = (fluid(view.block(0, other)), view.shifted(at, dx, dz).read(fluid));
            sinks &= if is_upper {
                next & !straight & view.loaded(other, 0, 0)
            } else {
                straight & !next & view.loaded(at, dx, dz)
            };
            if sinks.is_empty() {
                return;
            }
        }
        if is_upper {
            patch.count(self.rule, sinks.count(), 0);
        }
        let count = block.len().max(partner.count());
        patch.push(number, block, count, |plane| partner.plane(plane).or_where_not(sinks, plane_of(block, plane)));
    }
}
