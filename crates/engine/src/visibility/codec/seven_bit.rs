//! The visibility text's new codec (section 4): each byte is seven cells as they are, or a run of
//! zeros.
//!
//! ```text
//! 0ccccccc            seven cells, the first one lowest; cells past the end of the row are zero
//! 10nnnnnn            n + 1 zeros (1 to 64)
//! 11nnnnnn mmmmmmmm   n + 64 m + 1 zeros (1 to 16384)
//! ```
//!
//! Runs start at seven zeros; shorter runs are stored as cells. The run granularity is 1; with 8 or
//! more the visibility text's listing never ends, because it rounds a run of seven zeros down to
//! none. The listing's decoder writes past the row where the last cells overhang; this one writes
//! nothing there and rejects visible cells there. The worst case is 8/7 of the row, not 1.125 times
//! the row, as the visibility text states.

use super::row_bits::{bits_at, load, low, next_one};
use super::row_codec::{CUT_OFF, CodecError, PieceReader, RowCodec, RowPiece, TOO_LONG, clear};

/// Cells in a byte of cells (`PVS_RLE_IMMEDIATE_BITS`), and the length of the shortest run.
const IMMEDIATE_BITS: usize = 7;
/// Count bits of a run's first byte (`PVS_RLE_1ST_COUNT_BITS`).
const FIRST_COUNT_BITS: usize = 6;
/// Count bits of a run's second byte (`PVS_RLE_2ND_COUNT_BITS`).
const SECOND_COUNT_BITS: usize = 8;
const RUN_BIT: u8 = 1 << 7;
const LONG_RUN_BIT: u8 = 1 << 6;
/// The run bit of each of eight bytes.
const RUN_BITS: u64 = 0x8080_8080_8080_8080;

/// The visibility text's new codec: seven cells or a run of zeros per code.
#[derive(Clone, Copy, Debug)]
pub struct SevenBit;

impl RowCodec for SevenBit {
    const NAME: &'static str = "new";
    type Reader<'a> = SevenBitReader<'a>;

    fn encode(row: &[u64], cells: usize, out: &mut Vec<u8>) {
        let end = cells.div_ceil(8) * 8;
        let mut at = 0;
        while at < end {
            let zeros = next_one(row, at, end) - at;
            if zeros < IMMEDIATE_BITS {
                out.push((bits_at(row, at) & low(IMMEDIATE_BITS)) as u8);
                at += IMMEDIATE_BITS;
                continue;
            }
            let run = zeros.min(1 << (FIRST_COUNT_BITS + SECOND_COUNT_BITS));
            let first = ((run - 1) & ((1 << FIRST_COUNT_BITS) - 1)) as u8 | RUN_BIT;
            if run <= 1 << FIRST_COUNT_BITS {
                out.push(first);
            } else {
                out.extend([first | LONG_RUN_BIT, ((run - 1) >> FIRST_COUNT_BITS) as u8]);
            }
            at += run;
        }
    }

    fn pieces(packed: &[u8], cells: usize) -> SevenBitReader<'_> {
        SevenBitReader { packed, read: 0, at: 0, end: cells.div_ceil(8) * 8, cells }
    }

    fn decode(packed: &[u8], cells: usize, row: &mut [u64]) -> Result<usize, CodecError> {
        clear(row, cells);
        let mut pieces = Self::pieces(packed, cells);
        while let Some(piece) = pieces.inner_piece() {
            piece.write(row);
        }
        pieces.write(row)
    }
}

/// Reads a row of the new codec. A piece is up to eight bytes of cells and the run after them.
#[derive(Clone, Debug)]
pub struct SevenBitReader<'a> {
    packed: &'a [u8],
    /// Offset in `packed`.
    read: usize,
    /// Cell at which the next piece begins.
    at: usize,
    /// Size of the row in bits, a multiple of 8.
    end: usize,
    cells: usize,
}

impl PieceReader for SevenBitReader<'_> {
    #[inline]
    fn next_piece(&mut self) -> Result<Option<RowPiece>, CodecError> {
        if self.at >= self.end {
            return Ok(None);
        }
        // Bytes past the end load as a run, so the end is checked where runs are read.
        let word = load(self.packed, self.read, RUN_BITS);
        // Bits of the cell bytes before the first run: up to seven bytes.
        let before = (word & RUN_BITS | 1 << 63).trailing_zeros() - 7;
        let count = before as usize / 8;
        let mut piece = RowPiece { at: self.at, bits: gather(word & ((1 << before) - 1)) };
        let after_cells = self.at + count * IMMEDIATE_BITS;
        if after_cells >= self.end || count == 7 {
            // Either the row ends among these cells, or the second byte of a run may be outside the
            // word.
            let count = count.min((self.end - self.at).div_ceil(IMMEDIATE_BITS));
            piece.bits &= low(count * IMMEDIATE_BITS);
            self.at += count * IMMEDIATE_BITS;
            self.read += count;
            return piece.within(self.cells, self.read);
        }
        // Branch-free: long and short runs are unpredictable.
        let first = word >> before;
        let second = word >> before >> 8;
        let is_long = first >> FIRST_COUNT_BITS & 1;
        let run = first & ((1 << FIRST_COUNT_BITS) - 1)
            | (second & 0xFF & is_long.wrapping_neg()) << FIRST_COUNT_BITS;
        self.at = after_cells + run as usize + 1;
        self.read += count + 1 + is_long as usize;
        if self.read > self.packed.len() {
            return Err(CodecError { at: self.packed.len(), reason: CUT_OFF });
        }
        if self.at > self.end {
            return Err(CodecError { at: self.read, reason: TOO_LONG });
        }
        piece.within(self.cells, self.read)
    }

    fn bytes_read(&self) -> usize {
        self.read
    }
}

impl SevenBitReader<'_> {
    /// The next piece, if nine bytes are left and the row continues after it: then it cannot be
    /// invalid. Branch-free, because the sequence of byte kinds is unpredictable.
    #[inline]
    fn inner_piece(&mut self) -> Option<RowPiece> {
        let bytes: &[u8; 9] = self.packed.get(self.read..)?.first_chunk()?;
        let word = load(bytes, 0, 0);
        let next_word = load(bytes, 1, 0);
        // The run bit of the first run among seven bytes, or the eighth byte's run bit if none
        // has a run.
        let run_bit = (word & RUN_BITS | 1 << 63).trailing_zeros();
        let count = run_bit as usize / 8;
        let before = run_bit - 7;
        let is_run = word >> run_bit & 1;
        let is_long = word << 1 >> run_bit & is_run;
        let first = (word >> before & ((1 << FIRST_COUNT_BITS) - 1)) + 1;
        let second = (next_word >> before & 0xFF) << FIRST_COUNT_BITS;
        let run = (first & is_run.wrapping_neg()) + (second & is_long.wrapping_neg());
        let piece = RowPiece { at: self.at, bits: gather(word & ((1 << before) - 1)) };
        let after = self.at + count * IMMEDIATE_BITS + run as usize;
        (after < self.cells).then(|| {
            self.at = after;
            self.read += count + (is_run + is_long) as usize;
            piece
        })
    }
}

/// Packs the seven low bits of each of eight bytes next to each other.
#[inline]
fn gather(word: u64) -> u64 {
    let pairs = word & 0x007F_007F_007F_007F | word >> 1 & 0x3F80_3F80_3F80_3F80;
    let fours = pairs & 0x0000_3FFF_0000_3FFF | pairs >> 2 & 0x0FFF_C000_0FFF_C000;
    fours & 0x0FFF_FFFF | fours >> 4 & 0x00FF_FFFF_F000_0000
}
