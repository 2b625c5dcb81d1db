//! Decoding errors of byte-RLE, with their byte offset.

use crate::codec::LiquidError;
use crate::voxel::MaterialId;

/// Error of the byte-RLE decoder, with its byte offset.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("byte {at}: {kind}")]
pub struct ByteRleError {
    /// Offset of the field in the RLE bytes.
    pub at: usize,
    /// Reason.
    pub kind: ByteRleErrorKind,
}

/// Reasons of a [`ByteRleError`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ByteRleErrorKind {
    /// The data ends early.
    #[error("the data ends early")]
    Truncated,
    /// A varint is longer than three bytes.
    #[error("a varint is longer than 3 bytes")]
    LongVarint,
    /// The palette has no material, or more than 32768.
    #[error("a palette of {0} materials")]
    PaletteSize(usize),
    /// A material is not in the map's table.
    #[error("material {0} is not in the map's material table")]
    Material(MaterialId),
    /// A palette index is out of range.
    #[error("palette index {0} is out of range")]
    PaletteIndex(usize),
    /// Air has an occupancy byte, which may announce liquid.
    #[error("air with an occupancy or liquid")]
    AirOccupancy,
    /// A voxel cannot hold its liquid.
    #[error(transparent)]
    Liquid(#[from] LiquidError),
    /// A run passes the end of the chunk.
    #[error("a run of {len} at voxel {start} passes the end of the chunk")]
    RunTooLong {
        /// Linear index of the run's first voxel.
        start: usize,
        /// Length of the run in voxels.
        len: usize,
    },
    /// Bytes follow the last run.
    #[error("data follows the last voxel")]
    Trailing,
}
