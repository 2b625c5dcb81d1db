//! Changes of the material of voxels.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, Mask, Operation};
use crate::voxel::{ChunkPos, MaterialId, Voxel};
use crate::world::Chunk;

/// An operation that changes the material of those voxels of a region that a mask accepts.
/// Occupancies are kept: thin water freezes to thin ice.
pub(super) struct MaterialChange<'a> {
    pub region: &'a Region,
    pub mask: Mask,
    pub material: MaterialId,
}

impl Operation for MaterialChange<'_> {
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
            (start..start + run.len as usize, Voxel::new(self.material, run.voxel.occupancy()))
        });
        after.set_ranges(changed.collect::<Vec<_>>());
        Ok(after)
    }
}
