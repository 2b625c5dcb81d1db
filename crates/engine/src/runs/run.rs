//! A run, and the division of a chunk into blocks that both representations share.

use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Number of blocks of a chunk, the upper level of the search tree.
pub(super) const BLOCKS: usize = 128;
/// Number of voxels in a block, so that a start inside a block fits into a byte.
pub(super) const BLOCK: usize = CHUNK_VOLUME / BLOCKS;
/// Maximum number of palette entries whose indices fit into a byte.
pub(super) const MAX_CODES: usize = 256;

/// A stretch of equal voxels in linear order.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Run {
    /// Linear index of the first voxel, 0..32768.
    pub start: u32,
    /// Number of voxels, at least 1.
    pub len: u32,
    /// Value of every voxel of the run.
    pub voxel: Voxel,
}

impl Run {
    /// Linear index one past the last voxel.
    #[must_use]
    pub const fn end(self) -> u32 {
        self.start + self.len
    }

    /// Creates the run of the voxels `start..end`.
    #[inline]
    pub(super) fn spanning(start: usize, end: usize, voxel: Voxel) -> Run {
        Run { start: start as u32, len: (end - start) as u32, voxel }
    }
}

/// A run whose value is given as a code, the index of its voxel in a palette. It ends where the
/// next run starts.
///
/// A palette holds no voxel twice, so two runs of one chunk have the same value if and only if
/// their codes are equal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct CodedRun {
    /// Linear index of the first voxel.
    pub start: u16,
    /// Palette index of the value.
    pub code: u16,
}

impl CodedRun {
    /// Creates a run from linear index `start` on with palette index `code`.
    #[inline]
    pub(super) fn new(start: usize, code: usize) -> CodedRun {
        CodedRun { start: start as u16, code: code as u16 }
    }
}
