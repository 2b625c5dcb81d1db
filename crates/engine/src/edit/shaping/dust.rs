//! Dust: ground too thin to have a surface, which is cleared.

use super::fill_window::{FillWindow, index_of};
use super::kernel::NewFills;
use crate::voxel::{CHUNK_SIDE, Face};
use glam::IVec3;

/// Fill from which a voxel is inside the surface.
const INSIDE: i16 = 128;

/// Clears dust in a chunk: ground of less than half a voxel that has no face neighbour of at least
/// half a voxel. Dust stays where neither it nor a face neighbour changes.
///
/// A voxel with less than half a voxel moves the surface only between itself and a face neighbour
/// inside it, so dust is matter without a trace in the picture.
pub(super) fn clear(window: &FillWindow, after: &mut NewFills, layers: std::ops::Range<i32>) {
    let mut cleared = Vec::new();
    // A neighbouring layer of a changed one may turn to dust.
    for y in (layers.start - 1).max(0)..(layers.end + 1).min(CHUNK_SIDE) {
        for z in 0..CHUNK_SIDE {
            let row = after.row(y, z);
            // Most rows have no small fill, and are checked by whole registers.
            let mut has_small = false;
            for &fill in &row[index_of(0)..index_of(CHUNK_SIDE)] {
                has_small |= 0 < fill && fill < INSIDE;
            }
            if !has_small {
                continue;
            }
            for x in 0..CHUNK_SIDE {
                let fill = row[index_of(x)];
                let at = IVec3::new(x, y, z);
                if 0 < fill && fill < INSIDE && is_new_dust(window, after, at) {
                    cleared.push(at);
                }
            }
        }
    }
    // After all were found: clearing one may undo its change, which decides about its neighbours.
    for at in cleared {
        after.row_mut(at.y, at.z)[index_of(at.x)] = 0;
    }
}

fn is_new_dust(window: &FillWindow, after: &NewFills, at: IVec3) -> bool {
    let fill = |at: IVec3| after.row(at.y, at.z)[index_of(at.x)];
    let before = |at: IVec3| window.row(at.y, at.z)[index_of(at.x)];
    let mut is_changed = fill(at) != before(at);
    for face in Face::ALL {
        let next = at + face.normal();
        if fill(next) >= INSIDE {
            return false;
        }
        is_changed |= fill(next) != before(next);
    }
    is_changed
}
