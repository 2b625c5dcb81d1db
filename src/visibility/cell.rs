//! Cells: the regions that visibility is computed from.
//!
//! A cell is the part of a room that lies in one section of 16^3 voxels. Lines of sight start
//! anywhere in the cell's box and cross whole rooms: a small cell sees less, and large rooms are
//! crossed in one step.

use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::IVec3;

/// The part of a room that lies in one section.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Cell {
    /// Number of the room in its chunk.
    pub room: u8,
    /// Section of the chunk: 1 adds x, 2 adds z, 4 adds y.
    pub section: u8,
    /// Lowest corner of the smallest box around the cell, in voxels of the chunk.
    pub lo: [u8; 3],
    /// Highest corner of that box, exclusive.
    pub hi: [u8; 3],
}

impl Cell {
    /// The only cell of an open chunk.
    pub const OPEN: Cell = Cell { room: 0, section: 0, lo: [0; 3], hi: [CHUNK_SIDE as u8; 3] };
}

/// Identifies a cell in the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct CellId {
    /// Chunk that the cell belongs to.
    pub chunk: ChunkPos,
    /// The cell.
    pub cell: Cell,
}

/// The section of the chunk that contains the voxel at `at` (0 to 31 on each axis).
pub(super) fn section_of(at: IVec3) -> u8 {
    let section: IVec3 = at >> 4;
    (section.x | section.z << 1 | section.y << 2) as u8
}
