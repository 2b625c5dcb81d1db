//! The runs of one chunk packed tightly, to be read only: for chunks of very many runs, and for those of very many kinds.
//!
//! `table.rs` keeps two bytes a run, and room for edits. Rugged land (caves, ores, undergrowth) has thousands of runs a
//! chunk; here one takes one and a half bytes and less where there are few kinds or very many runs, and a read
//! takes up to twice as long. Nothing is edited in place: the first edit of such a chunk makes a table of it, which is packed again when the
//! chunk is next built or saved. Of more than 256 kinds no table can be made: then each edit packs the chunk anew, at the
//! cost of a walk over all its runs.
//!
//! The bytes, in this order, numbers with the low byte first:
//!
//! - the *directory*, 129 numbers of 16 bits: where each block of 256 voxels begins after the palette, and where the last
//!   one ends; in bytes, or in pairs of bytes if codes are numbers of 16 bits;
//! - the number of runs and the length of the palette, 16 bits each;
//! - the mips, 72 bytes, see `mips.rs`;
//! - the *palette*, 4 an entry;
//! - the *blocks*, each of two parts: where in the block its runs start, and their codes. Up to 32 starts are a byte each,
//!   more are a map of 256 bits, so that starts never take more than 32 bytes. Codes are palette indices: of 4 bits if the
//!   palette has up to 16 entries, of 8 up to 256, else of 16.
//!
//! How long a block is tells which of the two forms its starts have, and how many there are. Its last code stands at its
//! very end (if there is an odd number of 4 bits, it stands there twice), as what was before a block's first start is the
//! last code of the block before.

use super::mips::{self, MipBuilder};
use super::table::{BLOCK, BLOCKS, CodedRun};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;
use std::sync::Arc;

/// From how many starts on a block has a map of them.
const MAPPED: usize = 33;
/// Bytes of such a map.
const MAP: usize = BLOCK / 8;
const RUNS: usize = 2 * (BLOCKS + 1);
const PALETTE_LEN: usize = RUNS + 2;
const MIPS: usize = PALETTE_LEN + 2;
/// Bytes before the palette.
const HEAD: usize = MIPS + 2 * mips::WORDS;

/// A packed chunk.
#[derive(Clone, Copy)]
pub(super) struct PackedRef<'a> {
    bytes: &'a [u8],
    head: &'a [u8; HEAD],
    /// Bits of a code: 4, 8 or 16.
    width: usize,
    /// Where the blocks begin.
    blocks: usize,
}

/// A block of 256 voxels.
struct Block {
    /// Where its bytes begin.
    at: usize,
    /// Where its codes do.
    codes: usize,
    /// How many starts it has, if each is a byte; else they are a map.
    listed: Option<usize>,
}

const fn width(palette: usize) -> usize {
    match palette {
        0..=16 => 4,
        17..=256 => 8,
        _ => 16,
    }
}

/// Bytes of the starts of a block that has so many.
const fn starts_len(starts: usize, width: usize) -> usize {
    match starts {
        MAPPED.. => MAP,
        // So that the codes are whole numbers of 16 bits.
        few if width == 16 => few.next_multiple_of(2),
        few => few,
    }
}

impl<'a> PackedRef<'a> {
    /// # Panics
    /// Not a packed chunk. All that are made have a head.
    #[inline]
    pub fn new(bytes: &'a [u8]) -> PackedRef<'a> {
        let head = bytes.first_chunk().expect("a packed chunk has a head");
        let palette = usize::from(number(head, PALETTE_LEN));
        PackedRef { bytes, head, width: width(palette), blocks: HEAD + 4 * palette }
    }

    /// The number of runs.
    pub fn len(self) -> usize {
        number(self.head, RUNS).into()
    }

    pub fn palette_len(self) -> usize {
        number(self.head, PALETTE_LEN).into()
    }

    /// The bytes of the mips: bit n of their words is bit n % 8 of byte n / 8.
    #[inline]
    pub fn mips(self) -> &'a [u8] {
        &self.head[MIPS..]
    }

