//! Our codec of a whole matrix: rows as what changes from a row nearby, and the changes as gaps between them.
//!
//! Cells near in space see nearly the same, and are near in number if they are numbered along a curve ([`crate::visibility::order`]).
//! So a row is written as the places where its visibility begins or ends but that of a row nearby does not, or the other way
//! round. That is the same as the exclusive or of both rows, whose beginnings and ends these places are. The row nearby may be
//! written so too: at most [`DEEPEST`] references are followed to any row, and no other rows are read. Equal rows are
//! written once. `docs/visibility.md` has what else was tried.
//!
//! ```text
//! u32       cells (at most 2^20)
//! u8        bits of an index entry
//! u8 x 5    orders: of a row without reference, gaps before beginnings, before ends; the same of one with; of counts
//! index     for each row the byte where its record begins, counted from the first record's; as many bits each as said, the
//!           lowest first; the last byte filled up with zeros
//! records   for each row, in their order, none between them:
//!           kind     order 2: 0 = without reference; 1 = equal to an earlier row; 2 n = refers to the row n before it;
//!                    2 n + 1 = to the row n after it, n from 1 to 16
//!           of an equal row: how many rows before, less 1, order 6; of the others:
//!           count    of changes
//!           gaps     for each change, how many cells lie between it and the one before (or the row's beginning)
//!           the last byte is filled up with zeros
//! ```
//!
//! All numbers of records are Exp-Golomb codes, lowest bit first (`code.rs`). A row that is visible up to its last cell has an odd
//! number of changes. [`PackedMatrix::from_bytes`] looks at each row once; after that, reading cannot fail.

mod code;
mod encode;
mod reader;
mod references;

#[cfg(test)]
mod tests;

pub use encode::lone_row_bytes;
pub use reader::{Reader, Runs, VisibleCells};

use super::CodecError;

/// The most references that are followed from a row.
pub const DEEPEST: usize = 3;
/// How far away, in rows, a row's reference may be.
pub const REACH: usize = 16;

/// Orders in the header.
const ORDERS: usize = 5;
/// Bytes of the header: cells, index entry, orders.
const HEADER: usize = 4 + 1 + ORDERS;
/// The most cells. (As plain rows they would be 128 gigabytes.)
const MOST_CELLS: usize = 1 << 20;
/// The most bits of an index entry: as many as are at hand from any bit of eight bytes.
const MOST_ENTRY_BITS: u32 = 57;
/// Orders of a record's kind, and of how far away an equal row is.
const KIND_ORDER: u32 = 2;
const EQUAL_ORDER: u32 = 6;

/// A matrix in few bytes, any row of which can be read by itself: see the module's text.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedMatrix {
    bytes: Vec<u8>,
    layout: Layout,
}

/// What the header says.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Layout {
    cells: usize,
    entry_bits: u32,
    /// By whether there is a reference, then by whether a change is a beginning (0) or an end (1).
    gaps: [[u32; 2]; 2],
    counts: u32,
    /// The byte of the first record.
    records: usize,
}

/// What a row's record begins with.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Plain,
    /// A change of this row.
    Of(usize),
    /// Equal to this row.
    Equal(usize),
}

