//! Sources of the Moore walk: the world, or a chunk among its neighbours.

use super::super::RunTree;
use crate::voxel::{
    Box3, CHUNK_SIDE, ChunkPos, MOORE_LEN, Voxel, linear_index, local, neighbour_index,
};
use glam::IVec3;

/// A source of voxels that can be read row by row.
pub trait RowSource {
    /// Calls `each` with the lengths and values of the runs of the `len` voxels that start at `at`
    /// and continue along x. Adjacent runs may be equal. Voxels that are not loaded have the value
    /// [`Voxel::NOT_LOADED`].
    fn row_runs(&self, at: IVec3, len: u32, each: impl FnMut(u32, Voxel));

    /// Value of all voxels of `area`, if they share one value and this is cheap to determine.
    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        let _ = area;
        None
    }
}

/// A chunk and its 26 neighbours, borrowed.
///
/// Coordinates count from the middle chunk's lowest corner, so x, y and z range from -32 to 63, and
/// a box walked with radius 1 must lie within -31..63. Callers must not read beyond; only debug
/// builds check this.
#[derive(Clone, Copy)]
pub struct ChunkNeighbourhoodRef<'a> {
    /// Chunks in the order of [`neighbour_index`]; `None` where not loaded.
    pub chunks: [Option<&'a RunTree>; MOORE_LEN],
}

impl ChunkNeighbourhoodRef<'_> {
    /// Box of the middle chunk's voxels.
    pub const BOUNDS: Box3 = Box3 { min: IVec3::ZERO, max: IVec3::splat(CHUNK_SIDE) };
    /// Box of the voxels of all 27 chunks.
    const COVERED: Box3 =
        Box3 { min: IVec3::splat(-CHUNK_SIDE), max: IVec3::splat(2 * CHUNK_SIDE) };
}

impl RowSource for ChunkNeighbourhoodRef<'_> {
    fn row_runs(&self, at: IVec3, len: u32, mut each: impl FnMut(u32, Voxel)) {
        debug_assert!(
            Self::COVERED.contains(at) && at.x + len as i32 <= Self::COVERED.max.x,
            "{at} + {len}"
        );
        let mut x = at.x;
        let end = at.x + len as i32;
        while x < end {
            let here = at.with_x(x);
            let pos = ChunkPos::containing(here);
            let stop = end.min(pos.origin().x + CHUNK_SIDE);
            match self.chunks[neighbour_index(pos.as_ivec3())] {
                None => each((stop - x) as u32, Voxel::NOT_LOADED),
                Some(tree) => {
                    let from = linear_index(local(here));
                    tree.runs_in(from..from + (stop - x) as usize)
                        .for_each(|r| each(r.len, r.voxel));
                }
            }
            x = stop;
        }
    }

    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        debug_assert!(
            Self::COVERED.intersection(area) == area,
            "{area:?} leaves the neighbourhood"
        );
        let mut chunks = area.chunks().map(|c| match self.chunks[neighbour_index(c.as_ivec3())] {
            None => Some(Voxel::NOT_LOADED),
            Some(tree) => tree.as_uniform(),
        });
        let first = chunks.next()??;
        chunks.all(|c| c == Some(first)).then_some(first)
    }
}