    /// The voxel that `code` stands for.
    #[inline]
    pub fn voxel(self, code: usize) -> Voxel {
        let at = HEAD + 4 * code;
        Voxel::from_words([number(self.bytes, at), number(self.bytes, at + 2)])
    }

    /// Where block `block` begins, or with 128 where the last ends.
    #[inline]
    fn place(self, block: usize) -> usize {
        self.blocks + usize::from(number(self.head, 2 * block)) * if self.width == 16 { 2 } else { 1 }
    }

    #[inline]
    fn block(self, block: usize) -> Block {
        let (at, end) = (self.place(block), self.place(block + 1));
        let len = end - at;
        // The longest list is shorter than the shortest block with a map, and each one more start makes a list longer.
        let (longest, listed) = match self.width {
            4 => (48, len * 2 / 3),
            8 => (64, len / 2),
            _ => (96, len / 3),
        };
        match len <= longest {
            true => Block { at, codes: at + starts_len(listed, self.width), listed: Some(listed) },
            false => Block { at, codes: at + MAP, listed: None },
        }
    }

    /// The code of the run that starts first but `nth` in a block.
    #[inline]
    fn code(self, block: &Block, nth: usize) -> usize {
        self.code_of_width(self.width, block, nth)
    }

    #[inline(always)]
    fn code_of_width(self, width: usize, block: &Block, nth: usize) -> usize {
        match width {
            4 => usize::from(self.bytes[block.codes + nth / 2] >> (nth % 2 * 4) & 0xF),
            8 => usize::from(self.bytes[block.codes + nth]),
            _ => number(self.bytes, block.codes + 2 * nth).into(),
        }
    }

    /// The code of the last run that starts before `block`.
    #[inline]
    fn code_before(self, block: &Block) -> usize {
        match self.width {
            4 => usize::from(self.bytes[block.at - 1] >> 4),
            8 => usize::from(self.bytes[block.at - 1]),
            _ => number(self.bytes, block.at - 2).into(),
        }
    }

    /// How many runs start in `block` at its voxel `low` or before it.
    #[inline]
    fn at_or_before(self, block: &Block, low: u8) -> usize {
        match block.listed {
            Some(n) => listed_at_or_before(&self.bytes[block.at..], n, low),
            None => mapped_at_or_before(self.map(block), low),
        }
    }

    #[inline]
    fn map(self, block: &Block) -> [u64; 4] {
        let map: &[u8; MAP] = self.bytes[block.at..].first_chunk().expect("a block that is not listed has a map");
        // Four parts of eight bytes are a map.
        std::array::from_fn(|i| u64::from_le_bytes(map[8 * i..8 * i + 8].try_into().expect("eight bytes")))
    }

    /// The voxel at linear index `index` of the chunk.
    #[inline]
    pub fn get(self, index: usize) -> Voxel {
        self.voxel(self.code_at(index))
    }

    #[inline]
    fn code_at(self, index: usize) -> usize {
        let block = self.block(index / BLOCK);
        match self.at_or_before(&block, index as u8) {
            0 => self.code_before(&block),
            count => self.code(&block, count - 1),
        }
    }

    /// Where the run that holds linear index `index` starts, where it ends, and its code.
    pub fn run_at(self, index: usize) -> (usize, usize, usize) {
        let (number, low) = (index / BLOCK, index as u8);
        let last = |n: usize, upto: u8| self.last_start(n, upto).map(|start| n * BLOCK + start);
        let start = last(number, low).or_else(|| (0..number).rev().find_map(|n| last(n, u8::MAX)));
        let (end, code) = self.run_from(index);
        // A run starts at 0.
        (start.unwrap_or(0), end, code)
    }

