//! The runs of a chunk by row, to look up single voxels.

use crate::runs::bit_rows::{AREA, SIDE, boxed};
use crate::runs::{CodedRun, RunTree};
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// The runs of a chunk. Reused between chunks to keep its buffers.
pub(super) struct RunRows {
    /// Palette index of each voxel, in linear order; then a spare row for writes past the end.
    codes: Box<[u16; CHUNK_VOLUME + SIDE]>,
    /// Bit x of row z + 32 y: a run starts at the voxel.
    starts: Box<[u32; AREA]>,
    /// Palette of the chunk.
    pub palette: Vec<Voxel>,
    /// The runs, in order.
    pub runs: Vec<CodedRun>,
}

impl Default for RunRows {
    fn default() -> RunRows {
        RunRows { codes: boxed(0), starts: boxed(0), palette: Vec::new(), runs: Vec::new() }
    }
}

impl RunRows {
    /// Reads a chunk.
    pub fn read(&mut self, tree: &RunTree) {
        self.palette.clear();
        self.palette.extend(tree.values());
        self.runs.clear();
        self.runs.reserve(tree.run_count());
        tree.fold_starts(0..SIDE, (), |(), run| self.runs.push(run));
        self.starts.fill(0);
        for (i, run) in self.runs.iter().enumerate() {
            let start = usize::from(run.start);
            let end = self.runs.get(i + 1).map_or(CHUNK_VOLUME, |next| next.start.into());
            self.starts[start / SIDE] |= 1 << (start % SIDE);
            // Writing 32 voxels at a time is faster. What is written past the end of a run is
            // overwritten by the next run.
            self.codes[start..start + SIDE].fill(run.code);
            if end > start + SIDE {
                self.codes[start + SIDE..end].fill(run.code);
            }
        }
    }

    /// Number of runs.
    pub fn run_count(&self) -> u64 {
        self.runs.len() as u64
    }

    /// Palette index of the voxel with this linear index.
    #[inline]
    pub fn code(&self, index: usize) -> usize {
        self.codes[index].into()
    }

    /// Bit x of row z + 32 y: a run starts at the voxel.
    #[inline]
    pub fn starts(&self, row: usize) -> u32 {
        self.starts[row]
    }
}
