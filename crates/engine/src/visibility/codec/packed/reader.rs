//! The reader of rows of a packed matrix.
//!
//! A row with a reference equals its reference with runs of cells inverted: each pair of changes
//! bounds one run. A reader caches the last rows as bits, so a row whose reference is cached is
//! read by decoding only its own changes; reading rows in order decodes no reference twice. Copying
//! a whole row, although most of it is empty, is faster than visiting its non-empty words: their
//! positions are unpredictable, and branch mispredictions cost more than the copy.

use super::layout::{REACH, RowRecordKind};
use super::packed_matrix::PackedMatrix;
use crate::bits::set_bits;
use crate::visibility::bitset::WORD_BITS;
use std::ops::Range;

/// Number of cached rows: more than the maximum distance to a reference, so a row never replaces
/// its reference.
const CACHED_ROWS: usize = 2 * REACH;
/// Number of changes that are written at once, even if a word has fewer.
const AT_ONCE: usize = 8;

/// Reads rows: see [`PackedMatrix::reader`].
#[derive(Clone, Debug)]
pub struct MatrixReader<'a> {
    packed: &'a PackedMatrix,
    /// Decoded rows, indexed by row number modulo [`CACHED_ROWS`].
    cache: Vec<CachedRow>,
    /// Buffer for the changes of the last requested row.
    changes: Vec<u32>,
}

/// A decoded row.
#[derive(Clone, Debug, Default)]
struct CachedRow {
    row: Option<usize>,
    /// The row and one more word, because a run may end after the last cell.
    bits: Vec<u64>,
    /// One bit per word of `bits` that may be non-zero or follows the end of a run.
    used: Vec<u64>,
}

impl CachedRow {
    /// Inverts the cells of a non-empty run.
    #[inline]
    fn invert(&mut self, begin: usize, end: usize) {
        let first = begin / WORD_BITS;
        let last = end / WORD_BITS;
        self.bits[first] ^= u64::MAX << (begin % WORD_BITS);
        self.used[first / WORD_BITS] |= 1 << (first % WORD_BITS);
        for word in first + 1..=last {
            self.bits[word] = !self.bits[word];
            self.used[word / WORD_BITS] |= 1 << (word % WORD_BITS);
        }
        self.bits[last] ^= u64::MAX << (end % WORD_BITS);
    }

    /// Lists the changes of the row in ascending order, in the buffer `out`. The row must have at
    /// most `capacity` changes.
    fn list<'a>(&self, out: &'a mut Vec<u32>, capacity: usize) -> &'a [u32] {
        out.resize(capacity + AT_ONCE, 0);
        let mut count = 0;
        for k in 0..self.used.len() {
            for word in set_bits(self.used[k]) {
                let word = k * WORD_BITS + word as usize;
                let before =
                    word.checked_sub(1).map_or(0, |before| self.bits[before] >> (WORD_BITS - 1));
                let mut bits = self.bits[word] ^ (self.bits[word] << 1 | before);
                // The number of changes is unpredictable, so a fixed number is written; surplus
                // entries are overwritten later.
                let in_word = bits.count_ones() as usize;
                for part in out[count..].chunks_exact_mut(AT_ONCE).take(in_word.div_ceil(AT_ONCE)) {
                    for change in part {
                        *change = (word * WORD_BITS) as u32 + bits.trailing_zeros();
                        bits &= bits.wrapping_sub(1);
                    }
                }
                count += in_word;
            }
        }
        &out[..count]
    }
}

impl PackedMatrix {
    /// Creates a reader. It caches the last rows, because later rows may refer to them. Several
    /// readers may be used at once.
    #[must_use]
    pub fn reader(&self) -> MatrixReader<'_> {
        MatrixReader::new(self)
    }
}

