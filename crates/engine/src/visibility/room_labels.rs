//! Labelling: numbers the connected open spaces of a chunk.
//!
//! The open voxels of a row along x form a few runs. A run joins the runs that it overlaps in the
//! previous row and in the layer below, and joined runs share a number: run-based labelling of
//! connected components with a union-find forest.

use super::occluders::Occluders;
use crate::voxel::CHUNK_SIDE;
use glam::IVec3;
use std::ops::Range;

/// Maximum number of rooms of a chunk. A chunk with more (dust, sponge) gets one room for all of
/// them, which sees more, never less.
pub(super) const MAX_ROOMS: usize = 64;
/// Side of a chunk, in voxels.
pub(super) const SIDE: usize = CHUNK_SIDE as usize;
/// Number of rows along x of a chunk.
pub(super) const ROWS: usize = SIDE * SIDE;

/// A run of open voxels of one row: `from..to` along x.
#[derive(Clone, Copy)]
pub(super) struct OpenRun {
    pub from: u8,
    pub to: u8,
    /// While joining: a run of the same room, or the run itself if it is the root.
    /// Afterwards: the number of the room.
    label: u16,
}

impl OpenRun {
    /// Number of the room that the run belongs to.
    pub fn room(self) -> usize {
        usize::from(self.label)
    }
}

/// The open runs of a chunk, row by row (z, then y), and the room of each.
pub(super) struct RoomLabels {
    runs: Vec<OpenRun>,
    /// Index of the first run of each row, then the number of runs.
    rows: Box<[u16; ROWS + 1]>,
    /// Number of rooms.
    count: usize,
}

impl RoomLabels {
    /// Finds the rooms between `occluders`.
    pub fn from_occluders(occluders: &Occluders) -> RoomLabels {
        let mut labels =
            RoomLabels { runs: Vec::with_capacity(2048), rows: Box::new([0; ROWS + 1]), count: 0 };
        for row in 0..ROWS {
            let y = row / SIDE;
            let z = row % SIDE;
            let mut open = !occluders.row(y as i32, z as i32);
            while open != 0 {
                let from = open.trailing_zeros();
                let to = from + (!(open >> from)).trailing_zeros().min(32 - from);
                let label = labels.runs.len() as u16;
                labels.runs.push(OpenRun { from: from as u8, to: to as u8, label });
                open &= u32::MAX.checked_shl(to).unwrap_or(0);
            }
            labels.rows[row + 1] = labels.runs.len() as u16;
            if z > 0 {
                labels.join(row, row - 1);
            }
            if y > 0 {
                labels.join(row, row - SIDE);
            }
        }
        labels.number();
        labels
    }

    /// Number of rooms.
    pub fn count(&self) -> usize {
        self.count
    }

    /// The runs of a row.
    pub fn runs(&self, row: usize) -> &[OpenRun] {
        &self.runs[self.row(row)]
    }

    /// Number of the room at `at`, or `None` if that voxel is an occluder.
    pub fn at(&self, at: IVec3) -> Option<usize> {
        let runs = self.runs((at.y * CHUNK_SIDE + at.z) as usize);
        let run =
            runs.iter().find(|run| (i32::from(run.from)..i32::from(run.to)).contains(&at.x))?;
        Some(run.room())
    }

    fn row(&self, row: usize) -> Range<usize> {
        usize::from(self.rows[row])..usize::from(self.rows[row + 1])
    }

    /// Joins the overlapping runs of two adjacent rows.
    fn join(&mut self, row: usize, other: usize) {
        let mut a = self.row(row);
        let mut b = self.row(other);
        while !a.is_empty() && !b.is_empty() {
            let here = self.runs[a.start];
            let there = self.runs[b.start];
            if here.from < there.to && there.from < here.to {
                let x = self.root(a.start);
                let y = self.root(b.start);
                // The lower index becomes the root, so a parent never follows its run.
                self.runs[x.max(y)].label = x.min(y) as u16;
            }
            if here.to <= there.to { a.start += 1 } else { b.start += 1 }
        }
    }

    fn root(&mut self, mut run: usize) -> usize {
        while self.runs[run].room() != run {
            let parent = self.runs[run].room();
            self.runs[run].label = self.runs[parent].label;
            run = parent;
        }
        run
    }

    /// Replaces the parent of each run by the number of its room.
    fn number(&mut self) {
        for run in 0..self.runs.len() {
            let parent = self.runs[run].room();
            self.runs[run].label = if parent == run {
                self.count += 1;
                self.count as u16 - 1
            } else {
                // The parent is an earlier run, so it already holds its number.
                self.runs[parent].label
            };
        }
        if self.count > MAX_ROOMS {
            self.runs.iter_mut().for_each(|run| run.label = 0);
            self.count = 1;
        }
    }
}
