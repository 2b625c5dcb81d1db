//! A chunk and its 26 neighbours, for background work.

use super::{Chunk, World};
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, MOORE_LEN, neighbour_offset};

/// A chunk and its 26 neighbours as they were at one moment.
#[derive(Clone, Debug)]
pub struct ChunkNeighbourhood {
    /// Chunks in the order of [`crate::voxel::neighbour_index`]; `None` where not loaded.
    pub chunks: [Option<Chunk>; MOORE_LEN],
}

impl ChunkNeighbourhood {
    /// Borrowed form, which the Moore walk reads.
    #[must_use]
    pub fn borrowed(&self) -> ChunkNeighbourhoodRef<'_> {
        ChunkNeighbourhoodRef { chunks: self.chunks.each_ref().map(|c| c.as_ref()) }
    }
}

impl World {
    /// The chunk at `pos` and its 26 neighbours. Shares the chunks, so later edits of the world do
    /// not affect it.
    #[must_use]
    pub fn neighbourhood(&self, pos: ChunkPos) -> ChunkNeighbourhood {
        ChunkNeighbourhood {
            chunks: std::array::from_fn(|i| self.chunk(pos.offset(neighbour_offset(i))).cloned()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{MOORE_CENTRE, Voxel, neighbour_index};
    use glam::IVec3;

    #[test]
    fn neighbourhood_lists_each_chunk_at_its_index() {
        let mut world = World::new();
        let centre = ChunkPos::new(4, -1, 2);
        let above = ChunkPos::new(4, 0, 2);
        world.insert(centre, Chunk::uniform(Voxel::full(1)));
        world.insert(above, Chunk::uniform(Voxel::full(2)));
        let chunks = world.neighbourhood(centre).chunks;
        assert_eq!(chunks[MOORE_CENTRE].as_ref(), world.chunk(centre));
        assert_eq!(chunks[neighbour_index(IVec3::Y)].as_ref(), world.chunk(above));
        assert_eq!(chunks.iter().flatten().count(), 2);
    }
}
