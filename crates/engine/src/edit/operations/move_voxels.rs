//! Moves of a region's voxels.

use super::Paste;
use crate::edit::{ChunkSource, EditError, Fill, Operation};
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rustc_hash::FxHashSet;

/// An operation that fills the former positions of voxels and pastes the voxels elsewhere. Source
/// and target may overlap, because the voxels were copied before.
pub(super) struct MoveVoxels {
    /// Fill of the former positions.
    pub fill: Fill,
    /// Paste of the copied voxels.
    pub paste: Paste,
}

impl Operation for MoveVoxels {
    fn chunks(&self) -> Vec<ChunkPos> {
        let chunks: FxHashSet<ChunkPos> =
            self.fill.chunks().into_iter().chain(self.paste.chunks()).collect();
        chunks.into_iter().collect()
    }

    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError> {
        self.paste.pasted(pos, &self.fill.apply(pos, chunk, world)?, world)
    }
}
