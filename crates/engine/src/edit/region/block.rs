//! Voxels of a region as bits, in a box that need not lie on the chunk grid.

use super::Region;
use super::tree_bits::{INSIDE, ROWS, SIDE, is_full, read_layers};
use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;

/// Voxels of a region in a box, one word for each row along x. Bit 0 is the lowest x of the box.
pub(super) struct Block {
    /// Rows per layer.
    pub depth: usize,
    /// Rows by index z + depth * y, counted from the box's lowest corner.
    pub rows: Vec<u128>,
}

impl Block {
    /// Reads a box, which must be at most 128 voxels long along x.
    pub fn read(region: &Region, area: Box3) -> Block {
        let size = area.size();
        debug_assert!(size.x <= 128);
        let depth = size.z as usize;
        let mut block = Block { depth, rows: vec![0; depth * size.y as usize] };
        for pos in area.chunks() {
            block.add(region, area, pos);
        }
        block
    }

    /// Adds the voxels of one chunk.
    fn add(&mut self, region: &Region, area: Box3, pos: ChunkPos) {
        let Some(tree) = region.chunks.get(&pos) else { return };
        let part = area.intersection(pos.bounds());
        let low = part.min - pos.origin();
        let high = part.max - pos.origin();
        // Bits of a chunk's row that lie in the box.
        let mask = (u32::MAX >> (SIDE as i32 - (high.x - low.x))) << low.x;
        let mut words = [u32::MAX; ROWS];
        if !is_full(tree) {
            let layers = low.y as usize..high.y as usize;
            let count = layers.len() * SIDE;
            read_layers(tree, layers, |voxel| voxel == INSIDE, &mut words[..count]);
        }
        let IVec3 { x: shift, y, z } = part.min - area.min;
        for layer in 0..(high.y - low.y) as usize {
            let from = &words[layer * SIDE..][low.z as usize..high.z as usize];
            let to = &mut self.rows[(y as usize + layer) * self.depth + z as usize..];
            for (row, word) in to.iter_mut().zip(from) {
                *row |= u128::from((word & mask) >> low.x) << shift;
            }
        }
    }
}
