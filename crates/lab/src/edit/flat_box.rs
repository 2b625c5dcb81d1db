//! The rival: one 16-bit number per voxel of a box, in one array.
//!
//! Loops run on all cores over blocks of contiguous memory, and the compiler vectorises them.

use crate::input::VoxelId;
use glam::IVec3;
use rayon::prelude::*;
use std::ops::Range;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos, linear_offset};
use stonerun_engine::world::{Chunk, World};

/// Number of voxels that one task handles at a time: 32 KiB, which fit into a core's own cache.
const BLOCK: usize = 16_384;

/// Voxels of a cube of whole chunks: x fastest, then z, then y.
pub(super) struct FlatBox {
    /// Box that the array covers.
    pub area: Box3,
    /// Voxels along each axis.
    pub side: usize,
    /// Numbers of the voxels.
    pub voxels: Vec<VoxelId>,
}

impl FlatBox {
    /// Copies the voxels of a world of numbered voxels.
    pub fn new(world: &World, area: Box3) -> FlatBox {
        let side = area.size().x as usize;
        let mut flat = FlatBox { area, side, voxels: vec![0; side * side * side] };
        let layer = CHUNK_SIDE as usize * side * side;
        flat.voxels.par_chunks_mut(layer).enumerate().for_each(|(number, layer)| {
            for (pos, chunk) in chunks_of_layer(world, area, number) {
                for_each_row(area, side, pos, chunk, |start, end, id| layer[start..end].fill(id));
            }
        });
        flat
    }

    /// Range in the array of the `len` voxels along x that begin at an offset in the box.
    pub fn row(&self, offset: IVec3, len: usize) -> Range<usize> {
        let offset = offset.as_usizevec3();
        let start = (offset.y * self.side + offset.z) * self.side + offset.x;
        start..start + len
    }

    /// True if a world has the same voxels in the box.
    pub fn equals(&self, world: &World) -> bool {
        let layer = CHUNK_SIDE as usize * self.side * self.side;
        self.voxels.par_chunks(layer).enumerate().all(|(number, layer)| {
            let mut equal = true;
            let mut count = 0;
            for (pos, chunk) in chunks_of_layer(world, self.area, number) {
                count += 1;
                for_each_row(self.area, self.side, pos, chunk, |start, end, id| {
                    equal &= layer[start..end].iter().all(|&voxel| voxel == id);
                });
            }
            equal && count == (self.side / CHUNK_SIDE as usize).pow(2)
        })
    }

    /// Fills the box with `id`, after copying its voxels to `undo`.
    pub fn fill(&mut self, undo: &mut [VoxelId], id: VoxelId) {
        self.voxels.par_chunks_mut(BLOCK).zip(undo.par_chunks_mut(BLOCK)).for_each(
            |(block, undo)| {
                undo.copy_from_slice(block);
                block.fill(id);
            },
        );
    }

    /// Fills the box again, as a redo, which needs no copy.
    pub fn refill(&mut self, id: VoxelId) {
        self.voxels.par_chunks_mut(BLOCK).for_each(|block| block.fill(id));
    }

    /// Copies all voxels back from `undo`.
    pub fn restore(&mut self, undo: &[VoxelId]) {
        self.voxels.par_chunks_mut(BLOCK).zip(undo.par_chunks(BLOCK)).for_each(|(block, undo)| {
            block.copy_from_slice(undo);
        });
    }

    /// Replaces a voxel by another. Writes only to blocks that contain it.
    pub fn replace(&mut self, from: VoxelId, to: VoxelId) {
        self.voxels.par_chunks_mut(BLOCK).for_each(|block| {
            if block.iter().fold(false, |found, &voxel| found | (voxel == from)) {
                for voxel in block {
                    *voxel = if *voxel == from { to } else { *voxel };
                }
            }
        });
    }
}

/// The loaded chunks of one layer of chunks of the box. `number` counts from the lowest layer.
fn chunks_of_layer(
    world: &World,
    area: Box3,
    number: usize,
) -> impl Iterator<Item = (ChunkPos, &Chunk)> {
    let chunks = area.in_chunks();
    let y = chunks.min.y + number as i32;
    (chunks.min.z..chunks.max.z)
        .flat_map(move |z| (chunks.min.x..chunks.max.x).map(move |x| ChunkPos::new(x, y, z)))
        .filter_map(|pos| Some((pos, world.chunk(pos)?)))
}

/// Calls `each` with start, end and number of each run of a chunk, cut at the ends of rows, as
/// indices into the array of the chunk's layer.
fn for_each_row(
    area: Box3,
    side: usize,
    pos: ChunkPos,
    chunk: &Chunk,
    mut each: impl FnMut(usize, usize, VoxelId),
) {
    let row_len = CHUNK_SIDE as usize;
    let origin = (pos.origin() - area.min).as_usizevec3();
    for run in chunk.runs() {
        let mut at = run.start as usize;
        let end = run.end() as usize;
        while at < end {
            let next = end.min((at / row_len + 1) * row_len);
            let offset = linear_offset(at).as_usizevec3();
            let start = (offset.y * side + origin.z + offset.z) * side + origin.x + offset.x;
            each(start, start + next - at, run.voxel.material());
            at = next;
        }
    }
}
