//! Sources from which operations read chunks.

use super::edit_error::EditError;
use crate::save::MapReader;
use crate::terrain::Generator;
use crate::voxel::{ChunkPos, MaterialId, Voxel};
use crate::world::{Chunk, World};
use std::sync::Arc;

/// Chunks of a map at one moment, readable from any thread.
pub trait ChunkSource: Sync {
    /// Chunk at `pos`; air outside the world.
    ///
    /// # Errors
    /// Fails if the chunk cannot be read from the map.
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError>;

    /// Chunk at `pos` as the terrain generator makes it; `None` if there is no generator or `pos`
    /// is outside the world.
    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        let _ = pos;
        None
    }

    /// Pairs of material states: a state that rules may remove, and the permanent state that edits
    /// place instead, so that blocks placed by a player stay.
    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        &[]
    }
}

/// Snapshot of a map. Reads loaded chunks first, then the map file, then generated terrain.
pub struct MapSnapshot {
    /// Loaded chunks.
    pub loaded: World,
    /// Reader for chunks that are not loaded.
    pub reader: MapReader,
    /// Generator for chunks that the map does not contain.
    pub generator: Arc<Generator>,
}

impl ChunkSource for MapSnapshot {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        if let Some(chunk) = self.loaded.chunk(pos) {
            return Ok(chunk.clone());
        }
        if !pos.in_world() {
            return Ok(Chunk::uniform(Voxel::AIR));
        }
        Ok(self.reader.load(pos)?.unwrap_or_else(|| self.generator.chunk(pos)))
    }

    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        pos.in_world().then(|| self.generator.chunk(pos))
    }

    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        self.generator.placed_states()
    }
}

/// A world without a map, in which chunks that are not loaded are air.
impl ChunkSource for World {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        Ok(World::chunk(self, pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR)))
    }
}
