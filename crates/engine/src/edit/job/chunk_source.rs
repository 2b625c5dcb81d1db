//! Sources from which operations read chunks.

use super::edit_error::EditError;
use crate::save::MapReader;
use crate::terrain::Generator;
use crate::voxel::{ChunkPos, MaterialId, Voxel};
use crate::world::{Chunk, World};
use std::sync::Arc;

/// Chunks of a map at one moment, readable from any thread.
pub trait ChunkSource: Sync {
    /// The chunk at `pos`; air outside the world.
    ///
    /// # Errors
    /// The chunk cannot be read from the map.
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError>;

    /// The chunk at `pos` as the terrain generator makes it; `None` without a generator, and
    /// outside the world.
    fn generated(&self, pos: ChunkPos) -> Option<Chunk> {
        let _ = pos;
        None
    }

    /// Pairs of block states: one that rules may remove, and the one that edits put in its place,
    /// so that blocks placed by a player stay.
    fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        &[]
    }
}

/// A snapshot of a map: its loaded chunks, then those of its file, then generated terrain.
pub struct MapSnapshot {
    /// Loaded chunks.
    pub loaded: World,
    /// Reads chunks that are not loaded.
    pub reader: MapReader,
    /// Generates chunks that the map does not hold.
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

/// A world without a map: chunks that are not loaded are air.
impl ChunkSource for World {
    fn chunk(&self, pos: ChunkPos) -> Result<Chunk, EditError> {
        Ok(World::chunk(self, pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR)))
    }
}
