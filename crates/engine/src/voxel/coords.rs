//! Coordinates: voxel and chunk positions, the linear order inside a chunk, Moore neighbourhoods.
//!
//! Inside a chunk x is fastest, then z, then y (`x | z << 5 | y << 10`). Walking terrain layer by
//! layer needs 30-60% fewer runs than walking it column by column.

use glam::IVec3;

/// Voxels along one side of a chunk.
pub const CHUNK_SIDE: i32 = 32;
/// Voxels in a chunk: 32^3.
pub const CHUNK_VOLUME: usize = 32 * 32 * 32;

/// log2 of [`CHUNK_SIDE`]: a shift by this divides by the side and rounds down.
const CHUNK_SHIFT: i32 = 5;
/// Mask of the bits of a voxel coordinate that give the position inside the chunk.
const LOCAL_MASK: i32 = CHUNK_SIDE - 1;

/// World limit: voxel coordinates lie in `-WORLD_LIMIT..WORLD_LIMIT`.
///
/// The limit is half the range of `i32`, so the step from a voxel or chunk of the world to its
/// neighbour, and any box around it, cannot overflow.
pub const WORLD_LIMIT: i32 = 1 << 30;

/// Linear index (`x | z << 5 | y << 10`) of the voxel at `offset` (each component 0..32) in its
/// chunk.
#[must_use]
#[inline]
pub const fn linear_index(offset: IVec3) -> usize {
    (offset.x | offset.z << 5 | offset.y << 10) as usize
}

/// Offset in its chunk of the voxel with linear index `index` (0..32768).
#[must_use]
#[inline]
pub const fn linear_offset(index: usize) -> IVec3 {
    let i = index as i32;
    IVec3::new(local_coord(i), i >> 10, local_coord(chunk_coord(i)))
}

/// Chunk coordinate of a voxel coordinate: divided by 32, rounded down.
#[must_use]
#[inline]
pub const fn chunk_coord(voxel: i32) -> i32 {
    voxel >> CHUNK_SHIFT
}

/// Coordinate inside its chunk (0..32) of a voxel coordinate.
#[must_use]
#[inline]
pub const fn local_coord(voxel: i32) -> i32 {
    voxel & LOCAL_MASK
}

/// Offset inside its chunk (each component 0..32) of the voxel at `voxel`.
#[must_use]
#[inline]
pub fn local(voxel: IVec3) -> IVec3 {
    voxel & LOCAL_MASK
}

/// Positions in a Moore neighbourhood: the centre and its 26 neighbours.
pub const MOORE_LEN: usize = 27;

/// Index of the centre in a Moore neighbourhood.
pub const MOORE_CENTRE: usize = 13;

/// Index in a Moore neighbourhood of the position at `offset` (each component -1, 0 or 1) from the
/// centre: `(dx + 1) + 3 * (dz + 1) + 9 * (dy + 1)`.
///
/// All neighbourhoods, of voxels and of chunks, use this order.
#[must_use]
#[inline]
pub const fn neighbour_index(offset: IVec3) -> usize {
    (offset.x + 3 * offset.z + 9 * offset.y + MOORE_CENTRE as i32) as usize
}

/// Offset from the centre of position `index` (0..27) of a Moore neighbourhood; the inverse of
/// [`neighbour_index`].
#[must_use]
#[inline]
pub const fn neighbour_offset(index: usize) -> IVec3 {
    let i = index as i32;
    IVec3::new(i % 3 - 1, i / 9 - 1, i / 3 % 3 - 1)
}

/// Offsets of a Moore neighbourhood in index order, the centre included.
pub fn neighbour_offsets() -> impl ExactSizeIterator<Item = IVec3> + Clone {
    (0..MOORE_LEN).map(neighbour_offset)
}

/// Position of a chunk, in chunks: a voxel position divided by 32, rounded down.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord, Debug, Default)]
pub struct ChunkPos {
    /// Coordinate towards the east, in chunks.
    pub x: i32,
    /// Coordinate upwards, in chunks.
    pub y: i32,
    /// Coordinate towards the south, in chunks.
    pub z: i32,
}

impl ChunkPos {
    /// Position with these chunk coordinates.
    #[must_use]
    pub const fn new(x: i32, y: i32, z: i32) -> ChunkPos {
        ChunkPos { x, y, z }
    }

