//! Decoding errors of predicted runs, with their position.

use crate::codec::palette::PaletteError;

/// Error of the decoder of predicted runs.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum PredictedError {
    /// The palette is malformed.
    #[error(transparent)]
    Palette(#[from] PaletteError),
    /// A run is malformed.
    #[error("voxel {start}: {kind}")]
    Run {
        /// Linear index of the run's first voxel.
        start: u32,
        /// Reason.
        kind: RunErrorKind,
    },
    /// The bits end before the last run does.
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

/// Reasons of a [`PredictedError::Run`].
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunErrorKind {
    /// A palette index is out of range.
    #[error("palette index {0} is out of range")]
    PaletteIndex(u32),
    /// The run is empty, or passes the end of the chunk.
    #[error("a run ends at voxel {0}, outside its range")]
    End(u32),
    /// The run has the same voxel as the previous run.
    #[error("the voxel of the previous run is repeated")]
    Repeated,
}
