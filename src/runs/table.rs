//! The runs of one chunk in one block of memory: a directory, a palette, and a word a run.
//!
//! The words, in this order:
//!
//! - the *directory*, 129: for each block of 256 voxels where its first run stands among the words after the head,
//!   and where the last block ends;
//! - the palette's length, 1;
//! - the *mips*, 36, which end the head: a bit a cell of 8^3 and of 4^3 voxels, see `mips.rs`;
//! - the *palette*, 2 an entry: the different voxels of the chunk, at most 256;
//! - the *runs*, one each: the low byte is where in its block the run starts, the high byte is its palette entry;
//! - room for runs to come, at least 8 words, so that eight can be compared wherever one begins.
//!
//! A run may begin in one block and end many blocks later; then the blocks between hold no start. A read takes two
//! words of the directory, compares the starts of one block with the place (eight at a time), and follows the palette.
//! It touches three or four lines of the cache. `docs/measurements.md` has the other layouts that were tried.
//!
//! Chunks of more than 256 different voxels, and those of very many runs, are kept as `packed.rs` says.
//!
//! Source: 0fps, "Run length encoding and interval trees", laid out for caches.

use super::lanes::{LANES, at_or_before, find_entry};
use super::mips;
use super::tree::Run;
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;
use std::sync::Arc;

/// Blocks in the directory.
pub(super) const BLOCKS: usize = 128;
/// Voxels in a block.
pub(super) const BLOCK: usize = CHUNK_VOLUME / BLOCKS;
/// Where the mips are.
const MIPS: usize = BLOCKS + 2;
/// Words before the palette.
pub(super) const HEAD: usize = MIPS + mips::WORDS;
/// The word with the palette's length.
const PALETTE_LEN: usize = BLOCKS + 1;
/// The most entries of a palette whose indices fit a byte.
pub(super) const MAX_CODES: usize = 256;

/// One block of memory with at least two runs. Read only: an edit makes a new one, or changes one nobody shares.
#[derive(Clone, Copy)]
pub(super) struct TableRef<'a> {
    words: &'a [u16],
    head: &'a [u16; HEAD],
}

/// A run of a table: where it starts, and the code of its voxel.
///
/// A code is the voxel's index in the palette. So within one table two runs hold the same voxel if and only if their codes
/// are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct CodedRun {
    pub start: u16,
    pub code: u16,
}

/// A run's number, and the linear indices of its first voxel and of the one after its last.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct RunSpan {
    pub number: usize,
    pub start: usize,
    pub end: usize,
}

impl<'a> TableRef<'a> {
    /// # Panics
    /// Not a table. All that are made have a head.
    #[inline]
    pub fn new(words: &'a [u16]) -> TableRef<'a> {
        TableRef { words, head: words.first_chunk().expect("a table has a head") }
    }

    pub fn palette_len(self) -> usize {
        usize::from(self.head[PALETTE_LEN])
    }

    /// The number of runs.
    pub fn len(self) -> usize {
        usize::from(self.head[BLOCKS]) - 2 * self.palette_len()
    }

    /// The words of the mips.
    #[inline]
    pub fn mips(self) -> &'a [u16; mips::WORDS] {
        self.head[MIPS..].first_chunk().expect("the head has so many words")
    }

    /// The voxel that `code` stands for.
    #[inline]
    pub fn voxel(self, code: u16) -> Voxel {
        let at = HEAD + 2 * usize::from(code);
        Voxel::from_words([self.words[at], self.words[at + 1]])
    }

    /// The voxel at linear index `index` of the chunk.
    #[inline(always)]
    pub fn get(self, index: usize) -> Voxel {
        let block = index / BLOCK % BLOCKS;
        let (lo, hi) = (usize::from(self.head[block]), usize::from(self.head[block + 1]));
        let count = at_or_before(&self.words[HEAD + lo..], hi - lo, index as u8);
        // The run that starts first starts at 0, so there is one before.
        let entry = usize::from(self.words[HEAD + lo + count - 1] >> 8);
        Voxel::from_words([self.words[HEAD + 2 * entry], self.words[HEAD + 2 * entry + 1]])
    }

