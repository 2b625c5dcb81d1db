//! Reading rows of a packed matrix.
//!
//! A row with a reference is its reference's changes and its own: a bit of the former is turned over for each of the latter. So a
//! reader keeps the changes of the rows that it read last, as bits, and a row whose reference is among them is read by decoding
//! nothing but its own; who goes from a cell to the next pays for no reference twice. Which words hold changes is noted in a second,
//! much shorter row of bits: only those are copied, cleared and gone through, since most of a row is empty.

use super::{Kind, PackedMatrix, REACH};
use crate::visibility::codec::bits::{low, ones};
use crate::visibility::matrix::WORD;
use std::ops::Range;

/// Rows that are kept: more than a reference is away, so that a row's place is never its reference's.
const KEPT: usize = 2 * REACH;
/// Changes of a word that are written without looking how many there are.
const AT_ONCE: usize = 8;

/// Reads rows: see [`PackedMatrix::reader`].
#[derive(Clone, Debug)]
pub struct Reader<'a> {
    packed: &'a PackedMatrix,
    kept: Vec<Kept>,
    /// Memory for the changes of the last row that was asked for.
    changes: Vec<u32>,
}

/// The changes of a row.
#[derive(Clone, Debug, Default)]
struct Kept {
    row: Option<usize>,
    bits: Vec<u64>,
    /// A bit for each word of `bits` that may not be zero.
    used: Vec<u64>,
}

impl Kept {
    fn new(words: usize) -> Kept {
        Kept { row: None, bits: vec![0; words], used: vec![0; words.div_ceil(WORD)] }
    }

    #[inline]
    fn turn_over(&mut self, change: usize) {
        let word = change / WORD;
        self.bits[word] ^= 1 << (change % WORD);
        self.used[word / WORD] |= 1 << (word % WORD);
    }

    /// The words that may not be zero, in ascending order.
    fn words(&self) -> impl Iterator<Item = usize> {
        ones(&self.used).map(|word| word as usize)
    }

    fn clear(&mut self) {
        for k in 0..self.used.len() {
            let mut used = std::mem::take(&mut self.used[k]);
            while used != 0 {
                self.bits[k * WORD + used.trailing_zeros() as usize] = 0;
                used &= used - 1;
            }
        }
    }

    /// Becomes what `other` is; must be clear.
    fn copy(&mut self, other: &Kept) {
        self.used.copy_from_slice(&other.used);
        other.words().for_each(|word| self.bits[word] = other.bits[word]);
    }

    /// Writes the changes to `out`, in ascending order; `room` of them are enough.
    fn list<'a>(&self, out: &'a mut Vec<u32>, room: usize) -> &'a [u32] {
        out.resize(room + AT_ONCE, 0);
        let mut count = 0;
        for k in 0..self.used.len() {
            let mut used = self.used[k];
            while used != 0 {
                let word = k * WORD + used.trailing_zeros() as usize;
                used &= used - 1;
                let mut bits = self.bits[word];
                // How many there are comes by chance: so many are written, and what is too much is written over.
                let in_word = bits.count_ones() as usize;
                for part in out[count..].chunks_exact_mut(AT_ONCE).take(in_word.div_ceil(AT_ONCE)) {
                    for change in part {
                        *change = (word * WORD) as u32 + bits.trailing_zeros();
                        bits &= bits.wrapping_sub(1);
                    }
                }
                count += in_word;
            }
        }
        &out[..count]
    }
}

impl<'a> Reader<'a> {
    pub(super) fn new(packed: &'a PackedMatrix) -> Reader<'a> {
        let words = packed.cells().div_ceil(WORD);
        Reader { packed, kept: vec![Kept::new(words); KEPT], changes: Vec::new() }
    }

    /// The runs of cells that cell `row` sees, in ascending order, none next to another. Panics where there is no such cell.
    pub fn runs(&mut self, row: usize) -> Runs<'_> {
        let kept = self.read(row);
        let cells = self.packed.cells();
        let changes = self.kept[kept].list(&mut self.changes, cells);
        // There are at most 2^20 cells.
        Runs { changes: changes.chunks(2), cells: cells as u32 }
    }