    /// Where the run that holds linear index `index` ends, and its code.
    pub fn run_from(self, index: usize) -> (usize, usize) {
        let first = |n: usize, from: usize| self.first_start(n, from).map(|start| n * BLOCK + start);
        let number = index / BLOCK;
        let end = first(number, index % BLOCK + 1).or_else(|| (number + 1..BLOCKS).find_map(|n| first(n, 0)));
        // The last one ends with the chunk.
        (end.unwrap_or(CHUNK_VOLUME), self.code_at(index))
    }

    /// The last start in block `number` at or before its voxel `low`.
    fn last_start(self, number: usize, low: u8) -> Option<usize> {
        let block = self.block(number);
        let count = self.at_or_before(&block, low).checked_sub(1)?;
        Some(match block.listed {
            Some(_) => self.bytes[block.at + count].into(),
            None => {
                let map = self.map(&block);
                (0..=usize::from(low)).rev().find(|&at| map[at / 64] >> (at % 64) & 1 == 1)?
            }
        })
    }

    /// The first start in block `number` at or after its voxel `from`, which may be past its end.
    fn first_start(self, number: usize, from: usize) -> Option<usize> {
        let block = self.block(number);
        match block.listed {
            Some(n) => {
                self.bytes[block.at..block.at + n].iter().map(|&start| usize::from(start)).find(|&start| start >= from)
            }
            None => {
                let map = self.map(&block);
                (from..BLOCK).find(|&at| map[at / 64] >> (at % 64) & 1 == 1)
            }
        }
    }

    /// Calls `each` with start, end and code of the runs of the voxels `range`, the first and last cut to it.
    #[inline]
    pub fn for_each(self, range: Range<usize>, each: impl FnMut(usize, usize, usize)) {
        if range.is_empty() {
            return;
        }
        // Each width has a loop of its own.
        match self.width {
            4 => self.walk(4, range, each),
            8 => self.walk(8, range, each),
            _ => self.walk(16, range, each),
        }
    }

    #[inline(always)]
    fn walk(self, width: usize, range: Range<usize>, mut each: impl FnMut(usize, usize, usize)) {
        let (mut start, mut code) = (range.start, self.code_at(range.start));
        let mut begin = |at: usize, next: usize| {
            if at > range.start && at < range.end {
                each(start, at, code);
                (start, code) = (at, next);
            }
        };
        for number in range.start / BLOCK..range.end.div_ceil(BLOCK) {
            let block = self.block(number);
            let first = number * BLOCK;
            if let Some(n) = block.listed {
                for (nth, &low) in self.bytes[block.at..block.at + n].iter().enumerate() {
                    begin(first + usize::from(low), self.code_of_width(width, &block, nth));
                }
                continue;
            }
            let mut nth = 0;
            for (i, mut word) in self.map(&block).into_iter().enumerate() {
                while word != 0 {
                    begin(first + 64 * i + word.trailing_zeros() as usize, self.code_of_width(width, &block, nth));
                    word &= word - 1;
                    nth += 1;
                }
            }
        }
        each(start, range.end, code);
    }

    /// Checks what reads rely on.
    ///
    /// # Errors
    /// What is broken.
    pub fn check(self) -> Result<(), String> {
        let places: Vec<usize> = (0..=BLOCKS).map(|block| self.place(block)).collect();
        if places[0] != self.blocks || !places.is_sorted() || places[BLOCKS] != self.bytes.len() {
            return Err("the directory does not fit the blocks".into());
        }
        let mut runs = 0;
        for number in 0..BLOCKS {
            let block = self.block(number);
            let count = self.at_or_before(&block, u8::MAX);
            if let Some(n) = block.listed
                && (n != count || !self.bytes[block.at..block.at + n].is_sorted_by(|a, b| a < b))
            {
                return Err(format!("the starts of block {number} do not ascend"));
            }
            if (0..count).any(|nth| self.code(&block, nth) >= self.palette_len()) {
                return Err(format!("a code of block {number} is not in the palette"));
            }
            runs += count;
        }
        if runs != self.len() || self.first_start(0, 0) != Some(0) {
            return Err(format!("{runs} runs instead of {}", self.len()));
        }
        let mut gather = MipBuilder::default();
        self.for_each(0..CHUNK_VOLUME, |start, end, code| {
            if self.voxel(code).is_air() {
                gather.add_air(start..end);
            }
        });
        let same = gather.finish().iter().flat_map(|word| word.to_le_bytes()).eq(self.mips().iter().copied());
        if same { Ok(()) } else { Err("the mips are not those of the voxels".into()) }
    }
}

