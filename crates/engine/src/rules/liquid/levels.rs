//! Levels of a liquid in the voxels of a block, and in their partners.

use super::super::amounts::{DEFICIT_BITS, Numbers};
use super::super::kinds::gas;
use super::super::rows::Rows;
use super::super::view::{MAX_PLANES, Shifted, plane_of};
use super::flow::Flow;

/// Levels of the voxels of a block. A level is the height of the liquid in its voxel, in 256ths;
/// all numbers are 256 minus a height.
#[derive(Clone, Copy)]
pub(super) struct Levels {
    /// Voxels of the liquid.
    pub liquid: Rows,
    /// Voxels of gas.
    pub gas: Rows,
    /// Solids that are not full and that take the liquid.
    pub solid: Rows,
    /// Voxels that hold some of the liquid.
    pub wet: Rows,
    /// 256 minus the level: of gas 256, of a dry solid its deficit.
    pub brim_deficits: Numbers,
    /// 256 minus the height to which the matter of a solid reaches; of gas and liquid 256. Only
    /// known where a voxel is solid, if `SOLIDS` was set.
    pub floor_deficits: Numbers,
}

impl Levels {
    /// Levels of the voxels of a block. Solids count if `SOLIDS` is set.
    #[inline(always)]
    pub fn new<const SOLIDS: bool>(flow: &Flow, code_bits: usize, block: &[Rows]) -> Levels {
        let gas = gas(block);
        let liquid = flow.liquid.find(block);
        let deficits = Numbers::deficits(gas, |bit| plane_of(block, code_bits + bit));
        let solid = if SOLIDS { flow.solids(code_bits, block) } else { Rows::NONE };
        if solid.is_empty() {
            let floor_deficits = Numbers::constant(256);
            return Levels {
                liquid,
                gas,
                solid,
                wet: liquid,
                brim_deficits: deficits,
                floor_deficits,
            };
        }
        let water = |bit: usize| plane_of(block, code_bits + DEFICIT_BITS + bit);
        let liquids = Numbers::from_planes(|bit| water(bit) & solid);
        Levels {
            liquid,
            gas,
            solid,
            wet: liquid | liquids.is_positive(),
            brim_deficits: deficits.minus(liquids).0,
            floor_deficits: deficits.or_where_not(solid, Numbers::constant(256)),
        }
    }

    /// The voxels into which more of the liquid fits.
    pub fn has_room(&self) -> Rows {
        self.gas | (self.liquid | self.solid) & self.brim_deficits.is_positive()
    }

    /// The voxels that can hold the liquid, as far as they are not full.
    pub fn open(&self) -> Rows {
        self.gas | self.liquid | self.solid
    }
}

/// Partners of the voxels of a block: for each voxel, the next or the previous one along the axis.
#[derive(Clone, Copy)]
pub(super) struct Partners<'a> {
    /// The voxels that come next along the axis.
    pub next: Shifted<'a>,
    /// The voxels that come before along the axis.
    pub previous: Shifted<'a>,
    /// Voxels whose partner is the next voxel along the axis. The others have the previous voxel.
    pub is_first: Rows,
}

impl Partners<'_> {
    /// The rows that `read` returns for the partners.
    #[inline(always)]
    pub fn read(&self, read: impl Fn(&[Rows]) -> Rows) -> Rows {
        self.next.read(&read).or_where_not(self.is_first, self.previous.read(&read))
    }

    /// The first `count` planes of the partners; the others are empty.
    #[inline(always)]
    pub fn planes(&self, count: usize) -> [Rows; MAX_PLANES] {
        let mut planes = [Rows::NONE; MAX_PLANES];
        for (plane, rows) in planes[..count].iter_mut().enumerate() {
            *rows = self.read(|block| plane_of(block, plane));
        }
        planes
    }
}
