//! The editable representation of a chunk: a directory, a palette and one word per run, in one
//! allocation.
//!
//! Layout, in 16-bit words:
//!
//! | part | words | content |
//! |---|---|---|
//! | directory | 129 | per block of 256 voxels the word of its first run; then the last end |
//! | palette length | 1 | entries of the palette |
//! | mips | 36 | end of the head: one bit per cell of 8^3 and of 4^3 voxels, see `mips/` |
//! | palette | 2 per entry | the different voxels of the chunk, up to 256 |
//! | runs | 1 each | low byte: start inside the block; high byte: palette index (code) |
//! | room | at least 8 | so that eight words can be compared at once wherever a block begins |
//!
//! The directory counts words from the end of the head.
//!
//! A run may start in one block and end many blocks later; the blocks in between have no start. A
//! read takes two words of the directory, compares the starts of one block with the position (eight
//! at a time), and looks up the palette. It touches three or four cache lines.
//! `docs/measurements.md` compares other layouts.
//!
//! Chunks with more than 256 different voxels or very many runs use `packed/` instead.
//!
//! Source: 0fps, "Run length encoding and interval trees", laid out for caches.

mod check;
mod edit;

pub(super) use edit::{
    add_palette_entry, assemble, block_ends_mut, build, len_words, mips_mut, set_palette, splice,
    update_mips,
};

use super::lanes::{at_or_before, find_entry};
use super::mips::{self, MipBuilder};
use super::run::{BLOCK, BLOCKS, CodedRun, Run};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

/// Position of the palette length.
const PALETTE_LEN: usize = BLOCKS + 1;
/// Position of the first word of the mips.
const MIPS: usize = BLOCKS + 2;
/// Number of words before the palette.
pub(super) const HEAD: usize = MIPS + mips::WORDS;

/// Read access to a table. A table has at least two runs.
#[derive(Clone, Copy)]
pub(super) struct TableRef<'a> {
    words: &'a [u16],
    head: &'a [u16; HEAD],
}

/// Position of a run: its number in the table and the linear indices it spans.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunSpan {
    /// Number of the run, counted from 0.
    pub number: usize,
    /// Linear index of the first voxel.
    pub start: usize,
    /// Linear index one past the last voxel.
    pub end: usize,
}

impl<'a> TableRef<'a> {
    /// Reads `words` as a table.
    ///
    /// # Panics
    /// Panics if `words` is shorter than a head, which no table is.
    #[inline]
    pub fn new(words: &'a [u16]) -> TableRef<'a> {
        TableRef { words, head: words.first_chunk().expect("a table has a head") }
    }

    /// Number of palette entries.
    pub fn palette_len(self) -> usize {
        usize::from(self.head[PALETTE_LEN])
    }

    /// Number of runs.
    pub fn len(self) -> usize {
        usize::from(self.head[BLOCKS]) - 2 * self.palette_len()
    }

    /// Words of the mips.
    #[inline]
    pub fn mips(self) -> &'a [u16; mips::WORDS] {
        self.head[MIPS..].first_chunk().expect("the mips end the head")
    }

    /// Palette entry `code`.
    #[inline]
    pub fn voxel(self, code: u16) -> Voxel {
        let at = HEAD + 2 * usize::from(code);
        Voxel::from_words([self.words[at], self.words[at + 1]])
    }

    /// Voxel at linear index `index`.
    #[inline(always)]
    pub fn get(self, index: usize) -> Voxel {
        let block = index / BLOCK % BLOCKS;
        let lo = usize::from(self.head[block]);
        let hi = usize::from(self.head[block + 1]);
        let count = at_or_before(&self.words[HEAD + lo..], hi - lo, index as u8);
        // The first run starts at 0, so there is always a run at or before the index.
        let entry = usize::from(self.words[HEAD + lo + count - 1] >> 8);
        Voxel::from_words([self.words[HEAD + 2 * entry], self.words[HEAD + 2 * entry + 1]])
    }

