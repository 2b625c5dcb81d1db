//! Boxes of voxels.

use super::{CHUNK_SIDE, ChunkPos, linear_offset};
use glam::{I64Vec3, IVec3, Vec3Swizzles as _};
use std::ops::Range;

/// A box of voxels in the world: from `min` up to but not including `max`.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Box3 {
    /// Lowest voxel.
    pub min: IVec3,
    /// One past the highest voxel.
    pub max: IVec3,
}

impl Box3 {
    /// Box that spans two corner voxels, both included, given in any order.
    #[must_use]
    pub fn spanning(a: IVec3, b: IVec3) -> Box3 {
        Box3 { min: a.min(b), max: a.max(b).saturating_add(IVec3::ONE) }
    }

    /// Sides in voxels, each clamped to `0..=i32::MAX`.
    #[must_use]
    pub fn size(self) -> IVec3 {
        self.max.saturating_sub(self.min).max(IVec3::ZERO)
    }

    /// Number of voxels inside, clamped to `u64::MAX`.
    #[must_use]
    pub fn volume(self) -> u64 {
        let s = (self.max.as_i64vec3() - self.min.as_i64vec3()).max(I64Vec3::ZERO).as_u64vec3();
        (s.x * s.y).saturating_mul(s.z)
    }

    /// True if the box contains no voxel.
    #[must_use]
    pub fn is_empty(self) -> bool {
        self.volume() == 0
    }

    /// True if `voxel` lies inside.
    #[must_use]
    pub fn contains(self, voxel: IVec3) -> bool {
        voxel.cmpge(self.min).all() && voxel.cmplt(self.max).all()
    }

    /// Box of the voxels in both boxes.
    #[must_use]
    pub fn intersection(self, other: Box3) -> Box3 {
        Box3 { min: self.min.max(other.min), max: self.max.min(other.max) }
    }

    /// Smallest box around both boxes; neither may be empty.
    #[must_use]
    pub fn around(self, other: Box3) -> Box3 {
        Box3 { min: self.min.min(other.min), max: self.max.max(other.max) }
    }

    /// Smallest box, in world coordinates, that contains all `ranges` of linear indices in the
    /// chunk at `pos`. The ranges must not be empty. `None` if there are no ranges.
    #[must_use]
    pub(crate) fn around_ranges(
        pos: ChunkPos,
        ranges: impl IntoIterator<Item = Range<usize>>,
    ) -> Option<Box3> {
        let Box3 { min, max } = ranges.into_iter().map(Box3::around_range).reduce(Box3::around)?;
        Some(Box3 { min: pos.origin() + min, max: pos.origin() + max })
    }

    /// Smallest box, in chunk coordinates, that contains a range of linear indices. The range must
    /// not be empty.
    #[must_use]
    pub(crate) fn around_range(range: Range<usize>) -> Box3 {
        let first = linear_offset(range.start);
        let last = linear_offset(range.end - 1);
        // A range that continues in the next row or layer spans the full width of the row or layer.
        let row = first.yz() == last.yz();
        let layer = first.y == last.y;
        let side = CHUNK_SIDE - 1;
        let low =
            IVec3::new(if row { first.x } else { 0 }, first.y, if layer { first.z } else { 0 });
        let high =
            IVec3::new(if row { last.x } else { side }, last.y, if layer { last.z } else { side });
        Box3 { min: low, max: high + 1 }
    }

    /// Box, in chunks, of the chunks that contain at least one voxel of this box.
    #[must_use]
    pub fn in_chunks(self) -> Box3 {
        if self.is_empty() {
            return Box3 { min: IVec3::ZERO, max: IVec3::ZERO };
        }
        let chunk = |voxel: IVec3| ChunkPos::containing(voxel).as_ivec3();
        Box3 { min: chunk(self.min), max: chunk(self.max - IVec3::ONE) + IVec3::ONE }
    }

    /// Chunks that contain at least one voxel of the box: x fastest, then z, then y.
    pub fn chunks(self) -> impl Iterator<Item = ChunkPos> {
        let Box3 { min, max } = self.in_chunks();
        (min.y..max.y).flat_map(move |y| {
            (min.z..max.z).flat_map(move |z| (min.x..max.x).map(move |x| ChunkPos::new(x, y, z)))
        })
    }
}

impl ChunkPos {
    /// Box of the chunk's voxels, in world coordinates.
    #[must_use]
    pub fn bounds(self) -> Box3 {
        let min = self.origin();
        Box3 { min, max: min + IVec3::splat(CHUNK_SIDE) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::WORLD_LIMIT;

    #[test]
    fn box_lists_each_chunk_it_touches() {
        let b = Box3::spanning(IVec3::new(-1, 0, 0), IVec3::new(0, 0, 32));
        let chunks: Vec<_> = b.chunks().collect();
        assert_eq!(chunks.len(), 4);
        assert_eq!(Box3 { min: IVec3::ZERO, max: IVec3::ZERO }.chunks().count(), 0);
        assert_eq!(Box3 { min: IVec3::MIN, max: IVec3::MIN }.chunks().count(), 0);
    }

    #[test]
    fn extreme_boxes_do_not_overflow() {
        let all = Box3 { min: IVec3::MIN, max: IVec3::MAX };
        assert_eq!((all.size(), all.volume(), all.is_empty()), (IVec3::MAX, u64::MAX, false));
        let inverted = Box3 { min: IVec3::MAX, max: IVec3::MIN };
        assert_eq!(
            (inverted.size(), inverted.volume(), inverted.is_empty()),
            (IVec3::ZERO, 0, true)
        );
        assert_eq!(inverted.chunks().count(), 0);
        assert!(all.contains(IVec3::MIN));
        assert_eq!(Box3::spanning(IVec3::MAX, IVec3::ZERO).max, IVec3::MAX);
        let slab =
            Box3 { min: IVec3::new(-WORLD_LIMIT, 0, 0), max: IVec3::new(WORLD_LIMIT - 1, 2, 3) };
        assert_eq!(slab.volume(), ((1u64 << 31) - 1) * 6);
    }
}
