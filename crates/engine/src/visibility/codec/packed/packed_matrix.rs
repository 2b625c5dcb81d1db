//! A packed matrix: validation, and access to its records.

use super::exp_golomb;
use super::layout::{
    EQUAL_ORDER, HEADER, KIND_ORDER, MAX_DEPTH, MatrixLayout, REACH, RowRecordKind,
};
use crate::visibility::codec::row_codec::{CUT_OFF, CodecError, TOO_LONG};

/// A packed matrix. Any row can be read without reading the whole.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PackedMatrix {
    pub(super) bytes: Vec<u8>,
    pub(super) layout: MatrixLayout,
}

impl PackedMatrix {
    /// Reads the matrix from bytes that [`PackedMatrix::as_bytes`] returned.
    ///
    /// # Errors
    /// The bytes are not a valid matrix. Allocates nothing larger than `bytes`, apart from a few
    /// rows.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<PackedMatrix, CodecError> {
        let layout = MatrixLayout::from_header(&bytes)?;
        let packed = PackedMatrix { bytes, layout };
        packed.check()?;
        Ok(packed)
    }

    /// The bytes to store. The matrix needs no other memory.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        &self.bytes
    }

    /// Number of cells: rows, and bits of a row.
    #[must_use]
    pub fn cells(&self) -> usize {
        self.layout.cells
    }

    /// The bit at which the record of `row` begins.
    #[inline]
    fn record(&self, row: usize) -> usize {
        let entry_bits = self.layout.entry_bits as usize;
        let entry = exp_golomb::window(&self.bytes, HEADER * 8 + row * entry_bits)
            & ((1 << entry_bits) - 1);
        self.layout.records.saturating_add(entry as usize).saturating_mul(8)
    }

    /// The kind of a row's record, and the bit after it. The kind of an invalid record may name a
    /// row that does not exist.
    #[inline]
    pub(super) fn kind(&self, row: usize) -> (RowRecordKind, usize) {
        let at = self.record(row);
        let bits = exp_golomb::window(&self.bytes, at);
        let (kind, length) = exp_golomb::number(bits, KIND_ORDER);
        let rows = (kind / 2) as usize;
        match kind {
            0 => (RowRecordKind::Plain, at + length as usize),
            1 => {
                // An invalid code may be longer than the bits at hand.
                let (before, more) =
                    exp_golomb::number(bits.checked_shr(length).unwrap_or(0), EQUAL_ORDER);
                (
                    RowRecordKind::Equal(row.wrapping_sub(before as usize + 1)),
                    at + (length + more) as usize,
                )
            }
            _ if kind % 2 == 0 => {
                (RowRecordKind::ChangeOf(row.wrapping_sub(rows)), at + length as usize)
            }
            _ => (RowRecordKind::ChangeOf(row + rows), at + length as usize),
        }
    }

    /// The number of changes of a row, read at the bit after its kind, and the bit after it.
    #[inline]
    pub(super) fn count(&self, at: usize) -> (u32, usize) {
        let (count, length) =
            exp_golomb::number(exp_golomb::window(&self.bytes, at), self.layout.counts);
        (count, at + length as usize)
    }

    /// Calls `each` with the changes of a row, in pairs of beginning and end; the last may lack its
    /// end. `at` is the bit after their count. Returns the bit after the changes.
    #[inline]
    pub(super) fn changes(
        &self,
        kind: RowRecordKind,
        count: u32,
        mut at: usize,
        mut each: impl FnMut(u64, Option<u64>),
    ) -> usize {
        let [before_begin, before_end] =
            self.layout.gaps[usize::from(kind != RowRecordKind::Plain)];
        let mut next = 0;
        for _ in 0..count / 2 {
            let bits = exp_golomb::window(&self.bytes, at);
            let (gap, length) = exp_golomb::number(bits, before_begin);
            let begin = next + u64::from(gap);
            at += length as usize;
            // Two codes are nearly always in one window.
            let bits =
                if length < 28 { bits >> length } else { exp_golomb::window(&self.bytes, at) };
            let (gap, length) = exp_golomb::number(bits, before_end);
            let end = begin + 1 + u64::from(gap);
            at += length as usize;
            next = end + 1;
            each(begin, Some(end));
        }
        if count % 2 == 1 {
            let (gap, length) =
                exp_golomb::number(exp_golomb::window(&self.bytes, at), before_begin);
            at += length as usize;
            each(next + u64::from(gap), None);
        }
        at
    }

    /// Checks that every row can be read, in one pass over all bytes.
    fn check(&self) -> Result<(), CodecError> {
        let mut start = self.layout.records;
        for row in 0..self.cells() {
            if self.record(row) != start * 8 {
                return Err(CodecError {
                    at: start,
                    reason: "a record does not begin where the one before ends",
                });
            }
            start = self.check_row(row).map_err(|reason| CodecError { at: start, reason })?;
        }
        if start == self.bytes.len() {
            Ok(())
        } else {
            Err(CodecError { at: start, reason: "unexpected bytes follow the last row" })
        }
    }

    /// Checks that a row can be read. Returns the byte after its record.
    fn check_row(&self, row: usize) -> Result<usize, &'static str> {
        let (kind, at) = self.kind(row);
        let available = self.bytes.len() * 8;
        let end = match kind {
            _ if at > available => at,
            RowRecordKind::Equal(other)
                if other >= row || matches!(self.kind(other).0, RowRecordKind::Equal(_)) =>
            {
                return Err("a row equals a row that is not stored before it");
            }
            RowRecordKind::Equal(_) => at,
            RowRecordKind::Plain | RowRecordKind::ChangeOf(_) => {
                self.check_references(row)?;
                let (count, at) = self.count(at);
                // Each change takes at least one bit.
                if count as usize > available.saturating_sub(at) {
                    return Err(CUT_OFF);
                }
                let mut last = None;
                let end = self.changes(kind, count, at, |begin, end| last = end.or(Some(begin)));
                if last.is_some_and(|last| last >= self.cells() as u64) {
                    return Err(TOO_LONG);
                }
                end
            }
        };
        if end > available { Err(CUT_OFF) } else { Ok(end.div_ceil(8)) }
    }

    /// Checks that at most [`MAX_DEPTH`] references lead from a row to a row without reference.
    fn check_references(&self, mut row: usize) -> Result<(), &'static str> {
        for _ in 0..=MAX_DEPTH {
            row = match self.kind(row).0 {
                RowRecordKind::Plain => return Ok(()),
                RowRecordKind::ChangeOf(other)
                    if other < self.cells() && other.abs_diff(row) <= REACH =>
                {
                    other
                }
                RowRecordKind::ChangeOf(_) => {
                    return Err("a row refers to a row that is too far away or does not exist");
                }
                RowRecordKind::Equal(_) => {
                    return Err("a row refers to a row that only equals another");
                }
            };
        }
        Err("too many references in a row")
    }
}
