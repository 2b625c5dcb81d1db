//! Patterns: the new voxels of a fill.
//!
//! A pattern depends on position and seed alone. Regions can therefore be filled in any order, on
//! any number of threads, with the same result.

mod checker;
mod clouds;
mod gradient;
mod mix;
mod tiles;

pub use checker::Checker;
pub use clouds::Clouds;
pub use gradient::Gradient;
pub use mix::{Mix, MixError};
pub use tiles::Tiles;

use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_offset};
use glam::IVec3;
use std::ops::Range;

/// The voxels that a fill sets, by position.
#[derive(Clone, PartialEq, Debug)]
pub enum Pattern {
    /// One voxel everywhere.
    Voxel(Voxel),
    /// A random one of several voxels at each position.
    Mix(Mix),
    /// Several voxels in clouds.
    Clouds(Clouds),
    /// A sequence of voxels along an axis.
    Gradient(Gradient),
    /// Cubes of alternating voxels.
    Checker(Checker),
    /// Copied voxels, repeated along all axes.
    Tiles(Tiles),
}

impl Pattern {
    /// The voxel at a position.
    #[must_use]
    pub fn at(&self, at: IVec3) -> Voxel {
        match self {
            Pattern::Voxel(voxel) => *voxel,
            Pattern::Mix(mix) => mix.at(at),
            Pattern::Clouds(clouds) => clouds.at(at),
            Pattern::Gradient(gradient) => gradient.at(at),
            Pattern::Checker(checker) => checker.at(at),
            Pattern::Tiles(tiles) => tiles.at(at),
        }
    }

    /// The voxel, if the pattern has the same voxel everywhere.
    #[must_use]
    pub fn as_uniform(&self) -> Option<Voxel> {
        match self {
            Pattern::Voxel(voxel) => Some(*voxel),
            _ => None,
        }
    }

    /// True if `accepts` holds for a voxel that the pattern may put somewhere.
    #[must_use]
    pub fn may_put(&self, mut accepts: impl FnMut(Voxel) -> bool) -> bool {
        match self {
            Pattern::Voxel(voxel) => accepts(*voxel),
            Pattern::Mix(mix) => mix.voxels().any(accepts),
            Pattern::Clouds(clouds) => clouds.voxels().any(accepts),
            Pattern::Gradient(Gradient { voxels, .. })
            | Pattern::Checker(Checker { voxels, .. }) => match voxels[..] {
                [] => accepts(Voxel::AIR),
                _ => voxels.iter().copied().any(accepts),
            },
            Pattern::Tiles(tiles) => tiles.may_put(accepts),
        }
    }

    /// Evaluates the pattern in ranges of the linear order of the chunk at `pos`. Returns ranges of
    /// equal voxels. `ranges` must ascend, and so do the results.
    pub fn runs(
        &self,
        pos: ChunkPos,
        ranges: impl IntoIterator<Item = Range<usize>>,
    ) -> Vec<(Range<usize>, Voxel)> {
        let mut runs: Vec<(Range<usize>, Voxel)> = Vec::new();
        let mut push = |range: Range<usize>, voxel| match runs.last_mut() {
            Some((last, same)) if last.end == range.start && *same == voxel => last.end = range.end,
            _ => runs.push((range, voxel)),
        };
        for range in ranges {
            let mut start = range.start;
            while start < range.end {
                let row_end = (start + 1).next_multiple_of(CHUNK_SIDE as usize);
                let at = pos.origin() + linear_offset(start);
                let len = range.end.min(row_end) - start;
                let (voxel, equal) = self.run_along_x(at);
                let equal = equal.clamp(1, len);
                push(start..start + equal, voxel);
                start += equal;
            }
        }
        runs
    }

    /// Voxel at a position, and a lower bound of the number of equal voxels from there along x.
    fn run_along_x(&self, at: IVec3) -> (Voxel, usize) {
        let equal = match self {
            Pattern::Voxel(_) => usize::MAX,
            Pattern::Mix(_) | Pattern::Clouds(_) => 1,
            Pattern::Gradient(gradient) => gradient.equal_along_x(at),
            Pattern::Checker(checker) => checker.equal_along_x(at),
            Pattern::Tiles(tiles) => return tiles.run_along_x(at),
        };
        (self.at(at), equal)
    }
}

#[cfg(test)]
mod tests;
