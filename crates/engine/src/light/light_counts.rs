//! Counts of chunks and runs that lighting reads.

use crate::runs::RunTree;

/// Numbers of chunks and runs that lighting has read. A chunk counts each time it is lit, and as a
/// whole even if only a part is relit.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightCounts {
    /// Chunks lit.
    pub chunks: u64,
    /// Runs of voxels read in the chunks lit.
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
