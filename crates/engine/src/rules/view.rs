//! View of a chunk and its neighbours, as planes of bits.

use super::active_chunk::ActiveChunk;
use super::amounts::DEFICIT_BITS;
use super::block_set::{self, BlockSet, LAYER_BLOCKS};
use super::kinds::{MAX_CODE_PLANES, RuleKindSet, RuleKinds};
use super::planes::Planes;
use super::rows::{ROWS, Rows};
use super::summary::Summary;
use crate::voxel::{
    CHUNK_SIDE, ChunkPos, MOORE_LEN, local_coord, neighbour_index, neighbour_offsets,
};
use glam::IVec3;

/// Number of blocks of a layer along z.
const ALONG_Z: i32 = LAYER_BLOCKS as i32;
/// Maximum number of planes of a block.
pub(super) const MAX_PLANES: usize = MAX_CODE_PLANES + 2 * DEFICIT_BITS;
/// Planes that are read where no chunk is loaded. Callers mask them out by [`PlaneView::loaded`].
static BLANK: [Rows; MAX_PLANES] = [Rows::NONE; MAX_PLANES];

/// The planes of a chunk and its 26 neighbours.
pub(super) struct PlaneView<'a> {
    chunks: [Option<&'a ActiveChunk>; MOORE_LEN],
    /// The middle chunk.
    chunk: &'a ActiveChunk,
    /// Planes of the middle chunk.
    middle: &'a Planes,
    kinds: &'a RuleKinds,
    /// Bits of a code.
    pub(crate) code_bits: usize,
    /// True if all 27 chunks are loaded.
    pub(crate) all_loaded: bool,
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
    /// Position of a block of the middle chunk, by its number.
    #[inline(always)]
    pub fn new(number: usize) -> BlockPos {
        let number = number as i32;
        BlockPos { y: number / ALONG_Z, z: number & (ALONG_Z - 1) }
    }

    /// The block `dy` layers above.
    #[inline(always)]
    pub fn above(self, dy: i32) -> BlockPos {
        BlockPos { y: self.y + dy, z: self.z }
    }

    /// The block `dz` blocks further along z.
    #[inline(always)]
    fn along_z(self, dz: i32) -> BlockPos {
        BlockPos { y: self.y, z: self.z + dz }
    }
}

/// The kinds in the Moore neighbourhood of a chunk.
pub(super) fn kinds_around(chunks: &[ActiveChunk], chunk: &ActiveChunk) -> RuleKindSet {
    let around = chunk.around.iter().flatten().map(|&number| chunks[number as usize].kinds);
    around.fold(RuleKindSet::default(), RuleKindSet::union)
}

/// The rows of a block shifted by one voxel along x and z, with the four blocks from which they are
/// read.
#[derive(Clone, Copy)]
pub(super) struct Shifted<'a> {
    here: &'a [Rows],
    /// The next block along z.
    along_z: &'a [Rows],
    /// The block of the next chunk along x.
    along_x: &'a [Rows],
    /// The block of the next chunk along x that is the next one along z.
    diagonal: &'a [Rows],
    dx: i32,
    dz: i32,
}

impl Shifted<'_> {
    /// Applies `read` to the shifted rows. Shifts only its result, which is faster than shifting
    /// all planes.
    #[inline(always)]
    pub fn read(&self, read: impl Fn(&[Rows]) -> Rows) -> Rows {
        let column = read(self.here).along_z(|| read(self.along_z), self.dz);
        column.along_x(|| read(self.along_x).along_z(|| read(self.diagonal), self.dz), self.dx)
    }

    /// Maximum number of planes of the four blocks.
    #[inline(always)]
    pub fn count(&self) -> usize {
        [self.along_z, self.along_x, self.diagonal]
            .iter()
            .fold(self.here.len(), |most, block| most.max(block.len()))
    }

    /// A plane of the shifted rows; empty if all blocks lack it.
    #[inline(always)]
    pub fn plane(&self, plane: usize) -> Rows {
        self.read(|block| plane_of(block, plane))
    }
}

/// A plane of a block; empty if the block lacks it.
#[inline(always)]
pub(super) fn plane_of(block: &[Rows], plane: usize) -> Rows {
    block.get(plane).copied().unwrap_or_default()
}

