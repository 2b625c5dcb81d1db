//! Fills after a pass, row by row.

use super::approach::Approach;
use super::fill_window::{FillWindow, Row, STRIDE};
use super::level_noise::LevelNoise;
use super::smoothing::SmoothedFills;
use super::surface_moves::{grown, sculpted, shrunk};
use glam::IVec3;
use std::ops::Range;

/// Function from the fills around a row to the row's fills after the pass.
pub(super) enum Kernel<'a> {
    Smooth(SmoothedFills),
    Grow,
    Shrink,
    Sculpt { normal: IVec3, pushes: bool },
    Roughen(LevelNoise),
    Approach(Approach<'a>),
}

impl Kernel<'_> {
    /// False if the tool changes no voxel of a row, whatever the weights are.
    pub fn may_change(&self, window: &FillWindow, [y, z]: [i32; 2]) -> bool {
        match self {
            Kernel::Smooth(smoothed) => !smoothed.keeps([y, z], window.row(y, z)),
            _ => true,
        }
    }

    /// Fills of the row at `y` and `z`, each -1 to 32, for x from -1 to 32. `weights` are 0 where
    /// fills stay. `origin` is the chunk's lowest voxel.
    pub fn row(&self, window: &FillWindow, origin: IVec3, [y, z]: [i32; 2], weights: &Row) -> Row {
        let before = window.row(y, z);
        let mut after = match self {
            Kernel::Smooth(smoothed) => smoothed.blended([y, z], before, weights),
            Kernel::Grow => grown(window, [y, z], weights),
            Kernel::Shrink => shrunk(window, [y, z], weights),
            Kernel::Sculpt { normal, pushes } => {
                sculpted(window, [y, z], weights, *normal, *pushes)
            }
            Kernel::Roughen(noise) => noise.roughened(window, origin, [y, z], weights),
            Kernel::Approach(approach) => approach.row(window, origin, [y, z], weights),
        };
        for i in 0..STRIDE {
            let stays = weights[i] == 0 || before[i] < 0;
            after[i] = if stays { before[i] } else { after[i] };
        }
        after
    }
}

/// Fills after a pass of a chunk and one voxel around it.
pub(super) struct NewFills {
    rows: Vec<Row>,
}

impl NewFills {
    /// Number of rows along y and z.
    const ROWS: i32 = 34;

    /// The fills before the pass.
    pub fn unchanged(window: &FillWindow) -> NewFills {
        let row = |index: i32| *window.row(index / NewFills::ROWS - 1, index % NewFills::ROWS - 1);
        NewFills { rows: (0..NewFills::ROWS * NewFills::ROWS).map(row).collect() }
    }

    /// Row at `y` and `z`, each -1 to 32.
    #[inline]
    pub fn row(&self, y: i32, z: i32) -> &Row {
        &self.rows[((y + 1) * NewFills::ROWS + z + 1) as usize]
    }

    /// Row at `y` and `z`, mutable.
    pub fn row_mut(&mut self, y: i32, z: i32) -> &mut Row {
        &mut self.rows[((y + 1) * NewFills::ROWS + z + 1) as usize]
    }

    /// Layers and rows of a chunk and one voxel around it.
    pub const AROUND: Range<i32> = -1..NewFills::ROWS - 1;
}
