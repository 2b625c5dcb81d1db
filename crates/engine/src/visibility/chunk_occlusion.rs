//! Occluders and rooms of one chunk.

use super::cell::Cell;
use super::occluder_materials::OccluderMaterials;
use super::occluders::Occluders;
use super::rooms::Rooms;
use crate::runs::moore::ChunkNeighbourhoodRef;
use crate::voxel::{ChunkPos, MOORE_CENTRE, Voxel};
use crate::world::{Chunk, World};
use glam::IVec3;

/// The occluders of a chunk and the rooms between them. Cheap to clone.
#[derive(Clone, Debug)]
pub struct ChunkOcclusion {
    /// Voxels that block the view.
    pub occluders: Occluders,
    /// Open spaces between the occluders.
    pub rooms: Rooms,
}

impl ChunkOcclusion {
    /// A chunk without occluders, or one that is not loaded.
    pub const OPEN: ChunkOcclusion =
        ChunkOcclusion { occluders: Occluders::None, rooms: Rooms::Open };

    /// Analyses `chunk`, whose voxels block the view where `hides` is true.
    #[must_use]
    pub fn from_chunk(chunk: &Chunk, hides: impl Fn(Voxel) -> bool) -> ChunkOcclusion {
        let occluders = Occluders::from_chunk(chunk, hides);
        ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders }
    }

    /// Analyses the middle chunk of a neighbourhood, which may have smooth ground: its occluders
    /// depend on the voxels next to it in the chunks around. `None` if it is not loaded.
    #[must_use]
    pub fn from_neighbourhood(
        chunks: &ChunkNeighbourhoodRef<'_>,
        materials: &OccluderMaterials,
    ) -> Option<ChunkOcclusion> {
        chunks.chunks[MOORE_CENTRE]?;
        let occluders = Occluders::from_neighbourhood(chunks, materials);
        Some(ChunkOcclusion { rooms: Rooms::from_occluders(&occluders), occluders })
    }

    /// Analyses the chunk of a world at `pos`. `None` if it is not loaded.
    #[must_use]
    pub fn from_world(
        world: &World,
        pos: ChunkPos,
        materials: &OccluderMaterials,
    ) -> Option<ChunkOcclusion> {
        if materials.any_ground() {
            let chunks = world.neighbourhood(pos);
            return ChunkOcclusion::from_neighbourhood(&chunks.borrowed(), materials);
        }
        let chunk = world.chunk(pos)?;
        Some(ChunkOcclusion::from_chunk(chunk, |voxel| materials.is_cube(voxel)))
    }

    /// The cell that contains the voxel at `at` (0 to 31 on each axis), or `None` if that voxel is
    /// an occluder.
    #[must_use]
    pub fn cell_at(&self, at: IVec3) -> Option<Cell> {
        self.rooms.cell_at(&self.occluders, at).map(|index| self.rooms.cells()[index])
    }
}
