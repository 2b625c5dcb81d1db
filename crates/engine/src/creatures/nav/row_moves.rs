//! Moves that start in a row, for 32 places at a time.

use super::MAX_FALL;
use super::padded_rows::{INSIDE, PaddedRows};
use glam::IVec3;

/// Calls `each` with the offset of each two-way move from a row, and the bits of the places where
/// it is possible. Covers only moves towards higher x or z, and swimming upwards; the opposite
/// moves are reported from the rows of their targets.
#[inline]
pub(super) fn for_each_step(padded: &PaddedRows, y: i32, z: i32, mut each: impl FnMut(IVec3, u64)) {
    let place = padded.place(y, z);
    for (dx, dz) in [(1, 0), (0, 1)] {
        let side = |dy: i32| padded.place(y + dy, z + dz) >> dx;
        each(IVec3::new(dx, 0, dz), place & side(0));
        // The body must fit over both places at the height of the higher one.
        each(IVec3::new(dx, 1, dz), place & side(1) & padded.open(y + 2, z));
        each(IVec3::new(dx, -1, dz), place & side(-1) & padded.open(y + 1, z + dz) >> dx);
    }
    each(IVec3::Y, padded.swim(y, z) & padded.swim(y + 1, z));
}

/// Calls `each` with jumps over a gap of one voxel, in the form of [`for_each_step`].
#[inline]
pub(super) fn for_each_jump(padded: &PaddedRows, y: i32, z: i32, mut each: impl FnMut(IVec3, u64)) {
    let stand = padded.stand(y, z);
    for (dx, dz) in [(1, 0), (0, 1)] {
        for dy in -1..=1 {
            let top = y + dy.max(0);
            let gap = |y: i32| padded.open(y, z + dz) & !padded.place(y, z + dz);
            let gap =
                (gap(top) & padded.open(top + 1, z + dz) & !padded.place(top - 1, z + dz)) >> dx;
            let to = padded.stand(y + dy, z + 2 * dz) >> (2 * dx);
            // Head room over the lower place.
            let room = match dy {
                0 => u64::MAX,
                1 => padded.open(y + 2, z),
                _ => padded.open(y + 1, z + 2 * dz) >> (2 * dx),
            };
            each(IVec3::new(2 * dx, dy, 2 * dz), stand & gap & to & room);
        }
    }
}

/// Calls `each` with falls to all four sides, in the form of [`for_each_step`].
#[inline]
pub(super) fn for_each_fall(padded: &PaddedRows, y: i32, z: i32, mut each: impl FnMut(IVec3, u64)) {
    let place = padded.place(y, z);
    for (dx, dz) in [(1, 0), (-1, 0), (0, 1), (0, -1)] {
        let at_side = |bits: u64| if dx < 0 { bits << 1 } else { bits >> dx };
        let empty = |y: i32| at_side(padded.open(y, z + dz) & !padded.place(y, z + dz));
        let mut falls = place & empty(y) & at_side(padded.open(y + 1, z + dz)) & empty(y - 1);
        for depth in 2..=MAX_FALL {
            if falls & INSIDE == 0 {
                break;
            }
            each(IVec3::new(dx, -depth, dz), falls & at_side(padded.place(y - depth, z + dz)));
            falls &= empty(y - depth);
        }
    }
}