    /// Position of the chunk that contains the voxel at `voxel`.
    #[must_use]
    pub fn containing(voxel: IVec3) -> ChunkPos {
        ChunkPos::new(chunk_coord(voxel.x), chunk_coord(voxel.y), chunk_coord(voxel.z))
    }

    /// True if the chunk lies within [`WORLD_LIMIT`]. Check every position that comes from outside.
    #[must_use]
    pub fn in_world(self) -> bool {
        const LIMIT: i32 = WORLD_LIMIT / CHUNK_SIDE;
        [self.x, self.y, self.z].iter().all(|c| (-LIMIT..LIMIT).contains(c))
    }

    /// World position of the chunk's lowest voxel.
    #[must_use]
    pub fn origin(self) -> IVec3 {
        IVec3::new(self.x << CHUNK_SHIFT, self.y << CHUNK_SHIFT, self.z << CHUNK_SHIFT)
    }

    /// Position of the chunk `by` chunks away.
    #[must_use]
    pub fn offset(self, by: IVec3) -> ChunkPos {
        ChunkPos::new(self.x + by.x, self.y + by.y, self.z + by.z)
    }

    /// Positions of the chunk's Moore neighbourhood in index order, the chunk itself included.
    pub fn moore_neighbourhood(self) -> impl ExactSizeIterator<Item = ChunkPos> + Clone {
        neighbour_offsets().map(move |offset| self.offset(offset))
    }

    /// The position as a vector, in chunks.
    #[must_use]
    pub fn as_ivec3(self) -> IVec3 {
        IVec3::new(self.x, self.y, self.z)
    }
}

impl std::fmt::Display for ChunkPos {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "({}, {}, {})", self.x, self.y, self.z)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn linear_order_is_x_then_z_then_y() {
        assert_eq!(linear_index(IVec3::new(1, 0, 0)), 1);
        assert_eq!(linear_index(IVec3::new(0, 0, 1)), 32);
        assert_eq!(linear_index(IVec3::new(0, 1, 0)), 1024);
        for index in 0..CHUNK_VOLUME {
            assert_eq!(linear_index(linear_offset(index)), index);
        }
    }

    #[test]
    fn negative_voxel_lies_in_negative_chunk() {
        let voxel = IVec3::new(-1, 31, -33);
        assert_eq!(ChunkPos::containing(voxel), ChunkPos::new(-1, 0, -2));
        assert!(ChunkPos::new(-1, 0, -2).bounds().contains(voxel));
        assert_eq!(local(voxel), IVec3::splat(31));
        assert_eq!(ChunkPos::containing(voxel).origin() + local(voxel), voxel);
    }

    #[test]
    fn neighbour_order_is_x_then_z_then_y() {
        assert_eq!(neighbour_index(IVec3::NEG_ONE), 0);
        assert_eq!(neighbour_index(IVec3::new(0, -1, -1)), 1);
        assert_eq!(neighbour_index(IVec3::new(-1, -1, 0)), 3);
        assert_eq!(neighbour_index(IVec3::new(-1, 0, -1)), 9);
        assert_eq!(neighbour_index(IVec3::ZERO), MOORE_CENTRE);
        assert_eq!(neighbour_index(IVec3::ONE), MOORE_LEN - 1);
        for (index, offset) in neighbour_offsets().enumerate() {
            assert_eq!(neighbour_index(offset), index);
            assert!(offset.abs().max_element() <= 1, "{offset}");
        }
        let chunks: Vec<ChunkPos> = ChunkPos::new(4, 5, 6).moore_neighbourhood().collect();
        assert_eq!(
            (chunks[0], chunks[MOORE_CENTRE]),
            (ChunkPos::new(3, 4, 5), ChunkPos::new(4, 5, 6))
        );
    }

    #[test]
    fn chunk_is_in_world_up_to_the_limit() {
        let last = ChunkPos::containing(IVec3::splat(WORLD_LIMIT - 1));
        assert!(last.in_world() && !last.offset(IVec3::X).in_world());
        let first = ChunkPos::containing(IVec3::splat(-WORLD_LIMIT));
        assert!(first.in_world() && !first.offset(IVec3::NEG_Y).in_world());
        assert!(
            last.bounds().max.cmpgt(last.bounds().min).all(),
            "the last chunk's box does not overflow"
        );
    }
}
