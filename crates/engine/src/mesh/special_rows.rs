//! The voxels of a chunk that are drawn, but not as full opaque blocks, and wet voxels, as bits by
//! row.

use super::run_rows::RunRows;
use super::voxel_class::{ClassBit, VoxelClass};
use crate::runs::bit_rows::{AREA, SIDE, boxed};
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Special voxels of a row; bit x belongs to the voxel at x.
#[derive(Clone, Copy, PartialEq, Eq, Default)]
pub(super) struct SpecialRow {
    /// Boxes: low ones, transparent ones, liquids.
    pub boxes: u32,
    /// Boxes lower than their voxel.
    pub low: u32,
    /// Boxes that are full where the same material lies above: liquids and wires.
    pub stacks: u32,
    /// Models: crossed sheets, torches.
    pub models: u32,
    /// Voxels of any other matter with liquid in them.
    pub wet: u32,
}

/// The special voxels of a chunk. Reused between chunks to keep its buffer.
pub(super) struct SpecialRows {
    /// Row z + 32 y.
    rows: Box<[SpecialRow; AREA]>,
    is_empty: bool,
}

impl Default for SpecialRows {
    fn default() -> SpecialRows {
        SpecialRows { rows: boxed(SpecialRow::default()), is_empty: true }
    }
}

impl SpecialRows {
    /// Reads the special voxels of a chunk; `classes` has the class of each palette entry.
    pub fn read(&mut self, runs: &RunRows, classes: &[VoxelClass]) {
        if !self.is_empty {
            self.rows.fill(SpecialRow::default());
        }
        let is_drawn = |(class, voxel): (&VoxelClass, &Voxel)| class.is_special() || voxel.is_wet();
        self.is_empty = !classes.iter().zip(&runs.palette).any(is_drawn);
        if self.is_empty {
            return;
        }
        for (i, run) in runs.runs.iter().enumerate() {
            let class = classes[usize::from(run.code)];
            let is_wet = runs.palette[usize::from(run.code)].is_wet();
            if class.is_special() || is_wet {
                let end = runs.runs.get(i + 1).map_or(CHUNK_VOLUME, |next| next.start.into());
                self.add(class, is_wet, run.start.into(), end);
            }
        }
    }

    /// Adds the voxels of a run.
    fn add(&mut self, class: VoxelClass, is_wet: bool, start: usize, end: usize) {
        let mut at = start;
        while at < end {
            let row = at / SIDE;
            let stop = end.min((row + 1) * SIDE);
            let bits = u32::MAX >> (SIDE - (stop - at)) << (at % SIDE);
            let bits_if = |is: bool| if is { bits } else { 0 };
            let bits_of = |bit| bits_if(class.is_special() && class.has(bit));
            let row = &mut self.rows[row];
            row.wet |= bits_if(is_wet);
            row.boxes |= bits_of(ClassBit::Cube);
            row.low |= bits_of(ClassBit::Low);
            row.stacks |= bits_of(ClassBit::Stacks);
            row.models |= bits_of(ClassBit::Model);
            at = stop;
        }
    }

    /// True if the chunk has no special and no wet voxels.
    pub fn is_empty(&self) -> bool {
        self.is_empty
    }

    /// The special voxels of the row at `y` and `z`.
    #[inline]
    pub fn row(&self, y: usize, z: usize) -> SpecialRow {
        self.rows[z + SIDE * y]
    }
}