    /// Word position of the run that contains voxel `low` of `block`, and word positions of the
    /// runs that start in the block.
    #[inline]
    pub(crate) fn run_in_block(self, block: usize, low: u8) -> (usize, Range<usize>) {
        let lo = usize::from(self.head[block]);
        let hi = usize::from(self.head[block + 1]);
        let count = at_or_before(&self.words[HEAD + lo..], hi - lo, low);
        (HEAD + lo + count - 1, HEAD + lo..HEAD + hi)
    }

    /// True if the `len` voxels from linear index `at` on, all within one block, belong to one run
    /// with this code.
    #[inline]
    fn is_one_run(self, at: usize, len: usize, code: u16) -> bool {
        let (run, starts) = self.run_in_block(at / BLOCK % BLOCKS, (at + len - 1) as u8);
        let pair = self.words[run];
        pair >> 8 == code && (run < starts.start || pair as u8 <= at as u8)
    }

    /// Word position after the last run.
    #[inline]
    pub fn end(self) -> usize {
        HEAD + usize::from(self.head[BLOCKS])
    }

    /// Number of the run that contains linear index `index`.
    pub fn find(self, index: usize) -> usize {
        self.run_in_block(index / BLOCK, index as u8).0 - HEAD - 2 * self.palette_len()
    }

    /// Linear index of the first voxel of `run`; 32768 for the run past the last.
    pub fn start(self, run: usize) -> usize {
        if run == self.len() {
            return CHUNK_VOLUME;
        }
        let at = run + 2 * self.palette_len();
        let block = self.head[..BLOCKS].partition_point(|&first| usize::from(first) <= at) - 1;
        block * BLOCK + usize::from(self.words[HEAD + at] as u8)
    }

    /// Palette index of `voxel`, if the palette contains it.
    pub(crate) fn find_code(self, voxel: Voxel) -> Option<u16> {
        find_entry(&self.words[HEAD..], self.palette_len(), voxel.to_words())
            .map(|code| code as u16)
    }

    /// Code of `run`.
    #[inline]
    pub fn code(self, run: usize) -> u16 {
        self.words[HEAD + 2 * self.palette_len() + run] >> 8
    }

    /// Linear index of the first voxel of `run`. `block` must be the block where the run starts or
    /// a later one; it becomes the block where the run starts.
    fn start_back(self, run: usize, block: &mut usize) -> usize {
        let at = run + 2 * self.palette_len();
        while usize::from(self.head[*block]) > at {
            *block -= 1;
        }
        *block * BLOCK + usize::from(self.words[HEAD + at] as u8)
    }

    /// Linear index of the first voxel of `run`; 32768 for the run past the last. `block` must be
    /// the block where the run starts or an earlier one; it becomes the block where the run starts.
    #[inline]
    pub(crate) fn start_from(self, run: usize, block: &mut usize) -> usize {
        let at = run + 2 * self.palette_len();
        if at == usize::from(self.head[BLOCKS]) {
            return CHUNK_VOLUME;
        }
        while usize::from(self.head[*block + 1]) <= at {
            *block += 1;
        }
        *block * BLOCK + usize::from(self.words[HEAD + at] as u8)
    }

    /// Position of the run that contains linear index `index`.
    #[inline]
    pub fn run_at(self, index: usize) -> RunSpan {
        let number = self.find(index);
        let mut back = index / BLOCK;
        let mut on = index / BLOCK;
        RunSpan {
            number,
            start: self.start_back(number, &mut back),
            end: self.start_from(number + 1, &mut on),
        }
    }

    /// The run that contains linear index `index`.
    pub(crate) fn whole_run(self, index: usize) -> Run {
        let RunSpan { number, start, end } = self.run_at(index);
        Run::spanning(start, end, self.voxel(self.code(number)))
    }

