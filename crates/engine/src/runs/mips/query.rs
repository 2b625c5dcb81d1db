//! Queries of the mips of a run tree.

use super::super::packed::PackedRef;
use super::super::repr::Repr;
use super::super::table::TableRef;
use super::super::{Run, RunTree};
use super::{Mip, cell_bits};
use crate::voxel::{CHUNK_SIDE, linear_index};
use glam::IVec3;

impl RunTree {
    /// True if `cell` of `mip` contains only air. `cell` counts cells from the chunk's lowest
    /// corner.
    #[must_use]
    pub fn is_air(&self, mip: Mip, cell: IVec3) -> bool {
        debug_assert!(
            cell.cmpge(IVec3::ZERO).all()
                && cell.cmplt(IVec3::splat(CHUNK_SIDE / mip.cell_side())).all()
        );
        match mip {
            Mip::Cells4 => !self.has_matter(cell_bits(linear_index(cell * 8)).0),
            Mip::Cells8 => !self.has_matter(cell_bits(linear_index(cell * 4)).1),
            Mip::Cells16 => is_cube_air(|index| self.run_at(index), cell * 2, 2),
        }
    }

    /// Side of the largest cell known to be air that contains the voxel at `at`, an offset in the
    /// chunk: 32 if the whole chunk is air, 8 or 4 if a cell of a mip is. Otherwise 1, also where
    /// the voxel is matter.
    #[must_use]
    #[inline]
    pub(crate) fn empty_side(&self, at: IVec3) -> i32 {
        debug_assert!(at.cmpge(IVec3::ZERO).all() && at.cmplt(IVec3::splat(CHUNK_SIDE)).all());
        if let Repr::Uniform(voxel) = self.0 {
            return if voxel.is_air() { CHUNK_SIDE } else { 1 };
        }
        let (coarse, fine) = cell_bits(linear_index(at));
        if !self.has_matter(coarse) {
            8
        } else if !self.has_matter(fine) {
            4
        } else {
            1
        }
    }

    /// True if bit number `bit` of the mips is set: its cell contains matter.
    #[inline]
    fn has_matter(&self, bit: usize) -> bool {
        match &self.0 {
            Repr::Uniform(voxel) => !voxel.is_air(),
            Repr::Table(table) => TableRef::new(table).mips()[bit / 16] >> (bit % 16) & 1 == 1,
            Repr::Packed(bytes) => PackedRef::new(bytes).mips()[bit / 8] >> (bit % 8) & 1 == 1,
        }
    }
}

/// True if the cube of `side` voxels whose lowest corner is `at` contains only air.
fn is_cube_air(run_at: impl Fn(usize) -> Run, at: IVec3, side: i32) -> bool {
    (0..side * side).all(|i| {
        let row = linear_index(at + IVec3::new(0, i / side, i % side)) as u32;
        let run = run_at(row as usize);
        // All air is one value, so a row of air lies in one run.
        run.voxel.is_air() && run.end() >= row + side as u32
    })
}
