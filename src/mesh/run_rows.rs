//! The runs of a chunk by row, to look up single voxels.

use super::row_layout::{AREA, SIDE, boxed};
use crate::runs::RunTree;
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// The runs of a chunk. Reused between chunks to keep its buffers.
pub(super) struct RunRows {
    /// Palette index of each voxel, in linear order; then a spare row for writes past the end.
    codes: Box<[u16; CHUNK_VOLUME + SIDE]>,
    /// Bit x of row z + 32 y: a run starts at the voxel.
    starts: Box<[u32; AREA]>,
    /// Palette of the chunk.
    pub palette: Vec<Voxel>,
    /// Number of runs.
    pub run_count: u64,
}

impl Default for RunRows {
    fn default() -> RunRows {
        RunRows { codes: boxed(0), starts: boxed(0), palette: Vec::new(), run_count: 0 }
    }
}

impl RunRows {
    /// Reads a chunk and passes start, end and palette index of its runs to `each`.
    pub fn read(&mut self, tree: &RunTree, mut each: impl FnMut(usize, usize, usize)) {
        self.palette.clear();
        self.palette.extend(tree.values());
        self.run_count = 0;
        self.starts.fill(0);
        tree.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            self.run_count += 1;
            self.starts[start / SIDE] |= 1 << (start % SIDE);
            // Writing 32 voxels at a time is faster. What is written past the end of a run is
            // overwritten by the next run.
            for at in (start..end).step_by(SIDE) {
                self.codes[at..at + SIDE].fill(code as u16);
            }
            each(start, end, code);
        });
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