    /// The place of the word of the run that holds voxel `low` of `block`, and the places of those that start in the block.
    #[inline]
    pub fn run_in_block(self, block: usize, low: u8) -> (usize, Range<usize>) {
        let (lo, hi) = (usize::from(self.head[block]), usize::from(self.head[block + 1]));
        let count = at_or_before(&self.words[HEAD + lo..], hi - lo, low);
        (HEAD + lo + count - 1, HEAD + lo..HEAD + hi)
    }

    /// True if the voxels from linear index `at` on, `len` of them, all within one block, are of one run of this code.
    #[inline]
    pub fn is_one_run(self, at: usize, len: usize, code: u16) -> bool {
        let (run, starts) = self.run_in_block(at / BLOCK % BLOCKS, (at + len - 1) as u8);
        let pair = self.words[run];
        pair >> 8 == code && (run < starts.start || pair as u8 <= at as u8)
    }

    /// The place after the last run's word.
    #[inline]
    pub fn end(self) -> usize {
        HEAD + usize::from(self.head[BLOCKS])
    }

    /// The number of the run that holds linear index `index`.
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

    /// The code of `voxel` in the palette of the table.
    pub fn find_code(self, voxel: Voxel) -> Option<u16> {
        find_entry(&self.words[HEAD..], self.palette_len(), voxel.to_words()).map(|code| code as u16)
    }

    /// The code of the voxel of `run`.
    #[inline]
    pub fn code(self, run: usize) -> u16 {
        self.words[HEAD + 2 * self.palette_len() + run] >> 8
    }

    /// Linear index of the first voxel of `run`, given a block in which the run is, whose place becomes that where it
    /// starts.
    fn start_back(self, run: usize, block: &mut usize) -> usize {
        let at = run + 2 * self.palette_len();
        while usize::from(self.head[*block]) > at {
            *block -= 1;
        }
        *block * BLOCK + usize::from(self.words[HEAD + at] as u8)
    }

    /// The run that holds linear index `index`.
    #[inline]
    pub fn run_at(self, index: usize) -> RunSpan {
        let run = self.find(index);
        let (mut back, mut on) = (index / BLOCK, index / BLOCK);
        RunSpan { number: run, start: self.start_back(run, &mut back), end: self.start_from(run + 1, &mut on) }
    }

    /// The run that holds linear index `index`, with its voxel.
    pub fn whole_run(self, index: usize) -> Run {
        let RunSpan { number: run, start, end } = self.run_at(index);
        Run { start: start as u32, len: (end - start) as u32, voxel: self.voxel(self.code(run)) }
    }

    /// Linear index of the first voxel of `run`, given a block at or before the one where it starts, which it becomes;
    /// 32768 for the run past the last.
    #[inline]
    pub fn start_from(self, run: usize, block: &mut usize) -> usize {
        let at = run + 2 * self.palette_len();
        if at == usize::from(self.head[BLOCKS]) {
            return CHUNK_VOLUME;
        }
        while usize::from(self.head[*block + 1]) <= at {
            *block += 1;
        }
        *block * BLOCK + usize::from(self.words[HEAD + at] as u8)
    }

