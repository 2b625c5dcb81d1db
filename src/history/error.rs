//! Errors of undo steps: malformed bytes, and steps that cannot be applied.

use crate::codec::byte_rle::ByteRleError;
use crate::voxel::ChunkPos;

/// Why bytes are not an [`EditStep`](super::EditStep), and where.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum StepError {
    /// A patch needs more bytes.
    #[error("byte {at}: the step is truncated")]
    Truncated {
        /// Offset of the patch.
        at: usize,
    },
    /// The chunk lies outside the world, or the box outside the chunk.
    #[error("byte {at}: invalid chunk position or box")]
    InvalidBox {
        /// Offset of the patch.
        at: usize,
    },
    /// Two patches change the same chunk.
    #[error("chunk {pos}: listed twice")]
    DuplicateChunk {
        /// Position of the chunk.
        pos: ChunkPos,
    },
    /// The voxels of a patch are malformed.
    #[error("chunk {pos}: {source}")]
    Voxels {
        /// Position of the chunk.
        pos: ChunkPos,
        /// Reason.
        source: ByteRleError,
    },
}

/// A step of a saved history is malformed.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("step {number}: {source}")]
pub struct RestoreError {
    /// Number of the step.
    pub number: u64,
    /// Reason.
    pub source: StepError,
}

/// Why a step cannot be applied to a world.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ApplyError {
    /// A chunk of the step is not loaded.
    #[error("chunk {pos} is not loaded")]
    NotLoaded {
        /// Position of the chunk.
        pos: ChunkPos,
    },
    /// The voxels of a patch are malformed.
    #[error("chunk {pos}: {source}")]
    Voxels {
        /// Position of the chunk.
        pos: ChunkPos,
        /// Reason.
        source: ByteRleError,
    },
}