impl<'a> PlaneView<'a> {
    /// Creates the view of a chunk of `chunks`.
    pub fn new(
        chunks: &'a [ActiveChunk],
        chunk: &'a ActiveChunk,
        kinds: &'a RuleKinds,
    ) -> PlaneView<'a> {
        let around = chunk.around.map(|number| number.map(|number| &chunks[number as usize]));
        PlaneView {
            chunks: around,
            chunk,
            middle: chunk.planes(kinds),
            kinds,
            code_bits: kinds.planes(),
            all_loaded: around.iter().all(Option::is_some),
        }
    }

    /// Blocks of the middle chunk for which `set` has a block `by.y` layers above, at the same
    /// place or one block along x and z.
    pub fn seen(&self, by: IVec3, set: impl Fn(&Summary) -> BlockSet) -> BlockSet {
        self.seen_from(by, set(self.middle.summary()), set)
    }

    /// Does the same as [`PlaneView::seen`], but takes `middle` as the set of the middle chunk
    /// instead of calling `set` for it.
    pub fn seen_from(
        &self,
        by: IVec3,
        middle: BlockSet,
        set: impl Fn(&Summary) -> BlockSet,
    ) -> BlockSet {
        let columns = |x: i32| {
            block_set::seen(by.y, by.z, |y, z| match (x, y, z) {
                (0, 0, 0) => middle,
                _ => {
                    let chunk = self.chunks[neighbour_index(IVec3::new(x, y, z))];
                    chunk.map_or(0, |chunk| set(chunk.summary()))
                }
            })
        };
        if by.x == 0 { columns(0) } else { columns(0) | columns(by.x) }
    }

    /// Kinds of matter in each block of the middle chunk.
    pub fn summary(&self) -> &Summary {
        self.middle.summary()
    }

    /// The planes of a block of the chunk `dx` chunks away along x.
    #[inline(always)]
    pub fn block(&self, dx: i32, at: BlockPos) -> &'a [Rows] {
        let is_inside = |part: i32, side: i32| (0..side).contains(&part);
        if dx == 0 && is_inside(at.y, CHUNK_SIDE) && is_inside(at.z, ALONG_Z) {
            return self.middle.block((at.y * ALONG_Z + at.z) as usize);
        }
        self.outer_block(dx, at)
    }

    /// Code and deficit of a voxel by row and x in a block. Row and x may lie one beyond the block.
    pub fn voxel(&self, at: BlockPos, row: i32, x: i32) -> (u8, u8) {
        let rows = ROWS as i32;
        let block = self.block(x.div_euclid(CHUNK_SIDE), at.along_z(row.div_euclid(rows)));
        let row = row.rem_euclid(rows) as usize;
        let x = local_coord(x);
        let bits = |planes: &[Rows]| {
            planes
                .iter()
                .enumerate()
                .fold(0, |all, (bit, rows)| all | ((rows.0[row] >> x & 1) as u8) << bit)
        };
        let (codes, deficits) = block.split_at(self.code_bits);
        (bits(codes), bits(&deficits[..deficits.len().min(DEFICIT_BITS)]))
    }

    /// The planes of a block, and true if its chunk is loaded. The block is less than a chunk away.
    pub(crate) fn block_if_loaded(&self, dx: i32, at: BlockPos) -> (&'a [Rows], bool) {
        (self.block(dx, at), self.chunks[Self::chunk_index(dx, at)].is_some())
    }

    /// The planes of a block of another chunk.
    fn outer_block(&self, dx: i32, at: BlockPos) -> &'a [Rows] {
        let number = (local_coord(at.y) * ALONG_Z + (at.z & (ALONG_Z - 1))) as usize;
        match self.chunks[Self::chunk_index(dx, at)] {
            Some(chunk) => chunk.planes(self.kinds).block(number),
            None => &BLANK[..self.code_bits],
        }
    }

    /// Index in the Moore neighbourhood of the chunk that holds a block.
    fn chunk_index(dx: i32, at: BlockPos) -> usize {
        neighbour_index(IVec3::new(dx, at.y.div_euclid(CHUNK_SIDE), at.z.div_euclid(ALONG_Z)))
    }

    /// The rows of a block shifted along x and z: each voxel gets its neighbour at `dx` and `dz`.
    #[inline(always)]
    pub fn shifted(&self, at: BlockPos, dx: i32, dz: i32) -> Shifted<'a> {
        let here = self.block(0, at);
        let along_z = if dz == 0 { here } else { self.block(0, at.along_z(dz)) };
        let along_x = if dx == 0 { here } else { self.block(dx, at) };
        let diagonal = if dx == 0 || dz == 0 { here } else { self.block(dx, at.along_z(dz)) };
        Shifted { here, along_z, along_x, diagonal, dx, dz }
    }

    /// Shifts rows like [`PlaneView::shifted`], but reads no other block. The rows at the borders
    /// of the block are therefore wrong, and callers must ignore them.
    #[inline(always)]
    pub(crate) fn shifted_inside(&self, at: BlockPos, dx: i32, dz: i32) -> Shifted<'a> {
        let here = self.block(0, at);
        Shifted { here, along_z: here, along_x: here, diagonal: here, dx, dz }
    }

    /// The voxels of a block whose neighbours at an offset along x and z are loaded.
    pub fn loaded(&self, at: BlockPos, dx: i32, dz: i32) -> Rows {
        if self.all_loaded {
            return Rows::ALL;
        }
        let is_loaded =
            |dx: i32, at: BlockPos| Rows::splat(self.chunks[Self::chunk_index(dx, at)].is_some());
        let column = |dx: i32| is_loaded(dx, at).along_z(|| is_loaded(dx, at.along_z(dz)), dz);
        column(0).along_x(|| column(dx), dx)
    }

    /// The voxels of a block of the middle chunk whose Moore neighbourhoods are loaded.
    pub(crate) fn neighbourhood_loaded(&self, at: BlockPos) -> Rows {
        if self.all_loaded {
            return Rows::ALL;
        }
        let is_inside = (1..CHUNK_SIDE - 1).contains(&at.y) && (1..ALONG_Z - 1).contains(&at.z);
        let offsets = neighbour_offsets().filter(|by| !is_inside || by.y == 0 && by.z == 0);
        offsets.fold(Rows::ALL, |all, by| all & self.loaded(at.above(by.y), by.x, by.z))
    }

    /// Position of the middle chunk.
    pub fn pos(&self) -> ChunkPos {
        self.chunk.pos
    }
}
