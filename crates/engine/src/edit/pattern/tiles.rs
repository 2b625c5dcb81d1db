//! Patterns of copied voxels.

use crate::edit::clipboard::Clipboard;
use crate::voxel::{Box3, Voxel};
use glam::IVec3;

/// The box around a clipboard, repeated along all three axes. Positions that do not belong to the
/// clipboard are air.
#[derive(Clone, Debug)]
pub struct Tiles {
    clipboard: Clipboard,
    offset: IVec3,
}

/// Equal if the offsets and the clipboards' voxels are equal.
impl PartialEq for Tiles {
    fn eq(&self, other: &Tiles) -> bool {
        self.offset == other.offset
            && self.clipboard.grid_bounds() == other.clipboard.grid_bounds()
            && self.clipboard.clipped_chunks().eq(other.clipboard.clipped_chunks())
    }
}

impl Tiles {
    /// Tiles where the lowest corner of one box lies at -`offset`, as in WorldEdit.
    #[must_use]
    pub fn new(clipboard: Clipboard, offset: IVec3) -> Tiles {
        Tiles { clipboard, offset }
    }

    /// True if `accepts` holds for a copied voxel, or for air if the copy does not fill its box.
    pub(super) fn may_put(&self, mut accepts: impl FnMut(Voxel) -> bool) -> bool {
        let has_gaps = || self.clipboard.volume() < self.clipboard.grid_bounds().volume();
        accepts(Voxel::AIR) && has_gaps()
            || self.clipboard.runs_by_chunk().any(|mut runs| runs.any(&mut accepts))
    }

    pub(super) fn at(&self, at: IVec3) -> Voxel {
        self.run_along_x(at).0
    }

    /// Voxel at a position, and a lower bound of the number of equal voxels from there along x.
    pub(super) fn run_along_x(&self, at: IVec3) -> (Voxel, usize) {
        let bounds @ Box3 { min, .. } = self.clipboard.grid_bounds();
        if bounds.is_empty() {
            return (Voxel::AIR, usize::MAX);
        }
        let size = bounds.size().as_i64vec3();
        let within = (at.as_i64vec3() + self.offset.as_i64vec3()).rem_euclid(size);
        let (voxel, len) = self.clipboard.run_along_x(min + within.as_ivec3());
        (voxel, len.min((size.x - within.x) as usize))
    }
}
