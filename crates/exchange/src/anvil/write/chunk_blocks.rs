//! Blocks of a map by Minecraft's sections.

use crate::minecraft::joined_sides::SideFinder;
use crate::minecraft::state_palette::StatePalette;
use glam::{IVec2, IVec3};
use stonerun_engine::voxel::{ChunkPos, linear_offset};
use stonerun_engine::world::{World, row_ranges};

/// Blocks on each side of a section.
const SIDE: i32 = 16;

/// The blocks of a world as indices of a palette.
pub(super) struct ChunkBlocks<'a> {
    world: &'a World,
    sides: &'a SideFinder<'a>,
    palette: &'a StatePalette,
}

impl<'a> ChunkBlocks<'a> {
    pub(super) fn new(
        world: &'a World,
        sides: &'a SideFinder<'a>,
        palette: &'a StatePalette,
    ) -> ChunkBlocks<'a> {
        ChunkBlocks { world, sides, palette }
    }

    /// The indices of a section's blocks, x fastest, then z, then y. `chunk` is its Minecraft chunk
    /// (x, z) and `y` its height in sections. `None` where the world has no chunk, for air.
    pub(super) fn section(&self, chunk: IVec2, y: i32) -> Option<Vec<u32>> {
        let corner = IVec3::new(chunk.x, y, chunk.y) * SIDE;
        let pos = ChunkPos::containing(corner);
        let voxels = self.world.chunk(pos)?;
        let low = corner - pos.origin();
        let mut indices = Vec::with_capacity((SIDE * SIDE * SIDE) as usize);
        for range in row_ranges(low, low + SIDE) {
            for run in voxels.runs_in(range) {
                let at = |i: u32| pos.origin() + linear_offset((run.start + i) as usize);
                self.sides.split_run(run.voxel, run.len, at, |len, voxel| {
                    let index = self.palette.entry(voxel).index;
                    indices.extend(std::iter::repeat_n(index, len as usize));
                });
            }
        }
        Some(indices)
    }
}
