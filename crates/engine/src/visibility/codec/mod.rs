//! Codecs for rows of visibility: three from the visibility text (see [`visibility`](super)), and
//! our codec of a whole matrix.
//!
//! | codec | codes |
//! |---|---|
//! | [`Quake`] | bytes; runs of zero bytes |
//! | [`ZeroOne`], the visibility text's "12/4" | runs of zeros, each followed by a run of ones |
//! | [`SevenBit`], the visibility text's new codec | seven cells as they are; runs of zeros |
//! | [`PackedMatrix`], ours | a whole matrix: rows as differences from nearby rows |
//!
//! The visibility text's codecs pack one row at a time and fill the last byte of each row with
//! zeros; `row_codec.rs` explains how they are read.

mod packed;
mod quake;
mod row_bits;
mod row_codec;
mod seven_bit;
mod zero_one;

#[cfg(test)]
mod tests;

pub use packed::{MatrixReader, PackedMatrix, PackedRowCells, PackedRowRuns, lone_row_bytes};
pub use quake::Quake;
pub use row_bits::ones;
pub use row_codec::{CodecError, PieceReader, RowCells, RowCodec, RowPiece};
pub use seven_bit::SevenBit;
pub use zero_one::ZeroOne;
