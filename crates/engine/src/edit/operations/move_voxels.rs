//! Moving the voxels of a region.

use super::Paste;
use crate::edit::{ChunkSource, EditError, Fill, Operation};
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use rustc_hash::FxHashSet;

/// Voxels that are pasted elsewhere after their former positions were filled. Source and target may
/// overlap.
pub(super) struct MoveVoxels {
    /// Fill of the former positions.
    pub fill: Fill,
    /// Pastes the voxels, copied before.
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
