//! The text's first attempt (section 4), "12/4": words of 16 bits, each a run of zeros (12 bits) and the run of ones after it
//! (4 bits).
//!
//! The text says that 4096 zeros fit; a count of 12 bits ends at 4095, and so does the listing. Worst case: cells that alternate
//! take two bytes for every two cells.

use super::row_bits::{low, next_one, next_zero};
use super::row_codec::{CUT_OFF, CodecError, PieceReader, RowCodec, RowPiece, TOO_LONG};

const ZERO_BITS: usize = 12;
const MOST_ZEROS: usize = (1 << ZERO_BITS) - 1;
const MOST_ONES: usize = (1 << (16 - ZERO_BITS)) - 1;

/// The text's first attempt.
#[derive(Clone, Copy, Debug)]
pub struct ZeroOne;

impl RowCodec for ZeroOne {
    const NAME: &'static str = "12/4";
    type Reader<'a> = ZeroOneReader<'a>;

    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>) {
        let end = cells.div_ceil(8) * 8;
        let mut at = 0;
        while at < end {
            let zeros = (next_one(row, at, end) - at).min(MOST_ZEROS);
            at += zeros;
            let ones = (next_zero(row, at, end) - at).min(MOST_ONES);
            at += ones;
            out.extend(((zeros | ones << ZERO_BITS) as u16).to_le_bytes());
        }
    }

    fn pieces(packed: &[u8], cells: usize) -> ZeroOneReader<'_> {
        ZeroOneReader { packed, read: 0, at: 0, end: cells.div_ceil(8) * 8, cells }
    }
}

/// What reads a row of the 12/4 codec: each word is a piece.
#[derive(Clone, Debug)]
pub struct ZeroOneReader<'a> {
    packed: &'a [u8],
    read: usize,
    at: usize,
    /// Bits of the row, whole bytes.
    end: usize,
    cells: usize,
}

impl PieceReader for ZeroOneReader<'_> {
    #[inline]
    fn next_piece(&mut self) -> Result<Option<RowPiece>, CodecError> {
        if self.at >= self.end {
            return Ok(None);
        }
        let Some(bytes) = self.packed.get(self.read..).and_then(|rest| rest.first_chunk()) else {
            return Err(CodecError { at: self.packed.len(), reason: CUT_OFF });
        };
        let code = usize::from(u16::from_le_bytes(*bytes));
        self.read += 2;
        let (zeros, ones) = (code & MOST_ZEROS, code >> ZERO_BITS);
        let piece = RowPiece { at: self.at + zeros, bits: low(ones) };
        self.at += zeros + ones;
        if self.at > self.end {
            return Err(CodecError { at: self.read, reason: TOO_LONG });
        }
        piece.within(self.cells, self.read)
    }

    fn bytes_read(&self) -> usize {
        self.read
    }
}
