//! The rival for dust: one bit per voxel in a flat array, 64 voxels per word.

use glam::IVec3;
use stonerun_engine::voxel::{Box3, ChunkPos, Voxel, linear_offset};
use stonerun_engine::world::{Chunk, World};

/// Dust in a box whose side along x is a multiple of 64.
pub(super) struct BitDust {
    area: Box3,
    /// Number of words per row.
    words: usize,
    /// Number of rows per layer.
    rows: usize,
    /// One bit per voxel, x fastest, then z, then y.
    bits: Vec<u64>,
    /// Scratch memory for one layer: the voxels that move.
    masks: Vec<u64>,
}

impl BitDust {
    /// The voxels of a box that equal `dust`. All others count as air.
    pub fn new(world: &World, area: Box3, dust: Voxel) -> BitDust {
        let size = area.size();
        let words = size.x as usize / 64;
        let rows = size.z as usize;
        let layer = words * rows;
        let mut bits = BitDust {
            area,
            words,
            rows,
            bits: vec![0; layer * size.y as usize],
            masks: vec![0; layer],
        };
        for pos in area.chunks() {
            let Some(chunk) = world.chunk(pos) else { continue };
            for run in chunk.runs().filter(|run| run.voxel == dust) {
                for index in run.start..run.end() {
                    let (word, bit) = bits.place(pos.origin() + linear_offset(index as usize));
                    bits.bits[word] |= 1 << bit;
                }
            }
        }
        bits
    }

    fn place(&self, at: IVec3) -> (usize, usize) {
        let at = at - self.area.min;
        let row = at.z as usize + at.y as usize * self.rows;
        (row * self.words + at.x as usize / 64, at.x as usize % 64)
    }

    /// True if a chunk has the same dust.
    pub fn equals(&self, pos: ChunkPos, chunk: &Chunk, dust: Voxel) -> bool {
        chunk.runs().all(|run| {
            (run.start..run.end()).all(|index| {
                let (word, bit) = self.place(pos.origin() + linear_offset(index as usize));
                (self.bits[word] >> bit & 1 == 1) == (run.voxel == dust)
            })
        })
    }

    /// Carries out one step: dust falls down, then to one side.
    pub fn step(&mut self, step: u64) {
        self.fall(0);
        self.fall(1);
        let side = [(1, 0), (0, -1), (-1, 0), (0, 1)][(step % 4) as usize];
        self.slide(side, 0);
        self.slide(side, 1);
    }

    fn layers(&mut self, y: usize) -> (&mut [u64], &mut [u64]) {
        let layer = self.words * self.rows;
        self.bits[(y - 1) * layer..][..2 * layer].split_at_mut(layer)
    }

    fn height(&self) -> usize {
        self.bits.len() / (self.words * self.rows)
    }

    fn fall(&mut self, parity: usize) {
        for y in (1..self.height()).filter(|y| y % 2 == parity) {
            let (low, high) = self.layers(y);
            for (upper, lower) in high.iter_mut().zip(low) {
                let falls = *upper & !*lower;
                (*upper, *lower) = (*upper ^ falls, *lower | falls);
            }
        }
    }

    fn slide(&mut self, (dx, dz): (i32, i32), parity: usize) {
        let words = self.words;
        let rows = self.rows;
        let mut masks = std::mem::take(&mut self.masks);
        for y in (1..self.height()).filter(|y| y % 2 == parity) {
            let (low, high) = self.layers(y);
            if dz != 0 {
                let offset = if dz > 0 { words } else { 0 };
                let count = words * (rows - 1);
                let shift = words - offset;
                // Upper cells begin at `shift`, their partners at `offset`.
                for (n, found) in masks[..count].iter_mut().enumerate() {
                    *found =
                        high[n + shift] & low[n + shift] & !high[n + offset] & !low[n + offset];
                }
                for (found, upper) in masks[..count].iter().zip(&mut high[shift..]) {
                    *upper ^= found;
                }
                for (found, lower) in masks[..count].iter().zip(&mut low[offset..]) {
                    *lower ^= found;
                }
                continue;
            }
            for (upper, lower) in high.chunks_exact_mut(words).zip(low.chunks_exact_mut(words)) {
                // Free positions, shifted to the cell next to them. Positions outside are not free.
                for n in 0..words {
                    let free = |n: usize| !(upper[n] | lower[n]);
                    let seen = if dx > 0 {
                        free(n) >> 1 | if n + 1 < words { free(n + 1) << 63 } else { 0 }
                    } else {
                        free(n) << 1 | if n > 0 { free(n - 1) >> 63 } else { 0 }
                    };
                    masks[n] = upper[n] & lower[n] & seen;
                }
                for n in 0..words {
                    upper[n] ^= masks[n];
                    lower[n] |= if dx > 0 {
                        masks[n] << 1 | if n > 0 { masks[n - 1] >> 63 } else { 0 }
                    } else {
                        masks[n] >> 1 | if n + 1 < words { masks[n + 1] << 63 } else { 0 }
                    };
                }
            }
        }
        self.masks = masks;
    }
}