    /// Code of the run that contains voxel `index`; `None` if a run starts there.
    pub(crate) fn code_of_begun(self, index: usize) -> Option<usize> {
        let (run, starts) = self.run_in_block(index / BLOCK, index as u8);
        let starts_here = starts.contains(&run) && self.words[run] as u8 == index as u8;
        (!starts_here).then(|| usize::from(self.words[run] >> 8))
    }

    /// Folds the starts and codes of the runs that start in `blocks`.
    #[inline]
    pub(crate) fn fold_starts<B>(
        self,
        blocks: Range<usize>,
        init: B,
        mut f: impl FnMut(B, CodedRun) -> B,
    ) -> B {
        let mut at = HEAD + usize::from(self.head[blocks.start]);
        let mut folded = init;
        for block in blocks {
            let end = HEAD + usize::from(self.head[block + 1]);
            for &pair in &self.words[at..end] {
                let start = block * BLOCK + usize::from(pair as u8);
                folded = f(folded, CodedRun::new(start, usize::from(pair >> 8)));
            }
            at = end;
        }
        folded
    }

    /// Words of the runs: start in the low byte, code in the high byte.
    #[inline]
    pub fn pairs(self) -> &'a [u16] {
        &self.words[HEAD + 2 * self.palette_len()..HEAD + usize::from(self.head[BLOCKS])]
    }

    /// Words of the runs that start in a block.
    #[inline]
    pub(crate) fn block_pairs(self, block: usize) -> &'a [u16] {
        &self.words[HEAD + usize::from(self.head[block])..HEAD + usize::from(self.head[block + 1])]
    }

    /// Code of the last run that starts before a block; 0 before the first.
    #[inline]
    pub(crate) fn code_before_block(self, block: usize) -> u16 {
        if block == 0 { 0 } else { self.words[HEAD + usize::from(self.head[block]) - 1] >> 8 }
    }

    /// Words of the palette.
    #[inline]
    pub fn palette(self) -> &'a [[u16; 2]] {
        self.words[HEAD..HEAD + 2 * self.palette_len()].as_chunks().0
    }

    /// Ends of the runs that start in each block, counted in words after the head.
    #[inline]
    pub(crate) fn block_ends(self) -> &'a [u16] {
        &self.head[1..=BLOCKS]
    }

    /// Words shifted by one, so that a value of [`TableRef::block_ends`] is the index of the run
    /// before it.
    #[inline]
    pub(crate) fn before_ends(self) -> &'a [u16] {
        &self.words[HEAD - 1..]
    }

    /// Word of the run before `end`, where `end` is a value of [`TableRef::block_ends`].
    #[inline]
    pub(crate) fn pair_before(self, end: u16) -> u16 {
        self.words[HEAD + usize::from(end) - 1]
    }

    /// Computes the mips from all runs.
    fn compute_mips(self) -> [u16; mips::WORDS] {
        let Some(air) = self.find_code(Voxel::AIR) else { return [u16::MAX; mips::WORDS] };
        let mut builder = MipBuilder::default();
        let mut start = 0;
        let mut code = self.code(0);
        for block in 0..BLOCKS {
            for &pair in self.block_pairs(block) {
                let next = block * BLOCK + usize::from(pair & 0xFF);
                if code == air {
                    builder.add_air(start..next);
                }
                start = next;
                code = pair >> 8;
            }
        }
        if code == air {
            builder.add_air(start..CHUNK_VOLUME);
        }
        builder.finish()
    }

    /// True if the cell of 4^3 voxels around linear index `at` contains only air; `air` is the code
    /// of air.
    fn is_cell_air(self, at: usize, air: u16) -> bool {
        let corner = at & !(3 | 3 << 5 | 3 << 10);
        (0..16).all(|i| {
            let row = corner + ((i % 4) << 5) + ((i / 4) << 10);
            self.is_one_run(row, 4, air)
        })
    }
}
