//! The header of a packed matrix, its limits, and the kinds of records.

use super::exp_golomb;
use crate::visibility::codec::row_codec::CodecError;

/// Maximum number of references that lead from a row to a row without reference.
pub const MAX_DEPTH: usize = 3;
/// Maximum distance from a row to its reference, in rows.
pub const REACH: usize = 16;

/// Number of Exp-Golomb orders in the header.
pub(crate) const ORDERS: usize = 5;
/// Size of the header, in bytes: cells, index entry, orders.
pub const HEADER: usize = 4 + 1 + ORDERS;
/// Maximum number of cells. A plain matrix of that size would take 128 gigabytes.
pub const MAX_CELLS: usize = 1 << 20;
/// Maximum bits of an index entry: the bits that one eight-byte load provides at any bit position.
const MAX_ENTRY_BITS: u32 = 57;
/// Exp-Golomb order of the kind of a record.
pub(crate) const KIND_ORDER: u32 = 2;
/// Exp-Golomb order of the distance to an equal row.
pub(crate) const EQUAL_ORDER: u32 = 6;

/// The header of a packed matrix.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct MatrixLayout {
    /// Number of cells.
    pub cells: usize,
    /// Bits of an index entry.
    pub(crate) entry_bits: u32,
    /// Exp-Golomb orders of gaps. First index: 1 for rows with a reference, else 0. Second index: 0
    /// for gaps before a beginning, 1 for gaps before an end.
    pub gaps: [[u32; 2]; 2],
    /// Exp-Golomb order of the numbers of changes.
    pub counts: u32,
    /// Byte at which the first record begins.
    pub records: usize,
}

/// The kind of a row's record.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum RowRecordKind {
    /// All changes of the row.
    Plain,
    /// The changes that the row does not share with its reference, the row with this number.
    ChangeOf(usize),
    /// No content: the row equals the row with this number.
    Equal(usize),
}

impl MatrixLayout {
    /// Reads the header and checks that the index is complete.
    pub(crate) fn from_header(bytes: &[u8]) -> Result<MatrixLayout, CodecError> {
        let Some((header, rest)) = bytes.split_first_chunk::<HEADER>() else {
            return Err(CodecError { at: bytes.len(), reason: "the header is cut off" });
        };
        let [c0, c1, c2, c3, entry_bits, orders @ ..] = *header;
        let cells = u32::from_le_bytes([c0, c1, c2, c3]) as usize;
        if cells > MAX_CELLS {
            return Err(CodecError { at: 4, reason: "more cells than a matrix may have" });
        }
        let entry_bits = u32::from(entry_bits);
        if entry_bits > MAX_ENTRY_BITS {
            return Err(CodecError { at: 5, reason: "an index entry has too many bits" });
        }
        let [g0, g1, g2, g3, counts] = orders.map(u32::from);
        if orders.into_iter().any(|order| u32::from(order) > exp_golomb::MAX_ORDER) {
            return Err(CodecError { at: HEADER, reason: "an order is too high" });
        }
        let index = (cells * entry_bits as usize).div_ceil(8);
        if rest.len() < index {
            return Err(CodecError { at: bytes.len(), reason: "the index is cut off" });
        }
        Ok(MatrixLayout {
            cells,
            entry_bits,
            gaps: [[g0, g1], [g2, g3]],
            counts,
            records: HEADER + index,
        })
    }
}
