//! Errors of the decoder, with their place.

use crate::voxel::{MaterialId, Voxel};

/// Why bytes do not decode to a chunk, and where.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PredictedError {
    /// The palette is malformed.
    #[error("byte {at}: {kind}")]
    Palette {
        /// Offset of the field.
        at: usize,
        /// Reason.
        kind: PaletteErrorKind,
    },
    /// A run is malformed.
    #[error("voxel {start}: {kind}")]
    Run {
        /// Linear index of the run's first voxel.
        start: u32,
        /// Reason.
        kind: RunErrorKind,
    },
    /// The runs need more bits.
    #[error("byte {at}: the data ends early")]
    Truncated {
        /// End of the data.
        at: usize,
    },
    /// Bits other than padding follow the last run.
    #[error("byte {at}, bit {bit}: data follows the last voxel")]
    Trailing {
        /// Byte in which the last run ends.
        at: usize,
        /// First unused bit of that byte.
        bit: usize,
    },
}

/// Reasons of a [`PredictedError::Palette`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum PaletteErrorKind {
    /// More bytes are needed.
    #[error("the palette ends early")]
    Truncated,
    /// A varint is longer than three bytes.
    #[error("a varint is longer than 3 bytes")]
    LongVarint,
    /// The palette has no voxel, or more than 32768.
    #[error("a palette of {0} voxels")]
    Size(usize),
    /// A material is not in the map's table.
    #[error("material {0} is not in the map's material table")]
    Material(usize),
    /// Air has an occupancy.
    #[error("air with an occupancy")]
    AirOccupancy,
    /// A full voxel has an explicit occupancy.
    #[error("material {0} is full but has an occupancy byte")]
    FullOccupancy(MaterialId),
    /// A voxel is listed twice.
    #[error("{0:?} is listed twice")]
    Duplicate(Voxel),
    /// Bytes follow the palette of a uniform chunk.
    #[error("data follows the palette of a uniform chunk")]
    Trailing,
}

/// Reasons of a [`PredictedError::Run`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunErrorKind {
    /// A palette index is out of range.
    #[error("palette index {0} is out of range")]
    PaletteIndex(u32),
    /// The run is empty, or passes the end of the chunk.
    #[error("a run ends at voxel {0}, outside its range")]
    End(u32),
    /// The run has the voxel of the previous one.
    #[error("the voxel of the previous run is repeated")]
    Repeated,
}
