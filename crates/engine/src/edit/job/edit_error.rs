//! Errors of operations.

use crate::edit::region::{MAX_CHUNKS, RegionBytesError, RegionError};
use crate::history::UnpackError;
use crate::save::SaveError;

/// Reason why an operation stopped. The operation has then changed nothing.
#[derive(thiserror::Error, Debug)]
pub enum EditError {
    /// A chunk cannot be read from the map.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// The result would need too much memory.
    #[error("the result lies in more than {MAX_CHUNKS} chunks of 32 x 32 x 32")]
    TooLarge,
    /// A region cannot be made.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The bytes of a named region are not a valid region.
    #[error("region {name:?}: {reason}")]
    NamedRegion {
        /// Name of the region.
        name: String,
        /// Error in the region's bytes.
        reason: RegionBytesError,
    },
    /// The connected voxels lie in more than [`MAX_CHUNKS`] chunks.
    #[error("the connected voxels touch more than {MAX_CHUNKS} chunks")]
    TooManyChunks,
    /// The map's material table has no room for the turned shapes and states of blocks.
    #[error(
        "the map has no room for the materials of the turned blocks; copy what you build into a new \
         map, which gets only the materials of the copy"
    )]
    TooManyMaterials,
    /// A step of the history cannot be read.
    #[error(transparent)]
    Step(#[from] UnpackError),
    /// The player cancelled the job.
    #[error("cancelled")]
    Cancelled,
}
