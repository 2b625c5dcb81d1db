//! Checks of a packed chunk's invariants.

use super::super::RunTreeError;
use super::super::mips::MipBuilder;
use super::super::run::BLOCKS;
use super::PackedRef;
use crate::voxel::CHUNK_VOLUME;

impl PackedRef<'_> {
    /// Checks the invariants that reads rely on: the directory, the order of the starts, the codes,
    /// the counts and the mips.
    ///
    /// # Errors
    /// Returns the first broken invariant.
    pub fn check(self) -> Result<(), RunTreeError> {
        let offsets: Vec<usize> = (0..=BLOCKS).map(|block| self.block_offset(block)).collect();
        if offsets[0] != self.blocks || !offsets.is_sorted() || offsets[BLOCKS] != self.bytes.len()
        {
            return Err(RunTreeError::Directory);
        }
        let mut found = 0;
        let palette_len = self.palette_len();
        for number in 0..BLOCKS {
            let block = self.block(number);
            let count = self.at_or_before(&block, u8::MAX);
            if let Some(n) = block.listed
                && (n != count || !self.bytes[block.at..block.at + n].is_sorted_by(|a, b| a < b))
            {
                return Err(RunTreeError::Starts { block: number });
            }
            if let Some(code) =
                (0..count).map(|nth| self.code(&block, nth)).find(|&code| code >= palette_len)
            {
                return Err(RunTreeError::Code { block: number, code, palette_len });
            }
            found += count;
        }
        if found != self.len() {
            return Err(RunTreeError::RunCount { found, stored: self.len() });
        }
        if self.first_start(0, 0) != Some(0) {
            return Err(RunTreeError::FirstStart);
        }
        let mut builder = MipBuilder::default();
        self.for_each(0..CHUNK_VOLUME, |start, end, code| {
            if self.voxel(code).is_air() {
                builder.add_air(start..end);
            }
        });
        let same = builder
            .finish()
            .iter()
            .flat_map(|word| word.to_le_bytes())
            .eq(self.mips().iter().copied());
        if same { Ok(()) } else { Err(RunTreeError::Mips) }
    }
}