    /// The runs: start in the low byte, code in the high one.
    #[inline]
    pub fn pairs(self) -> &'a [u16] {
        &self.words[HEAD + 2 * self.palette_len()..HEAD + usize::from(self.head[BLOCKS])]
    }

    /// The palette.
    #[inline]
    pub fn palette(self) -> &'a [[u16; 2]] {
        self.words[HEAD..HEAD + 2 * self.palette_len()].as_chunks().0
    }

    /// For each block where among the words after the head the runs that start in it end.
    #[inline]
    pub fn block_ends(self) -> &'a [u16] {
        &self.head[1..=BLOCKS]
    }

    /// Words of which each such end is the index of the run before it.
    #[inline]
    pub fn before_ends(self) -> &'a [u16] {
        &self.words[HEAD - 1..]
    }

    /// The run before such an end.
    #[inline]
    pub fn pair_before(self, end: u16) -> u16 {
        self.words[HEAD + usize::from(end) - 1]
    }

    /// Checks what a walk relies on: the directory, the order of starts, the values.
    ///
    /// # Errors
    /// What is broken.
    pub fn check(self) -> Result<(), String> {
        let len = self.len();
        let words = HEAD + 2 * self.palette_len() + len + LANES;
        if len < 2 || words > self.words.len() {
            return Err(format!("{len} runs in {} words", self.words.len()));
        }
        if self.start(0) != 0 {
            return Err("no run starts at 0".into());
        }
        self.check_order()?;
        if *self.mips() == mips::of(self) { Ok(()) } else { Err("the mips are not those of the voxels".into()) }
    }

    fn check_order(self) -> Result<(), String> {
        let len = self.len();
        if !self.head[..=BLOCKS].is_sorted() {
            return Err("the directory does not ascend".into());
        }
        for block in 0..BLOCKS {
            let of_block = &self.words[HEAD..][usize::from(self.head[block])..usize::from(self.head[block + 1])];
            if !of_block.is_sorted_by_key(|&pair| pair as u8) || of_block.windows(2).any(|w| w[0] as u8 == w[1] as u8) {
                return Err(format!("the starts of block {block} do not ascend"));
            }
        }
        match (0..len).find(|&run| usize::from(self.code(run)) >= self.palette_len()) {
            Some(run) => Err(format!("run {run} has value {} of {}", self.code(run), self.palette_len())),
            None => Ok(()),
        }
    }
}

fn pair(run: CodedRun) -> u16 {
    run.start & 0xFF | run.code << 8
}

/// Words of a table of so many runs and so many entries of the palette, without room for edits.
pub(super) const fn words(runs: usize, palette: usize) -> usize {
    HEAD + 2 * palette + runs + LANES
}

/// A table of these runs and this palette of at most 256, with `room` for more.
pub(super) fn table(runs: &[CodedRun], palette: &[Voxel], room: usize) -> Arc<[u16]> {
    let (before, len) = (2 * palette.len(), runs.len());
    let mut table = zeroed(words(len, palette.len()) + room);
    let words = own(&mut table);
    // First how many runs start in each block, then where: no branch depends on where blocks end.
    for run in runs {
        words[usize::from(run.start) / BLOCK % BLOCKS] += 1;
    }
    let mut place = before as u16;
    for word in &mut words[..=BLOCKS] {
        place += std::mem::replace(word, place);
    }
    for (word, run) in words[HEAD + before..].iter_mut().zip(runs) {
        *word = pair(*run);
    }
    *mips_of(words) = mips::of_runs(runs, palette);
    words[PALETTE_LEN] = palette.len() as u16;
    for (entry, voxel) in words[HEAD..].chunks_exact_mut(2).zip(palette) {
        entry.copy_from_slice(&voxel.to_words());
    }
    table
}

/// For each block where its runs end, as [`TableRef::block_ends`].
#[inline]
pub(super) fn block_ends_of(words: &mut [u16]) -> &mut [u16; BLOCKS] {
    words[1..].first_chunk_mut().expect("a table has a head")
}

#[inline]
pub(super) fn mips_of(words: &mut [u16]) -> &mut [u16; mips::WORDS] {
    words[MIPS..].first_chunk_mut().expect("a table has a head")
}

/// Corrects the mips of a table after an edit: the voxels `range` have become what `code` stands for.
pub(super) fn correct_mips(words: &mut [u16], range: Range<usize>, code: u16) {
    let view = TableRef::new(words);
    let air = view.voxel(code).is_air();
    if range.len() > 1 {
        *mips_of(words) = mips::of(view);
    } else if !air {
        mips::filled(mips_of(words), range.start);
    } else if mips::is_empty(view, range.start, code) {
        mips::emptied(mips_of(words), range.start);
    }
}

fn zeroed(len: usize) -> Arc<[u16]> {
    std::iter::repeat_n(0, len).collect()
}

/// # Panics
/// The table is shared. It was made a moment ago by the caller.
fn own(table: &mut Arc<[u16]>) -> &mut [u16] {
    Arc::get_mut(table).expect("nobody else has it yet")
}

