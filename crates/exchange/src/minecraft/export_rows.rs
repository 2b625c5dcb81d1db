//! Rows of a box to export, in runs, with the sides of the shapes that join to their neighbours.

use super::joined_sides::{JoinedVoxel, SideFinder, VoxelCounts};
use crate::progress::Progress;
use crate::scene::WriterError;
use glam::IVec3;
use std::io;
use std::ops::ControlFlow;
use stonerun_engine::runs::moore::RowSource;
use stonerun_engine::voxel::{Box3, MaterialTable};
use stonerun_engine::world::World;

/// Reason why the walk over a box ended early.
#[derive(Debug)]
pub(crate) enum RowsError {
    /// The target cannot be written.
    Io(io::Error),
    /// The progress callback asked to stop.
    Cancelled,
}

impl From<io::Error> for RowsError {
    fn from(error: io::Error) -> RowsError {
        RowsError::Io(error)
    }
}

impl From<RowsError> for WriterError {
    fn from(error: RowsError) -> WriterError {
        match error {
            RowsError::Io(error) => WriterError::Io(error),
            RowsError::Cancelled => WriterError::Cancelled,
        }
    }
}

/// The rows of a box along x.
pub(crate) struct ExportRows<'a> {
    world: &'a World,
    bounds: Box3,
    sides: SideFinder<'a>,
}

impl<'a> ExportRows<'a> {
    pub(crate) fn new(world: &'a World, materials: &'a MaterialTable, bounds: Box3) -> Self {
        ExportRows { world, bounds, sides: SideFinder::new(world, materials, bounds) }
    }

    /// Passes the runs of each row to `visit`, x fastest, then z, then y, as in schematics.
    /// Neighbouring runs may be equal.
    ///
    /// # Errors
    /// `visit` fails, or `progress` cancels.
    pub(crate) fn for_each(
        &self,
        progress: &mut Progress,
        mut visit: impl FnMut(&[(u32, JoinedVoxel)]) -> io::Result<()>,
    ) -> Result<(), RowsError> {
        let Box3 { min, max } = self.bounds;
        let mut row = vec![];
        for y in min.y..max.y {
            for z in min.z..max.z {
                row.clear();
                self.add_row(IVec3::new(min.x, y, z), &mut row);
                visit(&row)?;
            }
            let done = (y - min.y + 1) as f32 / (max.y - min.y) as f32;
            if let ControlFlow::Break(()) = progress(done) {
                return Err(RowsError::Cancelled);
            }
        }
        Ok(())
    }

    /// Adds the runs of the row that begins at `start`.
    fn add_row(&self, start: IVec3, row: &mut Vec<(u32, JoinedVoxel)>) {
        let mut begin = start;
        let width = (self.bounds.max.x - start.x) as u32;
        self.world.row_runs(start, width, |len, voxel| {
            let at = |index: u32| begin + IVec3::X * index as i32;
            self.sides.split_run(voxel, len, at, |len, voxel| row.push((len, voxel)));
            begin.x += len as i32;
        });
    }

    /// Number of blocks of each kind.
    ///
    /// # Errors
    /// `progress` cancels.
    pub(crate) fn counts(&self, progress: &mut Progress) -> Result<VoxelCounts, RowsError> {
        let mut counts = VoxelCounts::new();
        self.for_each(progress, |row| {
            for &(len, voxel) in row {
                counts.add(len, voxel);
            }
            Ok(())
        })?;
        Ok(counts)
    }
}
