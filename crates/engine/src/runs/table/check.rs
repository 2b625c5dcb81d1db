//! Checks of a table's invariants.

use super::super::RunTreeError;
use super::super::lanes::LANES;
use super::super::run::BLOCKS;
use super::{HEAD, TableRef};

impl TableRef<'_> {
    /// Checks the invariants that walks rely on: the directory, the order of the starts, the codes
    /// and the mips.
    ///
    /// # Errors
    /// Returns the first broken invariant.
    pub fn check(self) -> Result<(), RunTreeError> {
        let runs = self.len();
        let needed = HEAD + 2 * self.palette_len() + runs + LANES;
        if runs < 2 || needed > self.words.len() {
            return Err(RunTreeError::TableSize { runs, words: self.words.len() });
        }
        if self.start(0) != 0 {
            return Err(RunTreeError::FirstStart);
        }
        self.check_blocks()?;
        if *self.mips() == self.compute_mips() { Ok(()) } else { Err(RunTreeError::Mips) }
    }

    fn check_blocks(self) -> Result<(), RunTreeError> {
        if !self.head[..=BLOCKS].is_sorted() {
            return Err(RunTreeError::Directory);
        }
        for block in 0..BLOCKS {
            let pairs = &self.words[HEAD..]
                [usize::from(self.head[block])..usize::from(self.head[block + 1])];
            if !pairs.is_sorted_by(|&a, &b| (a as u8) < b as u8) {
                return Err(RunTreeError::Starts { block });
            }
            let palette_len = self.palette_len();
            if let Some(code) =
                pairs.iter().map(|pair| usize::from(pair >> 8)).find(|&code| code >= palette_len)
            {
                return Err(RunTreeError::Code { block, code, palette_len });
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::super::super::run::CodedRun;
    use super::super::{MIPS, build};
    use super::*;
    use crate::voxel::Voxel;
    use std::sync::Arc;

    fn table() -> Arc<[u16]> {
        let runs =
            [(0, 0), (5, 1), (305, 2), (312, 0)].map(|(start, code)| CodedRun { start, code });
        build(&runs, &[Voxel::AIR, Voxel::full(1), Voxel::full(2)], 0)
    }

    /// Position of the first run's word, after the palette.
    const RUNS: usize = HEAD + 6;

    /// Returns the error that `check` reports after `damage`.
    fn broken(damage: impl FnOnce(&mut [u16])) -> RunTreeError {
        let mut table = table();
        TableRef::new(&table).check().expect("the undamaged table is sound");
        damage(Arc::get_mut(&mut table).expect("the table is not shared"));
        TableRef::new(&table).check().expect_err("the damage is detected")
    }

    #[test]
    fn check_reports_each_broken_invariant() {
        assert_eq!(broken(|w| w[RUNS + 1] = 1 << 8), RunTreeError::Starts { block: 0 });
        assert_eq!(broken(|w| w[RUNS + 2] = 60), RunTreeError::Starts { block: 1 });
        assert_eq!(broken(|w| w[1] = 20), RunTreeError::Directory);
        assert_eq!(
            broken(|w| w[RUNS + 1] = 5 | 9 << 8),
            RunTreeError::Code { block: 0, code: 9, palette_len: 3 }
        );
        assert_eq!(broken(|w| w[RUNS] = 1), RunTreeError::FirstStart);
        assert_eq!(broken(|w| w[BLOCKS] = 7), RunTreeError::TableSize { runs: 1, words: 184 });
        assert_eq!(broken(|w| w[MIPS] ^= 1), RunTreeError::Mips);
    }
}
