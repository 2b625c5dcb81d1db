//! The compact, read-only representation of a chunk, for very many runs or very many different
//! voxels.
//!
//! A table (`table/`) takes two bytes per run and keeps room for edits. Rugged terrain (caves,
//! ores, undergrowth) has thousands of runs per chunk. A packed run takes 1.5 bytes or less if the
//! chunk has few different voxels or very many runs, but a read takes up to twice as long.
//!
//! Packed chunks are never edited in place. The first edit converts the chunk to a table, which is
//! packed again when the chunk is next built or saved. A table cannot hold more than 256 different
//! voxels: above that, each edit packs the chunk again, at the cost of a walk over all its runs.
//!
//! Layout, little-endian:
//!
//! | part | bytes | content |
//! |---|---|---|
//! | directory | 258 | 129 u16: per block of 256 voxels its start; then the end of the last |
//! | run count | 2 | u16 |
//! | palette length | 2 | u16 |
//! | mips | 72 | see `mips/` |
//! | palette | 4 per entry | the different voxels of the chunk |
//! | blocks | | per block the starts of its runs, then their codes |
//!
//! The directory counts from the end of the palette, in bytes, or in pairs of bytes if codes have
//! 16 bits.
//!
//! Up to 32 starts take a byte each; more are a bit map of 256 bits, so the starts of a block never
//! take more than 32 bytes. Codes are palette indices of 4 bits for up to 16 palette entries, 8
//! bits for up to 256, else 16.
//!
//! The length of a block implies the number of its starts and their form. The last code of a block
//! is at its very end: an odd number of 4-bit codes is padded by repeating the last one. So the
//! code in force before a block's first start is always found at the end of the block before.

mod check;
mod pack;
mod span;
mod starts;
#[cfg(test)]
mod tests;

pub(super) use pack::{pack, pack_two_values, set_palette};

use super::mips;
use super::run::{BLOCK, BLOCKS, CodedRun};
use crate::bits::set_bits;
use crate::voxel::Voxel;
use starts::{count_in_list, count_in_map};
use std::ops::Range;

/// Minimum number of starts for which a block has a bit map.
const MAPPED: usize = 33;
/// Bytes of the bit map.
const MAP: usize = BLOCK / 8;
/// Offset of the run count.
const RUNS: usize = 2 * (BLOCKS + 1);
/// Offset of the palette length.
const PALETTE_LEN: usize = RUNS + 2;
/// Offset of the mips.
const MIPS: usize = PALETTE_LEN + 2;
/// Bytes before the palette.
const HEAD: usize = MIPS + 2 * mips::WORDS;

/// Read access to a packed chunk.
#[derive(Clone, Copy)]
pub(super) struct PackedRef<'a> {
    bytes: &'a [u8],
    head: &'a [u8; HEAD],
    /// Bits of a code: 4, 8 or 16.
    width: usize,
    /// Offset of the first block.
    blocks: usize,
}

/// A block of 256 voxels.
struct Block {
    /// Offset of the block.
    at: usize,
    /// Offset of the block's codes.
    codes: usize,
    /// Number of starts if they are a list of bytes; `None` if they are a bit map.
    listed: Option<usize>,
}

/// Number of bits of a code for a palette length.
const fn code_width(palette_len: usize) -> usize {
    match palette_len {
        0..=16 => 4,
        17..=256 => 8,
        _ => 16,
    }
}

/// Size in bytes of the starts of a block with `starts` starts.
const fn starts_len(starts: usize, width: usize) -> usize {
    match starts {
        MAPPED.. => MAP,
        // Aligns the codes, so that block offsets count pairs of bytes.
        few if width == 16 => few.next_multiple_of(2),
        few => few,
    }
}

