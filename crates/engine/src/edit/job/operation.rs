//! Operations: functions from a chunk and its neighbours to a new chunk.

use super::chunk_source::ChunkSource;
use super::edit_error::EditError;
use crate::voxel::ChunkPos;
use crate::world::Chunk;

/// A change of voxels, chunk by chunk. Each result depends only on the chunks before the operation,
/// so chunks can be computed in any order and on any thread.
pub trait Operation: Send + Sync {
    /// Chunks of the world that the operation may change, each once.
    fn chunks(&self) -> Vec<ChunkPos>;

    /// The chunk at `pos` after the operation. `chunk` is the chunk before it; `world` holds the
    /// chunks around.
    ///
    /// # Errors
    /// A chunk around cannot be read.
    fn apply(
        &self,
        pos: ChunkPos,
        chunk: &Chunk,
        world: &dyn ChunkSource,
    ) -> Result<Chunk, EditError>;
}
