//! Powder: whole voxels fall into gas and liquids, and slide down where they cannot fall.

use super::kinds::{Test, fluid, powder};
use super::patch::Patch;
use super::rows::Rows;
use super::view::{BlockPos, View};
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
    /// Exchanges the pairs that have a voxel in a block.
    pub fn exchange(&self, view: &View<'_>, number: usize, patch: &mut Patch) {
        let at = BlockPos::new(number);
        let block = view.block(0, at);
        let is_upper = at.y & 1 == self.parity;
        // Offset and layer of the partner.
        let (dx, dz) = if is_upper { (self.along.x, self.along.z) } else { (-self.along.x, -self.along.z) };
        let partner = at.above(if is_upper { -1 } else { 1 });
        let of_partner = |read: &dyn Fn(&[Rows]) -> Rows| view.shifted(partner, dx, dz, read);
        let mut sinks = if is_upper { self.find(block) } else { fluid(block) };
        if sinks.is_empty() {
            return;
        }
        sinks &= if is_upper { view.shifted(partner, dx, dz, fluid) } else { of_partner(&|block| self.find(block)) };
        if sinks.is_empty() {
            return;
        }
        if (dx, dz) != (0, 0) {
            // The voxel next to the upper one above the lower one must be free, and the one below
            // the upper one must be neither free nor unknown.
            let (side, below, below_loaded) = if is_upper {
                (view.shifted(at, dx, dz, fluid), fluid(view.block(0, partner)), view.loaded(partner, 0, 0))
            } else {
                (fluid(view.block(0, partner)), view.shifted(at, dx, dz, fluid), view.loaded(at, dx, dz))
            };
            sinks &= side & !below & below_loaded;
        }
        if sinks.is_empty() {
            return;
        }
        if is_upper {
            patch.count(self.rule, sinks.count(), 0);
        }
        patch.push(number, block, |plane| {
            let read = |block: &[Rows]| block.get(plane).copied().unwrap_or_default();
            view.shifted(partner, dx, dz, read).or_where_not(sinks, read(block))
        });
    }

    #[inline(always)]
    fn find(&self, block: &[Rows]) -> Rows {
        powder(block) & self.powder.find(block)
    }
}
