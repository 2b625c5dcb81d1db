//! Kinds of matter in each block of a chunk, by which phases skip blocks where nothing can move.

use super::amounts::DEFICIT_BITS;
use super::block_set::{ALL_BLOCKS, BlockSet};
use super::kinds::Motion;
use super::rows::Rows;

/// For each kind of matter, the blocks that hold at least one voxel of it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Summary {
    /// Blocks with powder.
    pub powder: BlockSet,
    /// Blocks with liquids.
    pub liquid: BlockSet,
    /// Blocks with gas.
    pub(crate) gas: BlockSet,
    /// Blocks with partly filled voxels.
    pub partial: BlockSet,
    /// Blocks with static matter or powder.
    pub(crate) firm: BlockSet,
    /// Blocks with static matter or powder that does not fill its voxel.
    pub(crate) layers: BlockSet,
    /// Blocks with wet voxels.
    pub(crate) wet: BlockSet,
}

impl Summary {
    /// Summary of a chunk that is not read yet: every block may hold everything.
    pub const UNKNOWN: Summary = Summary {
        powder: ALL_BLOCKS,
        liquid: ALL_BLOCKS,
        gas: ALL_BLOCKS,
        partial: ALL_BLOCKS,
        firm: ALL_BLOCKS,
        layers: ALL_BLOCKS,
        wet: ALL_BLOCKS,
    };

    /// Blocks with matter of one motion. For static matter, all blocks.
    pub fn moving(&self, motion: Motion) -> BlockSet {
        match motion {
            Motion::Static => ALL_BLOCKS,
            Motion::Gas => self.gas,
            Motion::Powder => self.powder,
            Motion::Liquid => self.liquid,
        }
    }

    /// Blocks with gas or liquids.
    pub fn fluid(&self) -> BlockSet {
        self.gas | self.liquid
    }

    /// Blocks with anything but gas.
    pub fn matter(&self) -> BlockSet {
        self.firm | self.liquid
    }

    /// Blocks where more of a liquid may fit.
    pub fn room(&self) -> BlockSet {
        self.gas | self.partial
    }

    /// Updates a block from the planes of its codes, and of its deficits and water.
    #[inline]
    pub fn set(&mut self, block: usize, codes: &[Rows], amounts: &[Rows]) {
        let mut powder = 0;
        let mut liquid = 0;
        let mut gas = 0;
        let mut firm = 0;
        // Two rows per word: faster than a fold over vectors.
        for (low, high) in codes[0].words().into_iter().zip(codes[1].words()) {
            powder |= !low & high;
            liquid |= low & high;
            gas |= low & !high;
            firm |= !low;
        }
        let block: BlockSet = 1 << block;
        let (deficits, liquids) = amounts.split_at(amounts.len().min(DEFICIT_BITS));
        let partial = Rows::any(deficits);
        let layers = (partial & !codes[0]).union().into();
        let wet = Rows::any(liquids).union().into();
        let partial = partial.union().into();
        for (set, has) in [
            (&mut self.powder, powder),
            (&mut self.liquid, liquid),
            (&mut self.gas, gas),
            (&mut self.partial, partial),
            (&mut self.firm, firm),
            (&mut self.layers, layers),
            (&mut self.wet, wet),
        ] {
            *set = if has != 0 { *set | block } else { *set & !block };
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::rows::ROWS;
    use super::*;

    #[test]
    fn block_is_in_the_sets_of_its_voxels_alone() {
        let mut summary = Summary::default();
        for (row, x) in (0..ROWS).flat_map(|row| [(row, 0), (row, 31)]) {
            for (one, others) in (0..4).flat_map(|one| (0..4).map(move |others| (one, others))) {
                // One voxel among others of one motion, partly filled.
                let plane = |bit: usize| {
                    let mut rows = Rows::splat(others >> bit & 1 == 1);
                    rows.0[row] = rows.0[row] & !(1 << x) | (one >> bit & 1) << x;
                    rows
                };
                let mut deficit = Rows::NONE;
                deficit.0[row] = 1 << x;
                summary.set(7, &[plane(0), plane(1)], &[deficit]);
                let has = |low: u32, high: u32| {
                    BlockSet::from([one, others].contains(&(low | high << 1))) << 7
                };
                let powder = has(0, 1);
                let liquid = has(1, 1);
                let gas = has(1, 0);
                let is_firm = one & 1 == 0;
                let layers = BlockSet::from(is_firm) << 7;
                let firm = has(0, 0) | powder;
                let expected =
                    Summary { powder, liquid, gas, partial: 1 << 7, firm, layers, wet: 0 };
                assert_eq!(summary, expected, "{one} among {others} in row {row}");
            }
        }
        let mut amounts = [Rows::NONE; DEFICIT_BITS + 1];
        amounts[DEFICIT_BITS].0[3] = 1;
        summary.set(7, &[Rows::NONE, Rows::NONE], &amounts);
        assert_eq!(summary, Summary { firm: 1 << 7, wet: 1 << 7, ..Summary::default() });
        summary.set(7, &[Rows::NONE, Rows::NONE], &[]);
        assert_eq!(summary, Summary { firm: 1 << 7, ..Summary::default() });
    }
}
