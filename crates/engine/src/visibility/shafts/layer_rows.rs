//! The open voxels in a part of a plane, found by rows of 32 bits.

use super::grain;
use crate::visibility::occluders::Occluders;
use crate::voxel::local_coord;
use std::ops::Range;

/// The rows of a chunk, and its hidden sections, one bit each.
#[derive(Clone, Copy)]
pub(crate) struct LayerRows<'a> {
    pub occluders: &'a Occluders,
    pub hidden: u8,
}

impl LayerRows<'_> {
    /// Rows without open voxels.
    pub(crate) const CLOSED: LayerRows<'static> =
        LayerRows { occluders: &Occluders::All, hidden: u8::MAX };

    /// The closed voxels of a row: [`Occluders::row`] and hidden sections.
    #[inline]
    fn row(self, y: i32, z: i32) -> u32 {
        self.occluders.row(y, z) | grain::hidden_row(self.hidden, y, z)
    }

    /// True if all voxels are open.
    #[inline]
    fn are_open(self) -> bool {
        self.hidden == 0 && matches!(self.occluders, Occluders::None)
    }
}

/// The open voxels in a part of a plane.
pub(crate) struct OpenRows {
    /// Rows from the first to the last one with an open voxel.
    pub rows: Range<i32>,
    /// Union of the open voxels of all rows.
    pub bits: u32,
}

impl OpenRows {
    /// Finds the open voxels among the bits `wanted` of `rows`, in two layers across the axis `A`.
    /// A voxel must be open in both. Returns `None` if nothing is open.
    #[inline]
    pub(crate) fn in_layers<const A: usize>(
        layers: [(LayerRows, i32); 2],
        rows: Range<i32>,
        wanted: u32,
    ) -> Option<OpenRows> {
        if layers.iter().any(|(all, _)| matches!(all.occluders, Occluders::All)) {
            return None;
        }
        if layers.iter().all(|(all, _)| all.are_open()) {
            return Some(OpenRows { rows, bits: wanted });
        }
        let open = |row: i32| {
            let closed = layers.map(|(all, layer)| match A {
                1 => all.row(layer, local_coord(row)),
                _ => all.row(local_coord(row), layer),
            });
            !(closed[0] | closed[1]) & wanted
        };
        let mut left = rows;
        let first = left.find(|&row| open(row) != 0)?;
        let last = left.rfind(|&row| open(row) != 0).unwrap_or(first);
        let mut bits = open(first) | open(last);
        // `left` holds the rows between the first and the last.
        for row in left {
            if bits == wanted {
                break;
            }
            bits |= open(row);
        }
        Some(OpenRows { rows: first..last + 1, bits })
    }
}

/// Splits a range of voxels at chunk borders.
#[inline]
pub(crate) fn by_chunk(from: i32, to: i32) -> impl Iterator<Item = Range<i32>> {
    let mut at = from;
    std::iter::from_fn(move || {
        let start = at;
        at = to.min((at | 31) + 1);
        (start < to).then_some(start..at)
    })
}