/// Adds an entry to the palette of the table that has fewer than 256; returns its index.
pub(super) fn add_value(table: &mut Arc<[u16]>, voxel: Voxel) -> u16 {
    let view = TableRef::new(table);
    let index = view.palette_len();
    let (at, end) = (HEAD + 2 * index, HEAD + usize::from(view.head[BLOCKS]));
    let mut larger = zeroed(end + 2 + LANES + 4);
    let words = own(&mut larger);
    words[..at].copy_from_slice(&table[..at]);
    words[at..at + 2].copy_from_slice(&voxel.to_words());
    words[at + 2..end + 2].copy_from_slice(&table[at..end]);
    words[..=BLOCKS].iter_mut().for_each(|place| *place += 2);
    words[PALETTE_LEN] += 1;
    *table = larger;
    index as u16
}

/// Replaces the runs `cut` of the table by `new` (at most two, ascending), in place if nobody shares it and there
/// is room, else in a new one with some room for the edits that follow. None of the runs cut starts before `block`.
/// `edited` are the voxels that change; they become what the first of `new` is.
pub(super) fn splice(
    table: &mut Arc<[u16]>,
    cut: Range<usize>,
    mut block: usize,
    new: &[CodedRun],
    edited: Range<usize>,
) {
    let view = TableRef::new(table);
    let (before, len) = (2 * view.palette_len(), view.len());
    let new_len = len - cut.len() + new.len();
    // By how much the number of starts in each block changes, and in which blocks it may.
    let mut change = [0i16; BLOCKS];
    let (mut first, mut last) = (BLOCKS - 1, 0);
    let mut note = |block: usize, by: i16| {
        change[block] += by;
        (first, last) = (first.min(block), last.max(block));
    };
    for run in cut.clone() {
        view.start_from(run, &mut block);
        note(block, -1);
    }
    new.iter().for_each(|run| note(usize::from(run.start) / BLOCK, 1));
    let (from, tail) = (HEAD + before + cut.start, HEAD + before + cut.end..HEAD + before + len);
    let finish = |words: &mut [u16]| {
        for (place, run) in words[from..].iter_mut().zip(new) {
            *place = pair(*run);
        }
        let mut sum = 0;
        for block in first..=last {
            sum += change[block];
            words[block + 1] = words[block + 1].wrapping_add_signed(sum);
        }
        // After the last of them all change alike.
        words[last + 2..=BLOCKS].iter_mut().for_each(|place| *place = place.wrapping_add_signed(sum));
        correct_mips(words, edited, new[0].code);
    };
    if HEAD + before + new_len + LANES <= table.len()
        && let Some(words) = Arc::get_mut(table)
    {
        words.copy_within(tail, from + new.len());
        return finish(words);
    }
    let room = (new_len / 8).clamp(4, 128);
    let mut larger = zeroed(HEAD + before + new_len + LANES + room);
    let words = own(&mut larger);
    words[..from].copy_from_slice(&table[..from]);
    words[from + new.len()..][..tail.len()].copy_from_slice(&table[tail]);
    finish(words);
    *table = larger;
}

#[cfg(test)]
mod tests {
    use super::*;

    fn table() -> Arc<[u16]> {
        let runs = [(0, 0), (5, 1), (305, 2), (312, 0)].map(|(start, code)| CodedRun { start, code });
        super::table(&runs, &[Voxel::AIR, Voxel::full(1), Voxel::full(2)], 0)
    }

    /// The first run stands after the palette.
    const RUNS: usize = HEAD + 6;

    fn broken(harm: impl FnOnce(&mut [u16])) -> String {
        let mut table = table();
        TableRef::new(&table).check().expect("it is sound before");
        harm(own(&mut table));
        TableRef::new(&table).check().expect_err("it is broken")
    }

    #[test]
    fn check_sees_each_broken_invariant() {
        assert_eq!(broken(|w| w[RUNS + 1] = 1 << 8), "the starts of block 0 do not ascend");
        assert_eq!(broken(|w| w[RUNS + 2] = 60), "the starts of block 1 do not ascend");
        assert_eq!(broken(|w| w[1] = 20), "the directory does not ascend");
        assert_eq!(broken(|w| w[RUNS + 1] = 5 | 9 << 8), "run 1 has value 9 of 3");
        assert_eq!(broken(|w| w[RUNS] = 1), "no run starts at 0");
        assert_eq!(broken(|w| w[BLOCKS] = 7), "1 runs in 184 words");
        assert_eq!(broken(|w| w[MIPS] ^= 1), "the mips are not those of the voxels");
    }
}
