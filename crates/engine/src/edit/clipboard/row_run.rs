//! Runs of a clipboard along x, for patterns that repeat it.

use super::Clipboard;
use crate::edit::region::Region;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel, linear_index, local};
use crate::world::Chunk;
use glam::IVec3;

impl Clipboard {
    /// Voxel at a grid position (air if it does not belong to the clipboard), and a lower bound, at
    /// least 1, of the number of equal voxels from there along x.
    pub(in crate::edit) fn run_along_x(&self, at: IVec3) -> (Voxel, usize) {
        let pos = ChunkPos::containing(at);
        let start = linear_index(local(at));
        let row = start..(start + 1).next_multiple_of(CHUNK_SIDE as usize);
        let first = |chunk: &Chunk| {
            let run = chunk.runs_in(row.clone()).next();
            run.map_or((Voxel::AIR, row.len()), |run| (run.voxel, run.len as usize))
        };
        let Some(inside) = self.0.region.chunk(pos) else { return (Voxel::AIR, row.len()) };
        let (belongs, len) = first(inside);
        match self.0.chunks.get(&pos) {
            Some(chunk) if belongs == Region::INSIDE => {
                let (voxel, equal) = first(chunk);
                (voxel, equal.min(len))
            }
            _ => (Voxel::AIR, len),
        }
    }
}