impl PackedMatrix {
    /// The matrix in bytes that [`PackedMatrix::as_bytes`] gave.
    ///
    /// # Errors
    /// They are no matrix: the place and the reason. Nothing larger than they are is allocated, but for some rows.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<PackedMatrix, CodecError> {
        let layout = Layout::of(&bytes)?;
        let packed = PackedMatrix { bytes, layout };
        packed.check()?;
        Ok(packed)
    }

    /// What a file keeps of it, all that it needs in memory too.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Cells: rows, and bits of a row.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.layout.cells
    }

    /// What reads rows. It keeps the last rows that it read, as others may refer to them; several readers may be at work at once.
    #[must_use]
    pub fn reader(&self) -> Reader<'_> {
        Reader::new(self)
    }

    /// The bit where the record of `row` begins.
    #[inline]
    fn record(&self, row: usize) -> usize {
        let entry_bits = self.layout.entry_bits as usize;
        let entry = code::window(&self.bytes, HEADER * 8 + row * entry_bits) & ((1 << entry_bits) - 1);
        self.layout.records.saturating_add(entry as usize).saturating_mul(8)
    }

    /// The kind of a row, and the bit behind it. A row that it names may not exist.
    #[inline]
    fn kind(&self, row: usize) -> (Kind, usize) {
        let at = self.record(row);
        let bits = code::window(&self.bytes, at);
        let (kind, length) = code::number(bits, KIND_ORDER);
        let rows = (kind / 2) as usize;
        match kind {
            0 => (Kind::Plain, at + length as usize),
            1 => {
                // What is no code may be longer than the bits at hand.
                let (before, more) = code::number(bits.checked_shr(length).unwrap_or(0), EQUAL_ORDER);
                (Kind::Equal(row.wrapping_sub(before as usize + 1)), at + (length + more) as usize)
            }
            _ if kind % 2 == 0 => (Kind::Of(row.wrapping_sub(rows)), at + length as usize),
            _ => (Kind::Of(row + rows), at + length as usize),
        }
    }

    /// How many changes a row has, from the bit on that is behind its kind, and the bit behind that.
    #[inline]
    fn count(&self, at: usize) -> (u32, usize) {
        let (count, length) = code::number(code::window(&self.bytes, at), self.layout.counts);
        (count, at + length as usize)
    }

    /// Hands so many changes of a row to `each`, two at a time, from the bit on that is behind their count. The last one may stand alone.
    /// The bit behind them.
    #[inline]
    fn changes(&self, kind: Kind, count: u32, mut at: usize, mut each: impl FnMut(u64, Option<u64>)) -> usize {
        let [before_begin, before_end] = self.layout.gaps[usize::from(kind != Kind::Plain)];
        let mut next = 0;
        for _ in 0..count / 2 {
            let bits = code::window(&self.bytes, at);
            let (gap, length) = code::number(bits, before_begin);
            let begin = next + u64::from(gap);
            at += length as usize;
            // Two codes are nearly always in one window.
            let bits = if length < 28 { bits >> length } else { code::window(&self.bytes, at) };
            let (gap, length) = code::number(bits, before_end);
            let end = begin + 1 + u64::from(gap);
            at += length as usize;
            next = end + 1;
            each(begin, Some(end));
        }
        if count % 2 == 1 {
            let (gap, length) = code::number(code::window(&self.bytes, at), before_begin);
            at += length as usize;
            each(next + u64::from(gap), None);
        }
        at
    }

    /// Looks whether each row can be read, once through all bytes.
    fn check(&self) -> Result<(), CodecError> {
        let mut start = self.layout.records;
        for row in 0..self.cells() {
            if self.record(row) != start * 8 {
                return Err(CodecError { at: start, reason: "a record does not begin where the one before ends" });
            }
            start = self.check_row(row).map_err(|reason| CodecError { at: start, reason })?;
        }
        if start == self.bytes.len() {
            Ok(())
        } else {
            Err(CodecError { at: start, reason: "more follows the last row" })
        }
    }

    /// Looks whether a row can be read. The byte behind its record.
    fn check_row(&self, row: usize) -> Result<usize, &'static str> {
        let (kind, at) = self.kind(row);
        let available = self.bytes.len() * 8;
        let end = match kind {
            _ if at > available => at,
            Kind::Equal(other) if other >= row || matches!(self.kind(other).0, Kind::Equal(_)) => {
                return Err("a row is equal to one that is not written before it");
            }
            Kind::Equal(_) => at,
            Kind::Plain | Kind::Of(_) => {
                self.check_references(row)?;
                let (count, at) = self.count(at);
                // Each change has a bit at least.
                if count as usize > available.saturating_sub(at) {
                    return Err(super::CUT_OFF);
                }
                let mut last = None;
                let end = self.changes(kind, count, at, |begin, end| last = end.or(Some(begin)));
                if last.is_some_and(|last| last >= self.cells() as u64) {
                    return Err(super::TOO_LONG);
                }
                end
            }
        };
        if end > available { Err(super::CUT_OFF) } else { Ok(end.div_ceil(8)) }
    }

    /// Looks whether the references from a row come to an end soon.
    fn check_references(&self, mut row: usize) -> Result<(), &'static str> {
        for _ in 0..=DEEPEST {
            row = match self.kind(row).0 {
                Kind::Plain => return Ok(()),
                Kind::Of(other) if other < self.cells() && other.abs_diff(row) <= REACH => other,
                Kind::Of(_) => return Err("a row refers to one that is too far away, or is none"),
                Kind::Equal(_) => return Err("a row refers to one that is only equal to another"),
            };
        }
        Err("too many references, one after the other")
    }
}

impl Layout {
    fn of(bytes: &[u8]) -> Result<Layout, CodecError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(CodecError { at: bytes.len(), reason: "the header is cut off" });
        };
        let [c0, c1, c2, c3, entry_bits, orders @ ..] = *header;
        let cells = u32::from_le_bytes([c0, c1, c2, c3]) as usize;
        if cells > MOST_CELLS {
            return Err(CodecError { at: 4, reason: "more cells than there may be" });
        }
        let entry_bits = u32::from(entry_bits);
        if entry_bits > MOST_ENTRY_BITS {
            return Err(CodecError { at: 5, reason: "an index entry has too many bits" });
        }
        let [g0, g1, g2, g3, counts] = orders.map(u32::from);
        if orders.into_iter().any(|order| u32::from(order) > code::MOST_ORDER) {
            return Err(CodecError { at: HEADER, reason: "an order is too high" });
        }
        let index = (cells * entry_bits as usize).div_ceil(8);
        if rest.len() < index {
            return Err(CodecError { at: bytes.len(), reason: "the index is cut off" });
        }
        Ok(Layout { cells, entry_bits, gaps: [[g0, g1], [g2, g3]], counts, records: HEADER + index })
    }
}
