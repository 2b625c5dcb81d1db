//! What lighting has read.

/// Chunks and runs that were read to light them. A chunk that is lit twice counts twice.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightCounts {
    /// Chunks lit.
    pub chunks: u64,
    /// Runs of their voxels.
    pub runs: u64,
}
