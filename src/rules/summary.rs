//! Which blocks of a chunk hold what, to pass over those where nothing can move.

use super::block_set::{ALL_BLOCKS, BlockSet};
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
}

impl Summary {
    /// Every block may hold everything.
    pub const UNKNOWN: Summary =
        Summary { powder: ALL_BLOCKS, liquid: ALL_BLOCKS, gas: ALL_BLOCKS, partial: ALL_BLOCKS };

    /// Gas and liquids.
    pub fn fluid(&self) -> BlockSet {
        self.gas | self.liquid
    }

    /// Blocks where more of a liquid may fit.
    pub fn room(&self) -> BlockSet {
        self.gas | self.partial
    }

    /// Sets what a block holds. `codes`: the bits of its codes, `deficits`: those of its deficits.
    #[inline]
    pub fn set(&mut self, block: usize, codes: &[Rows], deficits: &[Rows]) {
        let (mut powder, mut liquid, mut gas) = (0, 0, 0);
        for (low, high) in codes[0].0.iter().zip(codes[1].0) {
            powder |= !low & high;
            liquid |= low & high;
            gas |= low & !high;
        }
        let partial = deficits.iter().fold(Rows::NONE, |all, rows| all | *rows).union();
        for (set, has) in
            [(&mut self.powder, powder), (&mut self.liquid, liquid), (&mut self.gas, gas), (&mut self.partial, partial)]
        {
            *set = *set & !(1 << block) | BlockSet::from(has != 0) << block;
        }
    }
}