    /// The cells that cell `row` sees, in ascending order. Panics where there is no such cell.
    pub fn cells(&mut self, row: usize) -> VisibleCells<'_> {
        let kept = self.read(row);
        VisibleCells { words: Words::new(&self.kept[kept], self.packed.cells()), first: 0, bits: 0 }
    }

    /// Writes what cell `row` sees to `out`, as a row of a [`Matrix`](crate::visibility::Matrix). Panics where there is no such cell,
    /// or `out` has not as many words as a row.
    pub fn row(&mut self, row: usize, out: &mut [u64]) {
        assert_eq!(out.len(), self.packed.cells().div_ceil(WORD), "words of a row");
        out.fill(0);
        let kept = self.read(row);
        Words::new(&self.kept[kept], self.packed.cells()).for_each(|(word, bits)| out[word] = bits);
    }

    /// Reads the changes of a row; the place where they are kept.
    fn read(&mut self, row: usize) -> usize {
        assert!(row < self.packed.cells(), "cell {row} of {}", self.packed.cells());
        let place = row % KEPT;
        if self.kept[place].row == Some(row) {
            return place;
        }
        let (kind, at) = self.packed.kind(row);
        let reference = match kind {
            Kind::Equal(other) => return self.read(other),
            Kind::Of(other) => Some(self.read(other)),
            Kind::Plain => None,
        };
        let mut kept = std::mem::take(&mut self.kept[place]);
        kept.clear();
        if let Some(reference) = reference {
            kept.copy(&self.kept[reference]);
        }
        let (count, at) = self.packed.count(at);
        self.packed.changes(kind, count, at, |change| kept.turn_over(change as usize));
        kept.row = Some(row);
        self.kept[place] = kept;
        place
    }
}

/// The runs of visible cells of a row: see [`Reader::runs`].
#[derive(Clone, Debug)]
pub struct Runs<'a> {
    changes: std::slice::Chunks<'a, u32>,
    cells: u32,
}

impl Iterator for Runs<'_> {
    type Item = Range<u32>;

    #[inline]
    fn next(&mut self) -> Option<Range<u32>> {
        let run = self.changes.next()?;
        // A run without an end goes on to the row's.
        Some(run[0]..run.get(1).copied().unwrap_or(self.cells))
    }
}

/// The words of a row that are not zero, and perhaps some that are, made from its changes; in ascending order.
#[derive(Clone, Debug)]
struct Words<'a> {
    kept: &'a Kept,
    cells: usize,
    /// The word that comes next if the cells before it are visible, and all ones then.
    word: usize,
    inside: u64,
    /// The next word with changes, or the row's end; those after it in the same word of `used`, and the next word of that.
    changed: usize,
    used: u64,
    next: usize,
}

impl<'a> Words<'a> {
    #[inline]
    fn new(kept: &'a Kept, cells: usize) -> Words<'a> {
        let mut words = Words { kept, cells, word: 0, inside: 0, changed: 0, used: 0, next: 0 };
        words.find();
        words
    }

    /// Finds the next word with changes.
    #[inline]
    fn find(&mut self) {
        while self.used == 0 {
            let Some(&used) = self.kept.used.get(self.next) else {
                self.changed = self.kept.bits.len();
                return;
            };
            self.used = used;
            self.next += 1;
        }
        self.changed = (self.next - 1) * WORD + self.used.trailing_zeros() as usize;
        self.used &= self.used - 1;
    }
}

impl Iterator for Words<'_> {
    type Item = (usize, u64);

    #[inline]
    fn next(&mut self) -> Option<(usize, u64)> {
        if self.inside == 0 {
            self.word = self.changed;
        }
        let word = self.word;
        let changes = *self.kept.bits.get(word)?;
        self.word += 1;
        let mut bits = self.inside;
        if word == self.changed {
            bits ^= up_to(changes);
            self.inside = 0u64.wrapping_sub(bits >> (WORD - 1));
            self.find();
        }
        // Cells past the last one are as it is.
        Some((word, bits & low(self.cells - word * WORD)))
    }
}

/// Each bit becomes the exclusive or of itself and all below it.
#[inline]
fn up_to(bits: u64) -> u64 {
    [1, 2, 4, 8, 16, 32].into_iter().fold(bits, |bits, width| bits ^ bits << width)
}

/// The visible cells of a row: see [`Reader::cells`].
#[derive(Clone, Debug)]
pub struct VisibleCells<'a> {
    words: Words<'a>,
    /// The first cell of the word that was read last, and what is left of it.
    first: u32,
    bits: u64,
}

impl Iterator for VisibleCells<'_> {
    type Item = u32;

    #[inline]
    fn next(&mut self) -> Option<u32> {
        while self.bits == 0 {
            let (word, bits) = self.words.next()?;
            // There are at most 2^20 cells.
            (self.first, self.bits) = ((word * WORD) as u32, bits);
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(self.first + bit)
    }
}
