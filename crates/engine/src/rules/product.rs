//! Materials that voxels become, and the water that stays with them.

use super::amounts::{DEFICIT_BITS, Numbers};
use super::kinds::RuleKindSet;
use super::rows::Rows;

/// The kind that a voxel becomes. The voxel keeps its occupancy unless it becomes air.
#[derive(Clone, Copy, Debug)]
pub(super) struct Product {
    /// Code of the new kind.
    pub code: u8,
    /// True if the new kind is air.
    pub is_air: bool,
    /// The new kind.
    pub kind: RuleKindSet,
    /// Fate of the water in a wet voxel.
    pub water: WaterOfProduct,
}

/// Fate of the water in a wet voxel that changes. No water is lost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum WaterOfProduct {
    /// The new matter leaves the same room for it.
    Stays,
    /// The voxel becomes water: the matter is gone or has become water itself.
    Remains {
        /// Code of water.
        code: u8,
        /// Kind of water.
        kind: RuleKindSet,
    },
    /// The new matter takes no water, so wet voxels do not change.
    Forbids,
}

impl Product {
    /// The kinds that the change brings.
    pub fn brings(self) -> RuleKindSet {
        match self.water {
            WaterOfProduct::Remains { kind, .. } => self.kind.union(kind),
            WaterOfProduct::Stays | WaterOfProduct::Forbids => self.kind,
        }
    }

    /// The voxels of a block that can become the product.
    pub fn allowed(self, code_bits: usize, block: &[Rows]) -> Rows {
        match self.water {
            WaterOfProduct::Forbids => !wet(code_bits, block),
            _ => Rows::ALL,
        }
    }

    /// Writes the kind to the voxels `found` in the planes of a block.
    pub fn put(self, found: Rows, code_bits: usize, planes: &mut [Rows]) {
        let wet = found & wet(code_bits, planes);
        let found = if let WaterOfProduct::Remains { code, .. } = self.water
            && !wet.is_empty()
        {
            self.leave_water(wet, code, code_bits, planes);
            found & !wet
        } else {
            found
        };
        for (plane, rows) in planes.iter_mut().enumerate() {
            if plane < code_bits {
                *rows = Rows::splat(self.code >> plane & 1 == 1).or_where_not(found, *rows);
            } else if self.is_air {
                *rows &= !found;
            }
        }
    }

    /// Turns the voxels `wet` to water: of their water alone, or with their matter if that becomes
    /// water, too.
    fn leave_water(self, wet: Rows, code: u8, code_bits: usize, planes: &mut [Rows]) {
        let (codes, amounts) = planes.split_at_mut(code_bits);
        let (deficits, liquids) = amounts.split_at_mut(DEFICIT_BITS);
        let full = match self.is_air {
            true => Numbers::constant(256),
            false => Numbers::from_planes(|bit| deficits[bit]),
        };
        let (after, _) = full.minus(Numbers::from_planes(|bit| liquids[bit]));
        for (bit, rows) in codes.iter_mut().enumerate() {
            *rows = Rows::splat(code >> bit & 1 == 1).or_where_not(wet, *rows);
        }
        for (rows, after) in deficits.iter_mut().zip(after.0) {
            *rows = after.or_where_not(wet, *rows);
        }
        liquids.iter_mut().for_each(|rows| *rows &= !wet);
    }
}

/// The wet voxels of a block.
#[inline]
pub(super) fn wet(code_bits: usize, block: &[Rows]) -> Rows {
    Rows::any(block.get(code_bits + DEFICIT_BITS..).unwrap_or_default())
}
