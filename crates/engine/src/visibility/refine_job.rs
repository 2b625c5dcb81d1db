//! A job that makes one cached set smaller. It owns a snapshot and may run on any thread.

use super::bake::BakedChunk;
use super::cell::CellId;
use super::occlusion_grid::OcclusionGrid;
use super::shafts::refine;
use crate::voxel::ChunkPos;
use std::time::{Duration, Instant};

/// Computation that produced a set.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SetSource {
    /// Swept: correct at once, to be made smaller in the background.
    Swept,
    /// Narrowed by the map's baked sets: available soon, larger than a refined set.
    Baked,
    /// Refined: as small as this module can compute it.
    Refined,
}

/// A set to be made smaller.
pub struct RefineJob {
    pub(super) occlusion: OcclusionGrid,
    pub(super) cell: CellId,
    /// The set when the job was created, one bit per chunk slot.
    pub(super) chunks: Vec<u64>,
    pub(super) source: SetSource,
}

/// The result of a [`RefineJob`].
pub struct RefineResult {
    pub(super) cell: CellId,
    /// The set when the job was created.
    pub(super) before: Vec<u64>,
    /// The smaller set.
    pub(super) after: Vec<u64>,
    pub(super) source: SetSource,
    pub(super) time: Duration,
}

impl RefineJob {
    /// Chunk of the cell whose set is refined.
    #[must_use]
    pub fn chunk(&self) -> ChunkPos {
        self.cell.chunk
    }

    /// Computation that produced the set.
    #[must_use]
    pub fn source(&self) -> SetSource {
        self.source
    }

    /// Narrows the set by the baked sets of its chunk.
    ///
    /// # Errors
    /// Returns the job unchanged if `baked` has no set for the cell.
    pub fn use_baked(self, baked: &BakedChunk) -> Result<RefineResult, RefineJob> {
        let start = Instant::now();
        let mut after = self.chunks.clone();
        if !baked.narrow(&self.cell.cell, self.occlusion.index(), &mut after) {
            return Err(self);
        }
        Ok(RefineResult {
            cell: self.cell,
            before: self.chunks,
            after,
            source: SetSource::Baked,
            time: start.elapsed(),
        })
    }

    /// Ends the job without changing the set.
    #[must_use]
    pub fn keep_unchanged(self) -> RefineResult {
        let after = self.chunks.clone();
        RefineResult {
            cell: self.cell,
            before: self.chunks,
            after,
            source: self.source,
            time: Duration::ZERO,
        }
    }

    /// Refines the set with shafts. Takes some tenths of a second.
    #[must_use]
    pub fn run(self) -> RefineResult {
        let start = Instant::now();
        let after = refine(&self.occlusion, self.cell.chunk, &self.cell.cell, &self.chunks);
        RefineResult {
            cell: self.cell,
            before: self.chunks,
            after,
            source: SetSource::Refined,
            time: start.elapsed(),
        }
    }
}
