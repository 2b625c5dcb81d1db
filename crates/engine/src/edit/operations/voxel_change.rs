//! Changes of voxels that depend on the voxel alone.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, Mask, Operation};
use crate::voxel::{ChunkPos, Voxel};
use crate::world::Chunk;

/// An operation that changes those voxels of a region that a mask accepts: water freezes, and thin
/// water freezes to thin ice.
pub(super) struct VoxelChange<'a, F> {
    pub region: &'a Region,
    pub mask: Mask,
    /// The changed voxel.
    pub change: F,
}

impl<F: Fn(Voxel) -> Voxel + Send + Sync> Operation for VoxelChange<'_, F> {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.region.sorted_chunks()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let ranges = self.mask.ranges(self.region, pos, chunk, world)?;
        let mut after = chunk.clone();
        let runs = ranges.into_iter().flat_map(|range| chunk.runs_in(range));
        let changed = runs.map(|run| {
            let start = run.start as usize;
            (start..start + run.len as usize, (self.change)(run.voxel))
        });
        after.set_ranges(changed.collect::<Vec<_>>());
        Ok(after)
    }
}
