//! The visibility text's first attempt (section 4), "12/4": words of 16 bits, each a run of zeros
//! (12 bits) and the following run of ones (4 bits).
//!
//! The visibility text says that 4096 zeros fit, but a count of 12 bits ends at 4095, as does the
//! listing. Worst case: alternating cells take two bytes for every two cells.

use super::row_bits::{low, next_one, next_zero};
use super::row_codec::{CUT_OFF, CodecError, PieceReader, RowCodec, RowPiece, TOO_LONG};

const ZERO_BITS: usize = 12;
const MAX_ZEROS: usize = (1 << ZERO_BITS) - 1;
const MAX_ONES: usize = (1 << (16 - ZERO_BITS)) - 1;

/// The visibility text's first attempt at a codec, "12/4".
#[derive(Clone, Copy, Debug)]
pub struct ZeroOne;

impl RowCodec for ZeroOne {
    const NAME: &'static str = "12/4";
    type Reader<'a> = ZeroOneReader<'a>;

    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>) {
        let end = cells.div_ceil(8) * 8;
        let mut at = 0;
        while at < end {
            let zeros = (next_one(row, at, end) - at).min(MAX_ZEROS);
            at += zeros;
            let ones = (next_zero(row, at, end) - at).min(MAX_ONES);
            at += ones;
            out.extend(((zeros | ones << ZERO_BITS) as u16).to_le_bytes());
        }
    }

    fn pieces(packed: &[u8], cells: usize) -> ZeroOneReader<'_> {
        ZeroOneReader { packed, read: 0, at: 0, end: cells.div_ceil(8) * 8, cells }
    }
}

/// Reads a row of the 12/4 codec. A piece is one word.
#[derive(Clone, Debug)]
pub struct ZeroOneReader<'a> {
    packed: &'a [u8],
    /// Offset in `packed`.
    read: usize,
    /// Cell at which the next piece begins.
    at: usize,
    /// Size of the row in bits, a multiple of 8.
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
        let zeros = code & MAX_ZEROS;
        let ones = code >> ZERO_BITS;
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
