//! Reads a chunk and a border of one voxel around it: the whole chunk, and one side, edge or corner
//! of each neighbour.

use super::super::RunTree;
use super::layout::{AREA, SIDE, Words, row_number};
use super::row_toggles::{BitMasks, RowToggles};
use crate::voxel::{CHUNK_SIDE, linear_index, local_coord};
use glam::IVec3;
use std::ops::Range;

/// The part of one of 27 chunks that lies in the middle chunk or its border of one voxel.
/// Coordinates count from the middle chunk's lowest corner.
pub(crate) struct ChunkPart {
    /// Layers of the part: a range of y.
    ys: Range<i32>,
    /// Rows of each layer: a range of z.
    zs: Range<i32>,
    /// True for whole rows; otherwise the part has one voxel of each row.
    has_rows: bool,
    /// x of the first voxel.
    x: i32,
}

impl ChunkPart {
    /// Creates the part that belongs to the chunk at `offset`, -1 to 1 along each axis.
    pub fn new(offset: IVec3) -> ChunkPart {
        let range = |step: i32| match step {
            -1 => -1..0,
            0 => 0..CHUNK_SIDE,
            _ => CHUNK_SIDE..CHUNK_SIDE + 1,
        };
        ChunkPart {
            ys: range(offset.y),
            zs: range(offset.z),
            has_rows: offset.x == 0,
            x: range(offset.x).start,
        }
    }

    /// Number of 32-bit rows into which the part is read: one per row along x, or, with one voxel
    /// per row, one per layer, with a bit for each z.
    pub(crate) fn row_count(&self) -> usize {
        if self.has_rows { self.ys.len() * self.zs.len() } else { self.ys.len() }
    }

    /// Reads the part from `tree`, its chunk, and calls `each` with the number and the bits of each
    /// row. `lanes` gives the bits of a palette index.
    pub fn read<const N: usize>(
        &self,
        tree: &RunTree,
        lanes: impl Fn(usize) -> BitMasks<N>,
        mut toggles: RowToggles<'_, N>,
        each: impl FnMut(usize, [u32; N]),
    ) {
        let x = local_coord(self.x);
        let y = local_coord(self.ys.start);
        let first = linear_index(IVec3::new(x, y, local_coord(self.zs.start)));
        if self.zs.len() == SIDE {
            let layers = y as usize..y as usize + self.ys.len();
            let lowest = AREA * layers.start;
            // Either all voxels of each row, or the voxel at x of row n as bit n. That voxel has
            // the value of the last run that starts at or before it, so adding 31 - x moves later
            // starts to the next row.
            let (skip, shift) =
                if self.has_rows { (0, 0) } else { (SIDE - 1 - x as usize, SIDE.ilog2()) };
            toggles = tree.fold_starts(layers, toggles, |toggles, run| {
                toggles.start(
                    (usize::from(run.start) - lowest + skip) >> shift,
                    lanes(run.code.into()),
                )
            });
        } else {
            let len = if self.has_rows { SIDE } else { 1 };
            for row in 0..self.ys.len() {
                let first = first + AREA * row;
                // Collected first, because a closure that is called often cannot move `toggles`.
                let mut starts = [(0, 0); SIDE];
                let mut count = 0;
                tree.for_each_coded(first..first + len, |start, _, code| {
                    starts[count] = (SIDE * row + start - first, code);
                    count += 1;
                });
                for &(position, code) in &starts[..count] {
                    toggles = toggles.start(position, lanes(code));
                }
            }
        }
        toggles.finish(each);
    }

    /// Adds all rows of the part to `words`.
    pub fn write<const N: usize>(&self, words: &mut [Words], row: impl Fn(usize) -> [u32; N]) {
        (0..self.row_count()).for_each(|number| self.write_row(words, number, row(number)));
    }

    /// Adds row `number` of the part to `words`.
    #[inline(always)]
    pub(crate) fn write_row<const N: usize>(
        &self,
        words: &mut [Words],
        number: usize,
        row: [u32; N],
    ) {
        if self.has_rows {
            let (y, z) =
                if self.zs.len() == SIDE { (number / SIDE, number % SIDE) } else { (number, 0) };
            let at = row_number(self.ys.start + y as i32, self.zs.start + z as i32);
            words
                .iter_mut()
                .zip(row)
                .for_each(|(words, bits)| words.as_flattened_mut()[at] |= u64::from(bits) << 1);
            return;
        }
        let at = row_number(self.ys.start + number as i32, self.zs.start);
        let x = self.x + 1;
        for (words, bits) in words.iter_mut().zip(row).filter(|(_, bits)| *bits != 0) {
            for (z, word) in words.as_flattened_mut()[at..at + self.zs.len()].iter_mut().enumerate()
            {
                *word |= u64::from(bits >> z & 1) << x;
            }
        }
    }
}
