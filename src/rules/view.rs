//! A chunk and its neighbours as a phase reads them.

use super::active_chunk::ActiveChunk;
use super::block_set::LAYER_BLOCKS;
use super::kinds::{KindSet, Kinds, MOST_PLANES};
use super::planes::{DEFICIT_BITS, Planes};
use super::rows::Rows;
use crate::voxel::{CHUNK_SIDE, ChunkPos, MOORE_CENTRE, MOORE_LEN, local_coord, neighbour_index, neighbour_offsets};
use glam::IVec3;

/// Blocks of a layer along z.
const ALONG_Z: i32 = LAYER_BLOCKS as i32;
/// What is read where no chunk is loaded. Callers mask it out by [`View::loaded`].
static BLANK: [Rows; MOST_PLANES + DEFICIT_BITS] = [Rows::NONE; MOST_PLANES + DEFICIT_BITS];

/// The planes of 27 chunks.
pub(super) struct View<'a> {
    chunks: [Option<&'a ActiveChunk>; MOORE_LEN],
    /// The middle chunk.
    pub chunk: &'a ActiveChunk,
    /// Planes of the middle chunk.
    middle: &'a Planes,
    kinds: &'a Kinds,
    /// Bits of a code.
    pub code_bits: usize,
    /// True if all 27 chunks are loaded.
    pub all_loaded: bool,
}

/// A block in or next to the middle chunk.
#[derive(Clone, Copy)]
pub(super) struct BlockPos {
    /// Layer, from -1 to 32.
    pub y: i32,
    /// Number in the layer, from -1 to 4.
    pub z: i32,
}

impl BlockPos {
    /// Place of a block of the middle chunk.
    pub fn new(number: usize) -> BlockPos {
        BlockPos { y: number as i32 / ALONG_Z, z: number as i32 % ALONG_Z }
    }

    /// The block `dy` layers above.
    #[inline(always)]
    pub fn above(self, dy: i32) -> BlockPos {
        BlockPos { y: self.y + dy, z: self.z }
    }
}

/// Kinds in the Moore neighbourhood of a chunk.
pub(super) fn kinds_around(chunks: &[ActiveChunk], chunk: &ActiveChunk) -> KindSet {
    let around = chunk.around.iter().flatten().map(|&number| chunks[number as usize].kinds);
    around.fold(KindSet::default(), KindSet::union)
}

impl<'a> View<'a> {
    /// A chunk of `chunks` among its neighbours.
    pub fn new(chunks: &'a [ActiveChunk], chunk: &'a ActiveChunk, kinds: &'a Kinds) -> View<'a> {
        let around = chunk.around.map(|number| number.map(|number| &chunks[number as usize]));
        View {
            chunks: around,
            chunk,
            middle: chunk.planes(kinds),
            kinds,
            code_bits: kinds.planes(),
            all_loaded: around.iter().all(Option::is_some),
        }
    }

    /// True if a voxel in one of the chunks may be partly filled.
    pub fn has_deficits(&self) -> bool {
        self.chunks.iter().flatten().any(|chunk| chunk.has_deficits)
    }

    /// The planes of a block of the chunk `dx` chunks away along x.
    #[inline(always)]
    pub fn block(&self, dx: i32, at: BlockPos) -> &[Rows] {
        let is_inside = |part: i32, side: i32| (0..side).contains(&part);
        let number = (local_coord(at.y) * ALONG_Z + (at.z & (ALONG_Z - 1))) as usize;
        if dx == 0 && is_inside(at.y, CHUNK_SIDE) && is_inside(at.z, ALONG_Z) {
            return self.middle.block(number);
        }
        match self.chunks[Self::chunk_index(dx, at)] {
            Some(chunk) => chunk.planes(self.kinds).block(number),
            None => &BLANK,
        }
    }

    /// Index in the Moore neighbourhood of the chunk that holds a block.
    fn chunk_index(dx: i32, at: BlockPos) -> usize {
        neighbour_index(IVec3::new(dx, at.y.div_euclid(CHUNK_SIDE), at.z.div_euclid(ALONG_Z)))
    }

    /// What `read` finds in the blocks around `at`, seen from one voxel away along x and z.
    #[inline(always)]
    pub fn shifted(&self, at: BlockPos, dx: i32, dz: i32, read: impl Fn(&[Rows]) -> Rows) -> Rows {
        self.shifted_blocks(at, dx, dz, |dx, at| read(self.block(dx, at)))
    }

    #[inline(always)]
    fn shifted_blocks(&self, at: BlockPos, dx: i32, dz: i32, read: impl Fn(i32, BlockPos) -> Rows) -> Rows {
        let next = BlockPos { y: at.y, z: at.z + dz };
        let column = |dx: i32| read(dx, at).along_z(|| read(dx, next), dz);
        column(0).along_x(|| column(dx), dx)
    }

    /// The voxels of a block whose neighbours at an offset along x and z are loaded.
    pub fn loaded(&self, at: BlockPos, dx: i32, dz: i32) -> Rows {
        if self.all_loaded {
            return Rows::ALL;
        }
        self.shifted_blocks(at, dx, dz, |dx, at| Rows::splat(self.chunks[Self::chunk_index(dx, at)].is_some()))
    }

    /// The voxels of a block of the middle chunk whose Moore neighbourhoods are loaded.
    pub fn neighbourhood_loaded(&self, at: BlockPos) -> Rows {
        if self.all_loaded {
            return Rows::ALL;
        }
        neighbour_offsets().fold(Rows::ALL, |all, by| all & self.loaded(at.above(by.y), by.x, by.z))
    }

    /// Position of the middle chunk.
    pub fn pos(&self) -> ChunkPos {
        debug_assert!(self.chunks[MOORE_CENTRE].is_some_and(|chunk| chunk.pos == self.chunk.pos));
        self.chunk.pos
    }
}
