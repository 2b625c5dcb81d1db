//! Reading rows of a packed matrix.
//!
//! A row with a reference is its reference's row with runs of cells turned over, between each two changes. So a reader keeps the rows
//! that it read last, as bits, and a row whose reference is among them is read by decoding nothing but its own changes; who goes
//! from a cell to the next pays for no reference twice. To copy a whole row, most of which is empty, is quicker than to go
//! through what is not: where that is comes by chance, and a processor that guesses wrong waits longer than it copies.

use super::layout::{REACH, RecordKind};
use super::packed_matrix::PackedMatrix;
use crate::visibility::bitset::WORD_BITS;
use std::ops::Range;

/// Rows that are kept: more than a reference is away, so that a row's place is never its reference's.
const CACHED_ROWS: usize = 2 * REACH;
/// RowChanges of a word that are written without looking how many there are.
const AT_ONCE: usize = 8;

/// Reads rows: see [`PackedMatrix::reader`].
#[derive(Clone, Debug)]
pub struct MatrixReader<'a> {
    packed: &'a PackedMatrix,
    kept: Vec<CachedRow>,
    /// Memory for the changes of the last row that was asked for.
    changes: Vec<u32>,
}

/// A row that was read.
#[derive(Clone, Debug, Default)]
struct CachedRow {
    row: Option<usize>,
    /// One word more than a row has, where a run may end behind the last cell.
    bits: Vec<u64>,
    /// A bit for each word of `bits` that may not be zero or that a run ends before.
    used: Vec<u64>,
}

impl CachedRow {
    /// Turns over the cells of a run, which is not empty.
    #[inline]
    fn turn_over(&mut self, begin: usize, end: usize) {
        let (first, last) = (begin / WORD_BITS, end / WORD_BITS);
        self.bits[first] ^= u64::MAX << (begin % WORD_BITS);
        self.used[first / WORD_BITS] |= 1 << (first % WORD_BITS);
        for word in first + 1..=last {
            self.bits[word] = !self.bits[word];
            self.used[word / WORD_BITS] |= 1 << (word % WORD_BITS);
        }
        self.bits[last] ^= u64::MAX << (end % WORD_BITS);
    }

    /// Writes where visibility begins and ends to `out`, in ascending order; `room` of them are enough.
    fn list<'a>(&self, out: &'a mut Vec<u32>, room: usize) -> &'a [u32] {
        out.resize(room + AT_ONCE, 0);
        let mut count = 0;
        for k in 0..self.used.len() {
            let mut used = self.used[k];
            while used != 0 {
                let word = k * WORD_BITS + used.trailing_zeros() as usize;
                used &= used - 1;
                let before = word.checked_sub(1).map_or(0, |before| self.bits[before] >> (WORD_BITS - 1));
                let mut bits = self.bits[word] ^ (self.bits[word] << 1 | before);
                // How many there are comes by chance: so many are written, and what is too much is written over.
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

impl<'a> MatrixReader<'a> {
    pub(super) fn new(packed: &'a PackedMatrix) -> MatrixReader<'a> {
        let words = packed.cells().div_ceil(WORD_BITS) + 1;
        let none = CachedRow { row: None, bits: vec![0; words], used: vec![0; words.div_ceil(WORD_BITS)] };
        MatrixReader { packed, kept: vec![none; CACHED_ROWS], changes: Vec::new() }
    }

    /// The runs of cells that cell `row` sees, in ascending order, none next to another. Panics where there is no such cell.
    pub fn runs(&mut self, row: usize) -> PackedRowRuns<'_> {
        let place = self.place(row);
        let cells = self.packed.cells();
        let changes = self.kept[place].list(&mut self.changes, cells + 1);
        PackedRowRuns { changes: changes.as_chunks().0.iter() }
    }

    /// The cells that cell `row` sees, in ascending order. Panics where there is no such cell.
    pub fn cells(&mut self, row: usize) -> PackedRowCells<'_> {
        let place = self.place(row);
        PackedRowCells { kept: &self.kept[place], next: 0, used: 0, first: 0, bits: 0 }
    }

    /// Writes what cell `row` sees to `out`, as a row of a [`Matrix`](crate::visibility::Matrix). Panics where there is no such cell,
    /// or `out` has not as many words as a row.
    pub fn row(&mut self, row: usize, out: &mut [u64]) {
        let place = self.place(row);
        let bits = &self.kept[place].bits;
        out.copy_from_slice(&bits[..bits.len() - 1]);
    }

    /// Reads a row; the place where it is kept.
    fn place(&mut self, row: usize) -> usize {
        assert!(row < self.packed.cells(), "cell {row} of {}", self.packed.cells());
        let place = row % CACHED_ROWS;
        if self.kept[place].row == Some(row) {
            return place;
        }
        let (kind, at) = self.packed.kind(row);
        let reference = match kind {
            RecordKind::Equal(other) => return self.place(other),
            RecordKind::ChangeOf(other) => Some(self.place(other)),
            RecordKind::Plain => None,
        };
        let mut kept = std::mem::take(&mut self.kept[place]);
        match reference {
            Some(reference) => {
                kept.bits.copy_from_slice(&self.kept[reference].bits);
                kept.used.copy_from_slice(&self.kept[reference].used);
            }
            None => {
                kept.bits.fill(0);
                kept.used.fill(0);
            }
        }
        let (count, at) = self.packed.count(at);
        let cells = self.packed.cells();
        self.packed.changes(kind, count, at, |begin, end| {
            // A run without an end goes on to the row's.
            kept.turn_over(begin as usize, end.map_or(cells, |end| end as usize));
        });
        kept.row = Some(row);
        self.kept[place] = kept;
        place
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
    kept: &'a CachedRow,
    /// The next word of `used`, and what is left of the one before it.
    next: usize,
    used: u64,
    /// The first cell of the word that was read last, and what is left of it.
    first: u32,
    bits: u64,
}

impl Iterator for PackedRowCells<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.bits == 0 {
            while self.used == 0 {
                self.used = *self.kept.used.get(self.next)?;
                self.next += 1;
            }
            let word = (self.next - 1) * WORD_BITS + self.used.trailing_zeros() as usize;
            self.used &= self.used - 1;
            // There are at most 2^20 cells.
            (self.first, self.bits) = ((word * WORD_BITS) as u32, self.kept.bits[word]);
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.first + bit)
    }
}