/// The number of 16 bits at `at`.
#[inline]
fn number(bytes: &[u8], at: usize) -> u16 {
    u16::from_le_bytes([bytes[at], bytes[at + 1]])
}

/// How many of the first `n` bytes (at most 32, ascending) are at most `low`.
#[inline]
fn listed_at_or_before(starts: &[u8], n: usize, low: u8) -> usize {
    let count = |lanes: &[u8; 32]| -> u8 {
        // Without a branch, so that it becomes a few vector instructions.
        lanes.iter().zip(0u8..).map(|(&start, lane)| u8::from(start <= low) & u8::from(lane < n as u8)).sum()
    };
    match starts.first_chunk() {
        Some(lanes) => count(lanes).into(),
        // Only in a chunk's last blocks.
        None => starts[..n].iter().filter(|&&start| start <= low).count(),
    }
}

/// How many bits of a map are set at `low` or before it.
#[inline]
fn mapped_at_or_before(map: [u64; 4], low: u8) -> usize {
    let (word, bit) = (usize::from(low) / 64, low % 64);
    let upto = |i: usize| match i.cmp(&word) {
        std::cmp::Ordering::Less => u64::MAX,
        std::cmp::Ordering::Equal => u64::MAX >> (63 - bit),
        std::cmp::Ordering::Greater => 0,
    };
    (0..4).map(|i| (map[i] & upto(i)).count_ones() as usize).sum()
}

/// Packs runs, ascending from 0; their codes are indices in `palette`.
pub(super) fn pack(runs: &[CodedRun], palette: &[Voxel]) -> Arc<[u8]> {
    let width = width(palette.len());
    let unit = if width == 16 { 2 } else { 1 };
    let mut bytes = Vec::with_capacity(HEAD + 4 * palette.len() + 2 * runs.len() + BLOCKS);
    bytes.resize(HEAD, 0);
    bytes.extend(palette.iter().flat_map(|voxel| voxel.to_words()).flat_map(u16::to_le_bytes));
    let blocks = bytes.len();
    let mut rest = runs;
    for block in 0..BLOCKS {
        let place = (bytes.len() - blocks) / unit;
        put(&mut bytes, 2 * block, place as u16);
        let count = rest.iter().take_while(|run| usize::from(run.start) / BLOCK == block).count();
        let (here, others) = rest.split_at(count);
        rest = others;
        let at = bytes.len();
        bytes.resize(at + starts_len(count, width), 0);
        for (nth, run) in here.iter().enumerate() {
            let low = run.start as u8;
            match count {
                MAPPED.. => bytes[at + usize::from(low) / 8] |= 1 << (low % 8),
                _ => bytes[at + nth] = low,
            }
        }
        match width {
            4 => bytes.extend(here.chunks(2).map(|pair| (pair[0].code | pair[pair.len() - 1].code << 4) as u8)),
            8 => bytes.extend(here.iter().map(|run| run.code as u8)),
            _ => bytes.extend(here.iter().flat_map(|run| run.code.to_le_bytes())),
        }
    }
    let end = (bytes.len() - blocks) / unit;
    put(&mut bytes, 2 * BLOCKS, end as u16);
    put(&mut bytes, RUNS, runs.len() as u16);
    put(&mut bytes, PALETTE_LEN, palette.len() as u16);
    for (i, word) in mips::of_runs(runs, palette).into_iter().enumerate() {
        put(&mut bytes, MIPS + 2 * i, word);
    }
    bytes.into()
}