impl<'a> MatrixReader<'a> {
    fn new(packed: &'a PackedMatrix) -> MatrixReader<'a> {
        let words = packed.cells().div_ceil(WORD_BITS) + 1;
        let empty =
            CachedRow { row: None, bits: vec![0; words], used: vec![0; words.div_ceil(WORD_BITS)] };
        MatrixReader { packed, cache: vec![empty; CACHED_ROWS], changes: Vec::new() }
    }

    /// The maximal runs of cells that cell `row` sees, in ascending order. Panics if there is no
    /// such cell.
    pub fn runs(&mut self, row: usize) -> PackedRowRuns<'_> {
        let slot = self.load(row);
        let cells = self.packed.cells();
        let changes = self.cache[slot].list(&mut self.changes, cells + 1);
        PackedRowRuns { changes: changes.as_chunks().0.iter() }
    }

    /// The cells that cell `row` sees, in ascending order. Panics if there is no such cell.
    pub fn cells(&mut self, row: usize) -> PackedRowCells<'_> {
        let slot = self.load(row);
        PackedRowCells { row: &self.cache[slot], next: 0, used: 0, first: 0, bits: 0 }
    }

    /// Writes what cell `row` sees to `out`, as a row of a [`Matrix`](crate::visibility::Matrix).
    /// Panics if there is no such cell, or if `out` does not have the words of a row.
    pub fn row(&mut self, row: usize, out: &mut [u64]) {
        let slot = self.load(row);
        let bits = &self.cache[slot].bits;
        out.copy_from_slice(&bits[..bits.len() - 1]);
    }

    /// Decodes a row into the cache and returns its index there.
    fn load(&mut self, row: usize) -> usize {
        assert!(row < self.packed.cells(), "cell {row} of {}", self.packed.cells());
        let slot = row % CACHED_ROWS;
        if self.cache[slot].row == Some(row) {
            return slot;
        }
        let (kind, at) = self.packed.kind(row);
        let reference = match kind {
            RowRecordKind::Equal(other) => return self.load(other),
            RowRecordKind::ChangeOf(other) => Some(self.load(other)),
            RowRecordKind::Plain => None,
        };
        let mut cached = std::mem::take(&mut self.cache[slot]);
        match reference {
            Some(reference) => {
                cached.bits.copy_from_slice(&self.cache[reference].bits);
                cached.used.copy_from_slice(&self.cache[reference].used);
            }
            None => {
                cached.bits.fill(0);
                cached.used.fill(0);
            }
        }
        let (count, at) = self.packed.count(at);
        let cells = self.packed.cells();
        self.packed.changes(kind, count, at, |begin, end| {
            // A run without end extends to the end of the row.
            cached.invert(begin as usize, end.map_or(cells, |end| end as usize));
        });
        cached.row = Some(row);
        self.cache[slot] = cached;
        slot
    }
}

/// The runs of visible cells of a row: see [`MatrixReader::runs`].
#[derive(Clone, Debug)]
pub struct PackedRowRuns<'a> {
    changes: std::slice::Iter<'a, [u32; 2]>,
}

impl Iterator for PackedRowRuns<'_> {
    type Item = Range<u32>;

    #[inline]
    fn next(&mut self) -> Option<Range<u32>> {
        self.changes.next().map(|&[begin, end]| begin..end)
    }
}

/// The visible cells of a row: see [`MatrixReader::cells`].
#[derive(Clone, Debug)]
pub struct PackedRowCells<'a> {
    row: &'a CachedRow,
    /// Index of the next word of `used`.
    next: usize,
    /// Remaining bits of the current word of `used`.
    used: u64,
    /// First cell of the current word of `bits`.
    first: u32,
    /// Remaining cells of that word.
    bits: u64,
}

impl Iterator for PackedRowCells<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.bits == 0 {
            while self.used == 0 {
                self.used = *self.row.used.get(self.next)?;
                self.next += 1;
            }
            let word = (self.next - 1) * WORD_BITS + self.used.trailing_zeros() as usize;
            self.used &= self.used - 1;
            // There are at most 2^20 cells.
            self.first = (word * WORD_BITS) as u32;
            self.bits = self.row.bits[word];
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.first + bit)
    }
}
