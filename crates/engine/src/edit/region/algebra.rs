//! Set operations on regions, chunk by chunk on all cores.

use super::Region;
use super::tree_bits::{INSIDE, is_empty, region_bits};
use crate::runs::RunTree;
use crate::voxel::{Box3, ChunkPos, Voxel};
use rayon::prelude::*;

impl Region {
    /// Voxels of either region.
    #[must_use]
    pub fn union(self, other: &Region) -> Region {
        self.combined(other, true, true, |a, b| a | b)
    }

    /// Voxels of both regions.
    #[must_use]
    pub fn intersection(&self, other: &Region) -> Region {
        self.combined(other, false, false, |a, b| a & b)
    }

    /// Voxels of this region that are not in `other`.
    #[must_use]
    pub fn difference(&self, other: &Region) -> Region {
        self.combined(other, true, false, |a, b| a & !b)
    }

    /// Voxels of exactly one of the regions.
    #[must_use]
    pub fn symmetric_difference(&self, other: &Region) -> Region {
        self.combined(other, true, true, |a, b| a ^ b)
    }

    /// Voxels of a box that are outside the region.
    #[must_use]
    pub fn complement_in(&self, area: Box3) -> Region {
        Region::from_shape(&area).difference(self)
    }

    /// Combines the regions chunk by chunk. Chunks of only one region are kept if `keeps_ours` or
    /// `keeps_theirs` is set.
    fn combined(
        &self,
        other: &Region,
        keeps_ours: bool,
        keeps_theirs: bool,
        op: fn(u32, u32) -> u32,
    ) -> Region {
        let ours = self.chunks.par_iter().filter_map(|(&pos, ours)| match other.chunks.get(&pos) {
            Some(theirs) => Some((pos, join(ours, theirs, op))),
            None => keeps_ours.then(|| (pos, ours.clone())),
        });
        let mut joined = Region::from_trees(ours);
        if keeps_theirs {
            let alone = other.chunks.iter().filter(|(pos, _)| !self.chunks.contains_key(pos));
            joined.chunks.extend(alone.map(|(&pos, tree)| (pos, tree.clone())));
        }
        joined
    }

    /// Region from trees of [`Region::INSIDE`] and air. Chunks without voxels are left out.
    pub(in crate::edit) fn from_trees(
        chunks: impl ParallelIterator<Item = (ChunkPos, RunTree)>,
    ) -> Region {
        #[cfg(test)]
        super::made::note();
        let chunks: Vec<(ChunkPos, RunTree)> = chunks.filter(|(_, tree)| !is_empty(tree)).collect();
        Region { chunks: chunks.into_iter().collect() }
    }
}

/// Combines two trees by `op`, which must be bitwise.
pub(super) fn join(a: &RunTree, b: &RunTree, op: fn(u32, u32) -> u32) -> RunTree {
    if a.as_uniform().is_some() || b.as_uniform().is_some() {
        let bit = |voxel: Voxel| u32::from(voxel == INSIDE);
        return a.zip(b, |a, b| if op(bit(a), bit(b)) & 1 == 1 { INSIDE } else { Voxel::AIR });
    }
    region_bits(a).zip(&region_bits(b), op).to_tree()
}
