//! Numbers of runs, fused runs and quads of meshed chunks.

use crate::runs::moore::{self, ChunkNeighbourhoodRef};
use crate::voxel::MOORE_CENTRE;

/// Sums of runs, fused runs and quads over chunks.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct RunStats {
    /// Number of chunks.
    pub chunks: u64,
    /// Number of runs of equal voxels.
    pub runs: u64,
    /// Number of fused runs: runs of equal Moore neighbourhoods.
    pub fused_runs: u64,
    /// Number of quads.
    pub quads: u64,
}

impl RunStats {
    /// Measures the middle chunk of `neighbourhood`, whose mesh has `quads` quads; all 0 if that
    /// chunk is not loaded. Costs a Moore walk, which takes longer than meshing the chunk.
    #[must_use]
    pub fn new(neighbourhood: &ChunkNeighbourhoodRef<'_>, quads: usize) -> RunStats {
        let Some(chunk) = neighbourhood.chunks[MOORE_CENTRE] else { return RunStats::default() };
        let mut fused_runs = 0;
        moore::walk(neighbourhood, ChunkNeighbourhoodRef::BOUNDS, |_| fused_runs += 1);
        RunStats { chunks: 1, runs: chunk.run_count() as u64, fused_runs, quads: quads as u64 }
    }

    /// Adds the figures of other chunks.
    pub fn add(&mut self, other: RunStats) {
        self.combine(other, |sum, part| sum + part);
    }

    /// Subtracts the figures of chunks that were added before.
    pub fn subtract(&mut self, other: RunStats) {
        self.combine(other, |sum, part| sum - part);
    }

    fn combine(&mut self, other: RunStats, with: fn(u64, u64) -> u64) {
        let RunStats { chunks, runs, fused_runs, quads } = other;
        self.chunks = with(self.chunks, chunks);
        self.runs = with(self.runs, runs);
        self.fused_runs = with(self.fused_runs, fused_runs);
        self.quads = with(self.quads, quads);
    }

    /// Quads per fused run; 0 without chunks.
    #[must_use]
    pub fn quads_per_fused_run(&self) -> f64 {
        if self.fused_runs == 0 { 0.0 } else { self.quads as f64 / self.fused_runs as f64 }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::runs::RunTree;
    use crate::voxel::{MOORE_LEN, Voxel};

    #[test]
    fn lone_voxel_makes_two_runs_more_and_fuses_with_none() {
        let air = RunTree::uniform(Voxel::AIR);
        let mut middle = air.clone();
        middle.set(16 + 32 * 16 + 1024 * 16, Voxel::full(1));
        let mut chunks = [Some(&air); MOORE_LEN];
        chunks[MOORE_CENTRE] = Some(&middle);
        let stats = RunStats::new(&ChunkNeighbourhoodRef { chunks }, 6);
        // In each of nine rows, three voxels have a neighbourhood that no neighbour in the row
        // shares; ten runs of air lie before, between and after these rows.
        assert_eq!(stats, RunStats { chunks: 1, runs: 3, fused_runs: 9 * 3 + 10, quads: 6 });
        assert_eq!(stats.quads_per_fused_run(), 6.0 / 37.0);
        let mut sum = stats;
        sum.add(stats);
        sum.subtract(stats);
        assert_eq!(sum, stats);
        let none = ChunkNeighbourhoodRef { chunks: [None; MOORE_LEN] };
        assert_eq!(
            (RunStats::new(&none, 0), RunStats::default().quads_per_fused_run()),
            (RunStats::default(), 0.0)
        );
    }
}
