//! Occluders and rooms of one chunk.

use super::cell::Cell;
use super::occluders::Occluders;
use super::rooms::Rooms;
use crate::voxel::Voxel;
use crate::world::Chunk;
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

    /// The cell that contains the voxel at `at` (0 to 31 on each axis), or `None` if that voxel is
    /// an occluder.
    #[must_use]
    pub fn cell_at(&self, at: IVec3) -> Option<Cell> {
        self.rooms.cell_at(&self.occluders, at).map(|index| self.rooms.cells()[index])
    }
}
