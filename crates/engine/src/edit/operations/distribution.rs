//! Counts of a region's voxels by material.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, VoxelEdit};
use crate::voxel::{ChunkPos, MaterialId, Voxel};
use rustc_hash::FxHashMap;

/// Counts of a region's voxels (`//distr`).
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub(crate) struct Distribution {
    /// Number of voxels in the region.
    pub total: u64,
    /// Different voxels with their counts, the most frequent first.
    pub voxels: Vec<(Voxel, u64)>,
}

impl Distribution {
    /// Counts the voxels of a region.
    ///
    /// # Errors
    /// A chunk cannot be read, or the job was cancelled.
    pub fn count(edit: &VoxelEdit<'_>, region: &Region) -> Result<Distribution, EditError> {
        let chunks: Vec<ChunkPos> = region.chunks().collect();
        let counted = edit.progress().map(&chunks, |&pos| {
            let chunk = edit.chunk(pos)?;
            let mut counts: Vec<(Voxel, u64)> = chunk.values().map(|voxel| (voxel, 0)).collect();
            for range in region.ranges(pos) {
                chunk.for_each_coded(range, |start, end, code| {
                    counts[code].1 += (end - start) as u64
                });
            }
            Ok(counts)
        })?;
        let voxels = sorted_sums(counted.into_iter().flatten());
        Ok(Distribution { total: voxels.iter().map(|(_, count)| count).sum(), voxels })
    }

    /// Materials with their counts of voxels, the most frequent first.
    #[must_use]
    pub(crate) fn by_material(&self) -> Vec<(MaterialId, u64)> {
        sorted_sums(self.voxels.iter().map(|&(voxel, count)| (voxel.material(), count)))
    }

    /// `count` as a fraction of all voxels, 0 to 1.
    #[must_use]
    pub fn share(&self, count: u64) -> f64 {
        if self.total == 0 { 0.0 } else { count as f64 / self.total as f64 }
    }
}

/// Sums the counts of equal keys and leaves out zeros: largest sum first, then by key.
fn sorted_sums<K: std::hash::Hash + Ord + Copy>(
    counts: impl Iterator<Item = (K, u64)>,
) -> Vec<(K, u64)> {
    let mut sums: FxHashMap<K, u64> = FxHashMap::default();
    for (key, count) in counts.filter(|(_, count)| *count > 0) {
        *sums.entry(key).or_default() += count;
    }
    let mut sums: Vec<(K, u64)> = sums.into_iter().collect();
    sums.sort_unstable_by_key(|&(key, count)| (std::cmp::Reverse(count), key));
    sums
}