impl<'a> PackedRef<'a> {
    /// Reads `bytes` as a packed chunk.
    ///
    /// # Panics
    /// Panics if `bytes` is shorter than a head, which no packed chunk is.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> PackedRef<'a> {
        let head = bytes.first_chunk().expect("a packed chunk has a head");
        let palette_len = usize::from(read_u16(head, PALETTE_LEN));
        PackedRef { bytes, head, width: code_width(palette_len), blocks: HEAD + 4 * palette_len }
    }

    /// Number of runs.
    pub fn len(self) -> usize {
        read_u16(self.head, RUNS).into()
    }

    /// Number of palette entries.
    pub fn palette_len(self) -> usize {
        read_u16(self.head, PALETTE_LEN).into()
    }

    /// Bytes of the mips: bit n of their words is bit n % 8 of byte n / 8.
    #[inline]
    pub fn mips(self) -> &'a [u8] {
        &self.head[MIPS..]
    }

    /// Palette entry `code`.
    #[inline]
    pub fn voxel(self, code: usize) -> Voxel {
        let at = HEAD + 4 * code;
        Voxel::from_words([read_u16(self.bytes, at), read_u16(self.bytes, at + 2)])
    }

    /// Offset of block `block`; for 128 the end of the last block.
    #[inline]
    fn block_offset(self, block: usize) -> usize {
        self.blocks
            + usize::from(read_u16(self.head, 2 * block)) * if self.width == 16 { 2 } else { 1 }
    }

    #[inline]
    fn block(self, block: usize) -> Block {
        let at = self.block_offset(block);
        let end = self.block_offset(block + 1);
        let len = end - at;
        // The longest list makes a shorter block than any map does, so the length tells the form.
        // Each further start makes a block with a list longer, so the length tells their number,
        // too.
        let (longest, listed) = match self.width {
            4 => (48, len * 2 / 3),
            8 => (64, len / 2),
            _ => (96, len / 3),
        };
        if len <= longest {
            Block { at, codes: at + starts_len(listed, self.width), listed: Some(listed) }
        } else {
            Block { at, codes: at + MAP, listed: None }
        }
    }

    /// Code of run number `nth` (from 0) among the runs that start in a block.
    #[inline]
    fn code(self, block: &Block, nth: usize) -> usize {
        self.code_of_width(self.width, block, nth)
    }

    #[inline(always)]
    fn code_of_width(self, width: usize, block: &Block, nth: usize) -> usize {
        match width {
            4 => usize::from(self.bytes[block.codes + nth / 2] >> (nth % 2 * 4) & 0xF),
            8 => usize::from(self.bytes[block.codes + nth]),
            _ => read_u16(self.bytes, block.codes + 2 * nth).into(),
        }
    }

    /// Code of the last run that starts before `block`.
    #[inline]
    fn code_before(self, block: &Block) -> usize {
        match self.width {
            4 => usize::from(self.bytes[block.at - 1] >> 4),
            8 => usize::from(self.bytes[block.at - 1]),
            _ => read_u16(self.bytes, block.at - 2).into(),
        }
    }

    /// Number of runs that start in `block` at or before its voxel `low`.
    #[inline]
    fn at_or_before(self, block: &Block, low: u8) -> usize {
        match block.listed {
            Some(n) => count_in_list(&self.bytes[block.at..], n, low),
            None => count_in_map(self.map(block), low),
        }
    }

    #[inline]
    fn map(self, block: &Block) -> [u64; 4] {
        let map: &[u8; MAP] =
            self.bytes[block.at..].first_chunk().expect("a block without a list has a map");
        // The map has 32 bytes: four words of eight.
        std::array::from_fn(|i| {
            u64::from_le_bytes(map[8 * i..8 * i + 8].try_into().expect("eight bytes"))
        })
    }

    /// Voxel at linear index `index`.
    #[inline]
    pub fn get(self, index: usize) -> Voxel {
        self.voxel(self.code_at(index))
    }

    /// Code of the run that contains linear index `index`.
    #[inline]
    fn code_at(self, index: usize) -> usize {
        let block = self.block(index / BLOCK);
        match self.at_or_before(&block, index as u8) {
            0 => self.code_before(&block),
            count => self.code(&block, count - 1),
        }
    }

    /// Calls `each` with start, end and code of the runs in `range`, the first and last cut to it.
    #[inline]
    pub fn for_each(self, range: Range<usize>, each: impl FnMut(usize, usize, usize)) {
        if range.is_empty() {
            return;
        }
        // A loop for each width, so that no loop tests the width.
        match self.width {
            4 => self.walk(4, range, each),
            8 => self.walk(8, range, each),
            _ => self.walk(16, range, each),
        }
    }

    /// Code of the run that contains voxel `index`; `None` if a run starts there.
    pub(crate) fn code_of_begun(self, index: usize) -> Option<usize> {
        let starts_here = self.first_start(index / BLOCK, index % BLOCK) == Some(index % BLOCK);
        (!starts_here).then(|| self.code_at(index))
    }

    /// For each of a block's eight rows, bits set where runs start.
    pub(crate) fn start_rows(self, number: usize) -> [u32; BLOCK / 32] {
        let block = self.block(number);
        let mut rows = [0; BLOCK / 32];
        match block.listed {
            Some(n) => self.bytes[block.at..block.at + n]
                .iter()
                .for_each(|low| rows[*low as usize / 32] |= 1 << (low % 32)),
            None => {
                for (rows, word) in rows.as_chunks_mut::<2>().0.iter_mut().zip(self.map(&block)) {
                    *rows = [word as u32, (word >> 32) as u32];
                }
            }
        }
        rows
    }

    /// Folds the starts and codes of the runs that start in `blocks`.
    #[inline]
    pub(crate) fn fold_starts<B>(
        self,
        blocks: Range<usize>,
        init: B,
        f: impl FnMut(B, CodedRun) -> B,
    ) -> B {
        match self.width {
            4 => self.walk_starts(4, blocks, init, f),
            8 => self.walk_starts(8, blocks, init, f),
            _ => self.walk_starts(16, blocks, init, f),
        }
    }

    #[inline(always)]
    fn walk_starts<B>(
        self,
        width: usize,
        blocks: Range<usize>,
        init: B,
        mut f: impl FnMut(B, CodedRun) -> B,
    ) -> B {
        let mut folded = init;
        for number in blocks {
            let block = self.block(number);
            let first = number * BLOCK;
            if let Some(n) = block.listed {
                for (nth, &low) in self.bytes[block.at..block.at + n].iter().enumerate() {
                    let code = self.code_of_width(width, &block, nth);
                    folded = f(folded, CodedRun::new(first | usize::from(low), code));
                }
                continue;
            }
            let mut nth = 0;
            for (i, word) in self.map(&block).into_iter().enumerate() {
                for bit in set_bits(word) {
                    let start = first + 64 * i + bit as usize;
                    folded =
                        f(folded, CodedRun::new(start, self.code_of_width(width, &block, nth)));
                    nth += 1;
                }
            }
        }
        folded
    }

    #[inline(always)]
    fn walk(self, width: usize, range: Range<usize>, mut each: impl FnMut(usize, usize, usize)) {
        let mut start = range.start;
        let mut code = self.code_at(range.start);
        let mut begin = |at: usize, next: usize| {
            if at > range.start && at < range.end {
                each(start, at, code);
                start = at;
                code = next;
            }
        };
        self.walk_starts(width, range.start / BLOCK..range.end.div_ceil(BLOCK), (), |(), run| {
            begin(run.start.into(), run.code.into());
        });
        each(start, range.end, code);
    }
}

/// True if two packed chunks have the same runs, apart from their values.
pub(super) fn have_same_runs(a: &[u8], b: &[u8]) -> bool {
    let blocks = PackedRef::new(a).blocks;
    a.len() == b.len() && a[..MIPS] == b[..MIPS] && a[blocks..] == b[blocks..]
}

/// The u16 at offset `at`.
#[inline]
fn read_u16(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}
