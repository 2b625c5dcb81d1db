//! What lighting has read.

use crate::runs::RunTree;

/// Chunks and runs that were read to light them. A chunk that is lit twice counts
/// twice; one that is lit in part counts whole.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightCounts {
    /// Chunks lit.
    pub chunks: u64,
    /// Runs of their voxels.
    pub runs: u64,
}

impl LightCounts {
    /// Counts a chunk.
    pub(super) fn add(&mut self, chunk: &RunTree) {
        self.chunks += 1;
        self.runs += chunk.run_count() as u64;
    }

    /// Adds other counts.
    pub(super) fn merge(&mut self, other: LightCounts) {
        self.chunks += other.chunks;
        self.runs += other.runs;
    }
}
