//! Cells: the regions that visibility is computed from.
//!
//! A cell is the part of a room that lies in one section of 16^3 voxels. Lines of sight start
//! anywhere in the cell's box and cross whole rooms: a small cell sees less, and large rooms are
//! crossed in one step.

use crate::voxel::{CHUNK_SIDE, ChunkPos};
use glam::IVec3;

/// Binary logarithm of a section's side, in voxels.
pub(super) const SECTION_SHIFT: i32 = 4;

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

/// Number of the section at an offset (0 or 1 on each axis): 1 adds x, 2 adds z, 4 adds y.
#[inline]
pub(super) fn section_index(offset: IVec3) -> u8 {
    (offset.x | offset.z << 1 | offset.y << 2) as u8
}

/// Offset of a section (0 or 1 on each axis); the inverse of [`section_index`].
#[inline]
pub(super) fn section_offset(section: u8) -> IVec3 {
    let section = i32::from(section);
    IVec3::new(section & 1, section >> 2, section >> 1 & 1)
}

/// Number of the section that contains the voxel at `at` (0 to 31 on each axis).
#[inline]
pub(super) fn section_of(at: IVec3) -> u8 {
    section_index(at >> SECTION_SHIFT)
}
