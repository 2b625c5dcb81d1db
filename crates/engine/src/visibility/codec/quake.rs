//! Quake's codec (the visibility text's section 3): non-zero bytes as they are; a run of zero bytes
//! as a zero byte and the length of the run minus one.
//!
//! The visibility text's listing counts up to 256 zero bytes after the first and stores that count
//! in one byte, where it becomes 0. Here the count ends at 255, so a run is at most 256 bytes.
//! (Quake's own maps store the length itself, 1 to 255.) Worst case: every other byte is zero, and
//! three bytes encode two.

use super::row_bits::{load, low, next_one};
use super::row_codec::{CUT_OFF, CodecError, PieceReader, RowCodec, RowPiece, TOO_LONG};

/// Maximum length of a run, in bytes.
const MAX_RUN: usize = 256;

/// Quake's codec as in the visibility text, with the error of its listing fixed.
#[derive(Clone, Copy, Debug)]
pub struct Quake;

impl RowCodec for Quake {
    const NAME: &'static str = "Quake";
    type Reader<'a> = QuakeReader<'a>;

    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>) {
        let end = cells.div_ceil(8);
        let mut at = 0;
        while at < end {
            let byte = (row[at / 8] >> (at % 8 * 8)) as u8;
            out.push(byte);
            if byte != 0 {
                at += 1;
                continue;
            }
            let run = (next_one(row, at * 8, end * 8) / 8 - at).min(MAX_RUN);
            out.push((run - 1) as u8);
            at += run;
        }
    }

    fn pieces(packed: &[u8], cells: usize) -> QuakeReader<'_> {
        QuakeReader { packed, read: 0, at: 0, end: cells.div_ceil(8), cells }
    }
}

/// Reads a row of Quake's codec. A piece is up to eight bytes and the run after them.
#[derive(Clone, Debug)]
pub struct QuakeReader<'a> {
    packed: &'a [u8],
    /// Offset in `packed`.
    read: usize,
    /// Offset in the row, in bytes.
    at: usize,
    /// Size of the row, in bytes.
    end: usize,
    cells: usize,
}

impl PieceReader for QuakeReader<'_> {
    #[inline]
    fn next_piece(&mut self) -> Result<Option<RowPiece>, CodecError> {
        if self.at >= self.end {
            return Ok(None);
        }
        // Bytes past the end load as a run, so the end is checked where runs are read.
        let word = load(self.packed, self.read, 0);
        // The high bit of each zero byte. Only the lowest is exact; higher ones may be false.
        let zeros = word.wrapping_sub(0x0101_0101_0101_0101) & !word & 0x8080_8080_8080_8080;
        let count = (zeros.trailing_zeros() as usize / 8).min(self.end - self.at);
        let piece = RowPiece { at: self.at * 8, bits: word & low(count * 8) };
        self.at += count;
        self.read += count;
        // If the run's length is outside the word, the run begins the next piece.
        if count < 7 && self.at < self.end {
            self.at += (word >> (count * 8 + 8)) as u8 as usize + 1;
            self.read += 2;
            if self.read > self.packed.len() {
                return Err(CodecError { at: self.packed.len(), reason: CUT_OFF });
            }
            if self.at > self.end {
                return Err(CodecError { at: self.read, reason: TOO_LONG });
            }
        }
        piece.within(self.cells, self.read)
    }

    fn bytes_read(&self) -> usize {
        self.read
    }
}
