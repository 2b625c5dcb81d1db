//! A box of voxels as ranges of linear order.

use crate::voxel::linear_index;
use glam::IVec3;
use std::ops::Range;

/// Ranges of linear indices that make up the box `lo..hi` inside a chunk. Adjacent whole rows and
/// whole layers are joined into one range.
pub fn row_ranges(lo: IVec3, hi: IVec3) -> impl Iterator<Item = Range<usize>> + Clone {
    let whole_rows = lo.x == 0 && hi.x == 32;
    let whole_layers = whole_rows && lo.z == 0 && hi.z == 32;
    let y_end = if whole_layers { lo.y + 1 } else { hi.y };
    let z_end = if whole_rows { lo.z + 1 } else { hi.z };
    (lo.y..y_end).flat_map(move |y| {
        (lo.z..z_end).map(move |z| {
            let last = IVec3::new(
                hi.x - 1,
                if whole_layers { hi.y - 1 } else { y },
                if whole_rows { hi.z - 1 } else { z },
            );
            linear_index(IVec3::new(lo.x, y, z))..linear_index(last) + 1
        })
    })
}
