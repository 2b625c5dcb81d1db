//! Common interface of the row codecs.
//!
//! Each packed row is read as a stream of *pieces*, stretches of up to 64 cells. Decoding a row
//! ([`RowCodec::decode`]) and iterating over its visible cells ([`RowCodec::cells`]) read the same
//! pieces, the latter without an intermediate row, so both reject the same input. Invalid bytes
//! are an error, never a panic: a piece is checked before it is returned. Each piece consumes
//! bytes, so reading always ends. (The new codec decodes larger pieces while nothing can be wrong
//! with them; a test compares both forms with the visibility text's listing.)

use super::row_bits;
use crate::visibility::bitset::WORD_BITS;

/// Bytes that are not a valid row.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("byte {at}: {reason}")]
pub struct CodecError {
    /// Offset of the byte after the last one that was read.
    pub at: usize,
    /// Description of the defect.
    pub reason: &'static str,
}

pub(super) const CUT_OFF: &str = "the data end before the row does";
pub(super) const TOO_LONG: &str = "a run passes the end of the row";
pub(super) const NO_SUCH_CELL: &str = "a cell past the last one is visible";

/// A stretch of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPiece {
    /// Cell of the lowest bit.
    pub at: usize,
    /// Cells from `at` on; a set bit is a visible cell.
    pub bits: u64,
}

impl RowPiece {
    /// Returns the piece, part of a row of `cells` cells.
    ///
    /// # Errors
    /// A visible cell of the piece lies past the end of the row. `read` is the place of the error.
    #[inline]
    pub(super) fn within(self, cells: usize, read: usize) -> Result<Option<RowPiece>, CodecError> {
        if self.at + WORD_BITS > cells
            && self.bits & !row_bits::low(cells.saturating_sub(self.at)) != 0
        {
            return Err(CodecError { at: read, reason: NO_SUCH_CELL });
        }
        Ok(Some(self))
    }

    /// Adds the piece to a row. Panics if its first cell is outside the row.
    #[inline]
    pub(super) fn write(self, row: &mut [u64]) {
        let word = self.at / WORD_BITS;
        let bit = self.at % WORD_BITS;
        row[word] |= self.bits << bit;
        // Two shifts, because a shift by 64 would overflow. A missing next word would get no bits.
        if let Some(next) = row.get_mut(word + 1) {
            *next |= self.bits >> 1 >> (WORD_BITS - 1 - bit);
        }
    }
}

/// Reads the pieces of a packed row, in ascending order.
pub trait PieceReader {
    /// The next piece, whose visible cells all exist; `None` at the end of the row.
    ///
    /// # Errors
    /// The bytes are not a valid row. Earlier pieces are then meaningless.
    fn next_piece(&mut self) -> Result<Option<RowPiece>, CodecError>;

    /// Number of bytes read so far; at the end of the row, the size of the row.
    fn bytes_read(&self) -> usize;

    /// Writes all pieces to a row of zeros that has a bit for each cell. Returns the number of
    /// bytes read.
    ///
    /// # Errors
    /// The errors of [`PieceReader::next_piece`].
    fn write(mut self, row: &mut [u64]) -> Result<usize, CodecError>
    where
        Self: Sized,
    {
        while let Some(piece) = self.next_piece()? {
            // An empty piece may begin at the end of the row, where there is no word.
            if piece.bits != 0 {
                piece.write(row);
            }
        }
        Ok(self.bytes_read())
    }
}

/// Clears a row. Panics if it has too few words for `cells` cells.
pub(super) fn clear(row: &mut [u64], cells: usize) {
    assert!(
        row.len() >= cells.div_ceil(WORD_BITS),
        "{} words cannot hold a row of {cells} cells",
        row.len()
    );
    row.fill(0);
}

/// A codec that packs rows one by one.
pub trait RowCodec {
    /// Name of the codec in the visibility text.
    const NAME: &'static str;

    /// Reader of a packed row.
    type Reader<'a>: PieceReader;

    /// Appends a packed row of `cells` cells to `out`. Panics if `row` has too few words. Bits past
    /// the last cell must be zero, as in a [`Matrix`](crate::visibility::Matrix).
    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>);

    /// Reads the pieces of the row of `cells` cells at the start of `packed`.
    fn pieces(packed: &[u8], cells: usize) -> Self::Reader<'_>;

    /// Unpacks the row of `cells` cells at the start of `packed` into `row`, and returns the number
    /// of bytes that it takes. Panics if `row` has too few words; clears additional words.
    ///
    /// # Errors
    /// The bytes are not a valid row. The contents of `row` are then unspecified.
    fn decode(packed: &[u8], cells: usize, row: &mut [u64]) -> Result<usize, CodecError> {
        clear(row, cells);
        Self::pieces(packed, cells).write(row)
    }

    /// Iterates over the visible cells of the row of `cells` cells at the start of `packed`, in
    /// ascending order, without unpacking the row.
    fn cells(packed: &[u8], cells: usize) -> RowCells<Self::Reader<'_>> {
        RowCells { pieces: Self::pieces(packed, cells), at: 0, bits: 0, failed: false }
    }
}

/// The visible cells of a packed row: see [`RowCodec::cells`]. Ends after the first error.
#[derive(Clone, Debug)]
pub struct RowCells<P> {
    pieces: P,
    /// Cell of the lowest bit of the current piece.
    at: usize,
    /// Remaining cells of the current piece.
    bits: u64,
    failed: bool,
}

impl<P: PieceReader> Iterator for RowCells<P> {
    type Item = Result<u32, CodecError>;

    #[inline]
    fn next(&mut self) -> Option<Result<u32, CodecError>> {
        while self.bits == 0 {
            if self.failed {
                return None;
            }
            match self.pieces.next_piece() {
                Ok(Some(piece)) => (self.at, self.bits) = (piece.at, piece.bits),
                Ok(None) => return None,
                Err(error) => {
                    self.failed = true;
                    return Some(Err(error));
                }
            }
        }
        let bit = self.bits.trailing_zeros();
        self.bits &= self.bits - 1;
        Some(Ok(self.at as u32 + bit))
    }
}
