//! Which blocks of a chunk hold what, to pass over those where nothing can move.

use super::block_set::{ALL_BLOCKS, BlockSet};
use super::kinds::Motion;
use super::rows::Rows;

/// The blocks that hold at least one voxel of these.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Summary {
    /// Powder.
    pub powder: BlockSet,
    /// Liquids.
    pub liquid: BlockSet,
    /// Gas.
    pub gas: BlockSet,
    /// Voxels that are partly filled.
    pub partial: BlockSet,
    /// Static matter or powder.
    pub firm: BlockSet,
}

impl Summary {
    /// Every block may hold everything.
    pub const UNKNOWN: Summary =
        Summary { powder: ALL_BLOCKS, liquid: ALL_BLOCKS, gas: ALL_BLOCKS, partial: ALL_BLOCKS, firm: ALL_BLOCKS };

    /// Matter that moves in one way; every block may hold static matter.
    pub fn moving(&self, motion: Motion) -> BlockSet {
        match motion {
            Motion::Static => ALL_BLOCKS,
            Motion::Gas => self.gas,
            Motion::Powder => self.powder,
            Motion::Liquid => self.liquid,
        }
    }

    /// Gas and liquids.
    pub fn fluid(&self) -> BlockSet {
        self.gas | self.liquid
    }

    /// All but gas.
    pub fn matter(&self) -> BlockSet {
        self.firm | self.liquid
    }

    /// Blocks where more of a liquid may fit.
    pub fn room(&self) -> BlockSet {
        self.gas | self.partial
    }

    /// Sets what a block holds, from the planes of its codes and of its deficits.
    #[inline]
    pub fn set(&mut self, block: usize, codes: &[Rows], deficits: &[Rows]) {
        let (mut powder, mut liquid, mut gas, mut firm) = (0, 0, 0, 0);
        // Folding vectors would take longer than words.
        for (low, high) in codes[0].words().into_iter().zip(codes[1].words()) {
            powder |= !low & high;
            liquid |= low & high;
            gas |= low & !high;
            firm |= !low;
        }
        let block: BlockSet = 1 << block;
        let partial = deficits.iter().fold(Rows::NONE, |all, rows| all | *rows).union().into();
        for (set, has) in [
            (&mut self.powder, powder),
            (&mut self.liquid, liquid),
            (&mut self.gas, gas),
            (&mut self.partial, partial),
            (&mut self.firm, firm),
        ] {
            *set = if has != 0 { *set | block } else { *set & !block };
        }
    }
}
