//! Moves of the surface by less than a voxel: grown, shrunk and sculpted fills.

use super::fill_window::{FillWindow, Row, STRIDE};
use glam::IVec3;

/// The six face neighbours of a row's voxels, the voxels themselves not among them.
fn neighbours(window: &FillWindow, [y, z]: [i32; 2]) -> [Row; 6] {
    let row = window.row(y, z);
    let mut low = [0; STRIDE];
    let mut high = [0; STRIDE];
    low[1..].copy_from_slice(&row[..STRIDE - 1]);
    high[..STRIDE - 1].copy_from_slice(&row[1..]);
    [
        low,
        high,
        *window.row(y - 1, z),
        *window.row(y + 1, z),
        *window.row(y, z - 1),
        *window.row(y, z + 1),
    ]
}

/// Fills grown by `by`: `max(f, f + M - 256 + by)` with the largest fill M of the face neighbours.
pub(super) fn grown(window: &FillWindow, at: [i32; 2], by: &Row) -> Row {
    let neighbours = neighbours(window, at);
    let before = window.row(at[0], at[1]);
    let mut after = [0; STRIDE];
    for i in 0..STRIDE {
        let mut largest = 0;
        for row in &neighbours {
            largest = row[i].max(largest);
        }
        let fill = before[i];
        after[i] = (fill + largest - 256 + by[i]).clamp(fill, 256);
    }
    after
}

/// Fills shrunk by `by`: `min(f, f + m - by)` with the smallest fill m of the face neighbours.
pub(super) fn shrunk(window: &FillWindow, at: [i32; 2], by: &Row) -> Row {
    let neighbours = neighbours(window, at);
    let before = window.row(at[0], at[1]);
    let mut after = [0; STRIDE];
    for i in 0..STRIDE {
        let mut smallest = 256;
        for row in &neighbours {
            smallest = row[i].max(0).min(smallest);
        }
        let fill = before[i].max(0);
        after[i] = (fill + smallest - by[i]).clamp(0, fill);
    }
    after
}

/// Fills pulled along a direction by `by`, or pushed against it.
pub(super) fn sculpted(
    window: &FillWindow,
    at: [i32; 2],
    by: &Row,
    normal: IVec3,
    pushes: bool,
) -> Row {
    let [west, east, down, up, north, south] = neighbours(window, at);
    // The neighbours that matter comes from, or that it leaves to.
    let forward = |component: i32| (component > 0) != pushes;
    let sides = [
        if forward(normal.x) { west } else { east },
        if forward(normal.y) { down } else { up },
        if forward(normal.z) { north } else { south },
    ];
    let parts = normal.abs().to_array();
    let total: i32 = parts.iter().sum();
    let before = window.row(at[0], at[1]);
    let mut after = [0; STRIDE];
    for i in 0..STRIDE {
        let mut sum = total / 2;
        for (side, part) in sides.iter().zip(parts) {
            sum += i32::from(side[i].max(0)) * part;
        }
        let mean = (sum / total) as i16;
        let fill = before[i].max(0);
        after[i] = if pushes {
            (fill + mean - by[i]).clamp(0, fill)
        } else {
            (fill + mean - 256 + by[i]).clamp(fill, 256)
        };
    }
    after
}
