//! Operations: functions from a chunk and its neighbourhood to a new chunk.

use super::chunk_source::ChunkSource;
use super::edit_error::EditError;
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// Change of voxels, chunk by chunk. Each result depends only on the chunks before the operation,
/// so chunks can be computed in any order and on any thread.
pub trait Operation: Send + Sync {
    /// Chunks of the world that the operation may change, without duplicates.
    fn chunks(&self) -> Vec<ChunkPos>;

    /// Computes the chunk at `pos` after the operation. `chunk` is the same chunk before the
    /// operation; `world` gives access to the chunks around it.
    ///
    /// # Errors
    /// Fails if a chunk around `pos` cannot be read.
    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError>;
}
