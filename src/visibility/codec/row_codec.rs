//! The interface of the row codecs, and what they have in common.
//!
//! Each packed row is read as a stream of *pieces*, stretches of up to 64 cells. Decoding a row
//! ([`RowCodec::decode`]) and iterating over its visible cells ([`RowCodec::cells`]) read the same
//! pieces, the latter without an intermediate row, so both reject the same input. Invalid bytes
//! are an error, never a panic: a piece is checked before it is returned. Each piece consumes
//! bytes, so reading always ends. (The new codec decodes larger pieces while nothing can be wrong
//! with them; a test compares both forms with the text's listing.)

use super::row_bits;
use crate::visibility::bitset::WORD_BITS;

/// Bytes that are no row.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("byte {at}: {reason}")]
pub struct CodecError {
    /// The byte behind what was read.
    pub at: usize,
    /// What is wrong there.
    pub reason: &'static str,
}

pub(super) const CUT_OFF: &str = "the data end before the row does";
pub(super) const TOO_LONG: &str = "a run passes the end of the row";
pub(super) const NO_SUCH_CELL: &str = "a cell past the last one is visible";

/// A stretch of a row.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct RowPiece {
    /// The cell of its lowest bit.
    pub at: usize,
    /// RowCells from there on, visible where a bit is set.
    pub bits: u64,
}

impl RowPiece {
    /// The piece, if no cell in it is past the last of `cells`.
    #[inline]
    pub(super) fn within(self, cells: usize, read: usize) -> Result<Option<RowPiece>, CodecError> {
        if self.at + WORD_BITS > cells && self.bits & !row_bits::low(cells.saturating_sub(self.at)) != 0 {
            return Err(CodecError { at: read, reason: NO_SUCH_CELL });
        }
        Ok(Some(self))
    }

    /// Adds it to a row. Panics where its first cell is not in it.
    #[inline]
    pub(super) fn write(self, row: &mut [u64]) {
        let (word, bit) = (self.at / WORD_BITS, self.at % WORD_BITS);
        row[word] |= self.bits << bit;
        // In two steps, as a shift by 64 is none. There are no bits for a word that is not there.
        if let Some(next) = row.get_mut(word + 1) {
            *next |= self.bits >> 1 >> (WORD_BITS - 1 - bit);
        }
    }
}

/// The pieces of a packed row, in ascending order.
pub trait PieceReader {
    /// The next piece, all of whose visible cells are cells of the row; none at the row's end.
    ///
    /// # Errors
    /// The bytes are no row. What was handed out before was read from them, but means nothing.
    fn next_piece(&mut self) -> Result<Option<RowPiece>, CodecError>;

    /// How many bytes were read; at the row's end, those of the row.
    fn bytes_read(&self) -> usize;

    /// Writes all pieces to a row of zeros, which has a word for each cell. How many bytes were read.
    ///
    /// # Errors
    /// As those of [`PieceReader::next_piece`].
    fn write(mut self, row: &mut [u64]) -> Result<usize, CodecError>
    where
        Self: Sized,
    {
        while let Some(piece) = self.next_piece()? {
            // Only zeros may begin at the row's end, where there is no word.
            if piece.bits != 0 {
                piece.write(row);
            }
        }
        Ok(self.bytes_read())
    }
}

/// Makes zeros of a row. Panics where it has not the words of so many cells.
pub(super) fn clear(row: &mut [u64], cells: usize) {
    assert!(row.len() >= cells.div_ceil(WORD_BITS), "{} words are no row of {cells} cells", row.len());
    row.fill(0);
}

/// A way to pack rows one by one.
pub trait RowCodec {
    /// What the text calls it.
    const NAME: &'static str;

    /// What reads a packed row.
    type Reader<'a>: PieceReader;

    /// Appends the row of so many cells to `out`. Panics where it has fewer words than that takes; its bits past the last cell
    /// must be zero, as those of a [`Matrix`](super::Matrix) are.
    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>);

    /// The pieces of the row of so many cells that `packed` begins with.
    fn pieces(packed: &[u8], cells: usize) -> Self::Reader<'_>;

    /// Writes the row of so many cells that `packed` begins with to `row`, and tells how many bytes it takes. Panics where `row`
    /// has fewer words than that; those after it become zero.
    ///
    /// # Errors
    /// The bytes are no row; `row` then holds anything.
    fn decode(packed: &[u8], cells: usize, row: &mut [u64]) -> Result<usize, CodecError> {
        clear(row, cells);
        Self::pieces(packed, cells).write(row)
    }

    /// The visible cells of the row of so many cells that `packed` begins with, in ascending order, straight from the bytes.
    fn cells(packed: &[u8], cells: usize) -> RowCells<Self::Reader<'_>> {
        RowCells { pieces: Self::pieces(packed, cells), at: 0, bits: 0, failed: false }
    }
}

/// The visible cells of a packed row: see [`RowCodec::cells`]. After an error nothing follows.
#[derive(Clone, Debug)]
pub struct RowCells<P> {
    pieces: P,
    /// The rest of the piece that was read last.
    at: usize,
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
