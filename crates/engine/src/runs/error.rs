//! Broken invariants of a run tree.

use super::Run;
use crate::voxel::Voxel;

/// A broken invariant found by [`super::RunTree::check`]. Only a defect in this module can cause
/// one.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
pub enum RunTreeError {
    /// A run is empty, does not start at the end of the run before, or has the same value.
    #[error("run {run:?} cannot follow a run of {previous:?} that ends at {end}")]
    Sequence {
        /// End of the run before; 0 before the first run.
        end: u32,
        /// Value of the run before.
        previous: Option<Voxel>,
        /// The run that does not fit.
        run: Run,
    },
    /// The last run does not end with the chunk.
    #[error("the runs end at {0} instead of 32768")]
    End(u32),
    /// The palette holds air with an occupancy or liquid, or more liquid than its voxel leaves
    /// free.
    #[error("the palette holds the impossible voxel {0:?}")]
    Value(Voxel),
    /// The palette holds a voxel more than once.
    #[error("the palette holds {0:?} twice")]
    DuplicateValue(Voxel),
    /// The number of runs is impossible for the size of the table.
    #[error("{runs} runs in {words} words")]
    TableSize {
        /// Runs according to the directory.
        runs: usize,
        /// Words of the table.
        words: usize,
    },
    /// No run starts at linear index 0.
    #[error("no run starts at 0")]
    FirstStart,
    /// The directory of blocks is not sorted, or does not match the size of the data.
    #[error("the directory does not match the blocks")]
    Directory,
    /// The starts in a block do not ascend.
    #[error("the starts of block {block} do not ascend")]
    Starts {
        /// Number of the block, 0..128.
        block: usize,
    },
    /// A run's code is not in the palette.
    #[error("code {code} in block {block} is not in the palette of {palette_len}")]
    Code {
        /// Number of the block in which the run starts, 0..128.
        block: usize,
        /// The code.
        code: usize,
        /// Entries of the palette.
        palette_len: usize,
    },
    /// The stored number of runs is wrong.
    #[error("{found} runs instead of {stored}")]
    RunCount {
        /// Runs found in the blocks.
        found: usize,
        /// Number stored in the head.
        stored: usize,
    },
    /// The mips do not match the voxels.
    #[error("the mips do not match the voxels")]
    Mips,
}
