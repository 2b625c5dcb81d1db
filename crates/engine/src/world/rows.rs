//! Row-wise reads of the world, for the Moore walk.

use super::World;
use crate::runs::moore::RowSource;
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos, Voxel, linear_index, local};
use glam::IVec3;

impl RowSource for World {
    fn row_runs(&self, at: IVec3, len: u32, mut each: impl FnMut(u32, Voxel)) {
        let mut x = at.x;
        let end = at.x + len as i32;
        while x < end {
            let here = at.with_x(x);
            let pos = ChunkPos::containing(here);
            let stop = end.min(pos.origin().x + CHUNK_SIDE);
            match self.chunk(pos) {
                None => each((stop - x) as u32, Voxel::NOT_LOADED),
                Some(chunk) => {
                    let from = linear_index(local(here));
                    chunk
                        .runs_in(from..from + (stop - x) as usize)
                        .for_each(|r| each(r.len, r.voxel));
                }
            }
            x = stop;
        }
    }

    fn uniform_in(&self, area: Box3) -> Option<Voxel> {
        let mut chunks = area
            .chunks()
            .map(|c| self.chunk(c).map_or(Some(Voxel::NOT_LOADED), |chunk| chunk.as_uniform()));
        let first = chunks.next()??;
        chunks.all(|c| c == Some(first)).then_some(first)
    }
}