fn put(bytes: &mut [u8], at: usize, number: u16) {
    bytes[at..at + 2].copy_from_slice(&number.to_le_bytes());
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Runs of up to `longest` voxels, dense here and sparse there, of so many kinds.
    fn runs(kinds: u32, longest: usize) -> (Vec<CodedRun>, Vec<Voxel>) {
        let voxel = |k: u32| if k == 3 % kinds { Voxel::AIR } else { Voxel::new(1 + k as u16 / 200, (k % 200) as u8) };
        let palette: Vec<Voxel> = (0..kinds).map(voxel).collect();
        let (mut runs, mut last, mut at, mut state) = (vec![], 0, 0, 9u64);
        while at < CHUNK_VOLUME {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
            last = (last + 1 + (state >> 33) as u32 % (kinds - 1)) % kinds;
            runs.push(CodedRun { start: at as u16, code: last as u16 });
            let most = if at / 5000 % 2 == 0 { longest } else { 3 };
            at += 1 + (state >> 40) as usize % most;
        }
        (runs, palette)
    }

    #[test]
    fn reads_as_it_was_packed() {
        for (kinds, longest) in [(2, 1), (2, 4000), (16, 9), (17, 9), (256, 40), (257, 40), (5000, 2), (30_000, 1)] {
            let (runs, palette) = runs(kinds, longest);
            let bytes = pack(&runs, &palette);
            let packed = PackedRef::new(&bytes);
            packed.check().expect("sound");
            let mut next = 0;
            packed.for_each(0..CHUNK_VOLUME, |start, end, code| {
                assert_eq!((start, code), (runs[next].start.into(), runs[next].code.into()));
                next += 1;
                assert_eq!(end, runs.get(next).map_or(CHUNK_VOLUME, |run| run.start.into()));
                for index in [start, end - 1, (start + end) / 2] {
                    assert_eq!(packed.get(index), palette[code], "{kinds} kinds, {index}");
                    assert_eq!(packed.run_at(index), (start, end, code));
                }
            });
            assert_eq!((next, packed.len(), packed.palette_len()), (runs.len(), runs.len(), palette.len()));
            for range in [0..1, 5..5, 250..260, 300..9000, 32767..32768, 255..256, 256..512] {
                let (mut at, end) = (range.start, range.end);
                packed.for_each(range, |start, stop, code| {
                    assert!(start == at && stop > start && (start..stop).all(|i| packed.code_at(i) == code));
                    at = stop;
                });
                assert_eq!(at, end);
            }
        }
    }

    #[test]
    fn check_sees_what_is_broken() {
        let (runs, palette) = runs(20, 30);
        let bytes = pack(&runs, &palette);
        let broken = |at: usize, harm: u8| {
            let mut bytes = bytes.to_vec();
            bytes[at] ^= harm;
            PackedRef::new(&bytes).check().expect_err("it is broken")
        };
        assert_eq!(broken(0, 1), "the directory does not fit the blocks");
        assert_eq!(broken(RUNS, 1), format!("{} runs instead of {}", runs.len(), runs.len() ^ 1));
        assert_eq!(broken(MIPS, 1), "the mips are not those of the voxels");
        assert_eq!(broken(HEAD + 4 * palette.len() + 1, 0xFF), "the starts of block 0 do not ascend");
        assert_eq!(broken(bytes.len() - 1, 0x80), "a code of block 127 is not in the palette");
    }

    #[test]
    fn a_block_never_needs_more_than_a_map_of_starts() {
        let runs: Vec<CodedRun> = (0..CHUNK_VOLUME as u16).map(|start| CodedRun { start, code: start % 2 }).collect();
        let palette = [Voxel::AIR, Voxel::full(1)];
        // A bit for each start, half a byte for each code.
        assert_eq!(pack(&runs, &palette).len(), HEAD + 8 + BLOCKS * MAP + CHUNK_VOLUME / 2);
    }
}
