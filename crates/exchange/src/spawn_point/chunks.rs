//! Access to the chunks that decide where the player spawns.

use crate::chunk_store::ChunkStore;
use crate::error::FormatError;
use stonerun_engine::voxel::{ChunkPos, Voxel};
use stonerun_engine::world::Chunk;

/// The chunks of a store as a source for [`LazyWorld`](stonerun_engine::world::LazyWorld). Missing
/// chunks are air. Keeps the first error.
pub(super) fn chunks_of<'a>(
    store: &'a mut dyn ChunkStore,
    failed: &'a mut Option<FormatError>,
) -> impl FnMut(ChunkPos) -> Chunk + 'a {
    move |pos| match store.fetch(pos) {
        Ok(chunk) => chunk.unwrap_or_else(|| Chunk::uniform(Voxel::AIR)),
        Err(error) => {
            failed.get_or_insert(error);
            Chunk::uniform(Voxel::AIR)
        }
    }
}
