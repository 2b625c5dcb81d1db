//! Rows of voxels as the Moore walk keeps them.

use super::RowSource;
use crate::voxel::{Box3, CHUNK_SIDE, Voxel};
use glam::IVec3;

/// Number of voxels of a row that are handled as one word: a chunk's side, so that segments align
/// with chunk borders.
pub(super) const SEGMENT: usize = CHUNK_SIDE as usize;
/// Length of a segment with one more voxel on each side.
const PADDED: usize = SEGMENT + 2;

/// One segment of a row, with one more voxel on each side.
#[derive(Clone)]
pub(super) struct RowSegment {
    /// Bit k is set if voxel k differs from voxel k - 1; voxel 0 is before the segment.
    pub changes: u64,
    /// Values of the voxels.
    pub voxels: [Voxel; PADDED],
}

impl RowSegment {
    /// Creates a segment of one value.
    pub fn uniform(voxel: Voxel) -> RowSegment {
        RowSegment { changes: 0, voxels: [voxel; PADDED] }
    }
}

/// One layer of rows: z from one before the box to one past it, and for each z the segments along
/// x.
#[derive(Clone, Default)]
pub(super) struct RowLayer {
    /// The segments; stale if the layer is uniform.
    pub rows: Vec<RowSegment>,
    /// Value of the whole layer, if it has only one.
    pub uniform: Option<Voxel>,
}

impl RowLayer {
    /// Reads layer `y` of `bounds`, with one more voxel on each side in x and z.
    pub fn read(&mut self, source: &impl RowSource, bounds: Box3, y: i32) {
        let size = bounds.size();
        let area = Box3 {
            min: IVec3::new(bounds.min.x - 1, y, bounds.min.z - 1),
            max: IVec3::new(bounds.max.x + 1, y + 1, bounds.max.z + 1),
        };
        self.uniform = source.uniform_in(area);
        if self.uniform.is_some() {
            return;
        }
        let segments = (size.x as usize).div_ceil(SEGMENT);
        self.rows.resize(segments * (size.z as usize + 2), RowSegment::uniform(Voxel::AIR));
        let mut rows = self.rows.iter_mut();
        let mut changed = 0;
        let mut first = None;
        let mut same = true;
        for z in area.min.z..area.max.z {
            for segment in 0..segments {
                let x = bounds.min.x + (segment * SEGMENT) as i32;
                let len = (bounds.max.x - x).min(SEGMENT as i32) as usize + 2;
                let Some(row) = rows.next() else { return };
                row.changes = 0;
                let mut at = 0;
                source.row_runs(IVec3::new(x - 1, y, z), len as u32, |n, voxel| {
                    if at > 0 && row.voxels[at - 1] != voxel {
                        row.changes |= 1 << at;
                    }
                    let end = at + n as usize;
                    row.voxels[at..end].fill(voxel);
                    at = end;
                });
                changed |= row.changes;
                same &= *first.get_or_insert(row.voxels[0]) == row.voxels[0];
            }
        }
        if changed == 0 && same {
            self.uniform = first;
        }
    }
}
