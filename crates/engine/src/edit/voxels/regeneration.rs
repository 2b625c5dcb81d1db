//! Regeneration of the terrain of a region.

use crate::edit::region::Region;
use crate::edit::{ChunkSource, EditError, Operation};
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// An operation that replaces a region by newly generated terrain.
#[derive(Clone, Debug)]
pub(crate) struct Regeneration {
    /// The voxels to regenerate.
    pub region: Region,
}

impl Operation for Regeneration {
    fn chunks(&self) -> Vec<ChunkPos> {
        self.region.chunks().collect()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        let Some(generated) = world.generated(pos) else { return Ok(chunk.clone()) };
        if self.region.holds_chunk(pos) {
            return Ok(generated);
        }
        let runs = self.region.ranges(pos).flat_map(|range| generated.runs_in(range));
        let mut after = chunk.clone();
        after.set_ranges(runs.map(|run| (run.start as usize..run.end() as usize, run.voxel)));
        Ok(after)
    }
}
