//! Errors of making and decoding regions.

use super::metric::MAX_REACH;
use crate::codec::bit_rle::BitRleError;

/// Maximum number of chunks of a region, and of the result of an operation. Bounds memory, because
/// both are kept in memory as a whole.
pub const MAX_CHUNKS: u64 = 1 << 18;

/// Reason why a region cannot be made.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionError {
    /// The region would have more than [`MAX_CHUNKS`] chunks.
    #[error("the region is too large: it would touch more than {MAX_CHUNKS} chunks")]
    TooLarge,
    /// A region cannot grow or shrink by a ball with a radius of more than 32 voxels.
    #[error("a ball to grow or shrink by can have a radius of {MAX_REACH} voxels at most")]
    Radius,
    /// A voxel would lie outside the world.
    #[error("the region would leave the world")]
    OutsideWorld,
    /// The region has no voxels.
    #[error("the region has no voxels")]
    Empty,
}

/// Reason why bytes cannot be decoded as a region.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RegionBytesError {
    /// An unknown version.
    #[error("version {0} of regions is not known")]
    Version(u8),
    /// The number of chunks exceeds [`MAX_CHUNKS`].
    #[error("{0} chunks are more than a region can have")]
    TooLarge(u32),
    /// The bytes end early.
    #[error("the region is cut short at byte {0}")]
    Truncated(usize),
    /// A chunk lies outside the world, or is not after the previous chunk in order.
    #[error("the region has an invalid position at byte {0}")]
    Position(usize),
    /// The voxels of a chunk are malformed.
    #[error("voxels of the region at byte {at}: {reason}")]
    Voxels {
        /// Offset of the chunk's voxels.
        at: usize,
        /// Error in the voxels.
        reason: BitRleError,
    },
    /// A chunk contains values other than air and material 1, or no voxel of the region.
    #[error("the region has invalid voxels at byte {0}")]
    Values(usize),
    /// Bytes follow the last chunk.
    #[error("bytes follow the region at byte {0}")]
    Trailing(usize),
}
