//! Errors of undo steps: malformed bytes, and steps that cannot be read.

use crate::codec::LiquidError;
use crate::codec::bit_mask::BitMaskError;
use crate::codec::bit_rle::BitRleError;
use crate::codec::byte_rle::ByteRleError;
use crate::codec::packed::PackedError;
use crate::codec::predicted::PredictedError;
use crate::save::SaveError;
use crate::voxel::{ChunkPos, MaterialId};

/// An error in the bytes of a step, with its place.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// A patch or a block is longer than the remaining bytes.
    #[error("byte {at}: the step is truncated")]
    Truncated {
        /// Offset of the patch or block.
        at: usize,
    },
    /// The chunk lies outside the world, or the box outside the chunk.
    #[error("byte {at}: invalid chunk position or box")]
    InvalidBox {
        /// Offset of the patch.
        at: usize,
    },
    /// A block of patches has impossible lengths, or its LZ4 data are malformed.
    #[error("byte {at}: malformed block")]
    Block {
        /// Offset of the block.
        at: usize,
    },
    /// Two patches change the same chunk, or the chunks are not in order.
    #[error("chunk {pos}: listed twice, or out of order")]
    DuplicateChunk {
        /// Position of the chunk.
        pos: ChunkPos,
    },
    /// The voxels of a patch are malformed.
    #[error("chunk {pos}: {source}")]
    Patch {
        /// Position of the chunk.
        pos: ChunkPos,
        /// Reason.
        source: PatchError,
    },
    /// The unpacked step needs too much memory.
    #[error(
        "chunk {pos}: up to here the unpacked step needs more than {limit} bytes of memory, the most allowed"
    )]
    TooLarge {
        /// Position of the first chunk beyond the limit.
        pos: ChunkPos,
        /// Limit in bytes.
        limit: u64,
    },
    /// A version of the format that this program does not know.
    #[error("unknown version {0}")]
    Version(u8),
}

/// An error in the patch of a chunk.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PatchError {
    /// Malformed byte-RLE, in a step of version 1.
    #[error("{0}")]
    Rle(#[from] ByteRleError),
    /// Malformed gaps and ranges of the changed voxels.
    #[error("{0}")]
    Mask(#[from] BitMaskError),
    /// Malformed bit-packed runs.
    #[error("{0}")]
    Packed(#[from] BitRleError),
    /// Malformed predicted runs.
    #[error("{0}")]
    Predicted(#[from] PredictedError),
    /// Malformed packed voxels.
    #[error("packed voxels: {0}")]
    PackedVoxels(#[from] PackedError),
    /// A part has another length than its form requires.
    #[error("a part has a wrong length")]
    Length,
    /// A material is not in the map's table.
    #[error("material {0} is not in the map's table")]
    Material(u16),
    /// A voxel cannot hold its liquid.
    #[error(transparent)]
    Liquid(#[from] LiquidError),
    /// Liquid stands in a material that is itself a gas or a liquid.
    #[error("material {0} is a gas or a liquid but holds liquid")]
    WetFluid(MaterialId),
    /// The patch changes no voxel.
    #[error("no voxel changes")]
    Unchanged,
}

/// Error of reading and unpacking a step.
#[derive(thiserror::Error, Debug)]
pub enum UnpackError {
    /// The map cannot be read.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// The map does not hold the step.
    #[error("step {0} of the undo history is not in the map")]
    Missing(u64),
    /// The bytes of the step are malformed.
    #[error("step {number} of the undo history: {source}")]
    Malformed {
        /// Number of the step.
        number: u64,
        /// Reason.
        source: StepError,
    },
}
