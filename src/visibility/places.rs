//! Where what is known of a chunk lies in arrays that follow the player.
//!
//! A box of chunks, each at a place of its own that depends on its position alone: along each axis the position modulo the box's
//! side. Who moves the box by a chunk keeps all but one layer of it where it was (a torus, as in clipmaps).

use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;

/// The places of the chunks in a box: numbers from 0, x fastest, then z, then y.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Places {
    /// In chunks.
    bounds: Box3,
    size: IVec3,
    /// Where the box's lowest corner lies, along each axis.
    phase: IVec3,
}

impl Places {
    /// Of the chunks in `bounds` (in chunks), whose sides are made even, so that blocks of 2^3 chunks stay together.
    #[must_use]
    pub fn new(bounds: Box3) -> Places {
        let size = bounds.size() + (bounds.size() & 1);
        Places { bounds: Box3 { min: bounds.min, max: bounds.min + size }, size, phase: bounds.min.rem_euclid(size) }
    }

    /// The places of a box of the same size whose lowest corner is `min`.
    #[must_use]
    pub fn moved(&self, min: IVec3) -> Places {
        Places::new(Box3 { min, max: min + self.size })
    }

    /// The box, in chunks.
    #[must_use]
    pub fn bounds(&self) -> Box3 {
        self.bounds
    }

    /// How many there are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.size.element_product() as usize
    }

    /// True if the box is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The place of a chunk; none if it is outside of the box.
    #[must_use]
    #[inline]
    pub fn index(&self, pos: ChunkPos) -> Option<usize> {
        let pos = pos.as_ivec3();
        if !self.bounds.contains(pos) {
            return None;
        }
        let at = pos - self.bounds.min + self.phase;
        let at = IVec3::select(at.cmpge(self.size), at - self.size, at);
        Some(((at.y * self.size.z + at.z) * self.size.x + at.x) as usize)
    }

    /// The chunk at a place.
    #[must_use]
    pub fn position(&self, index: usize) -> ChunkPos {
        let (i, size) = (index as i32, self.size);
        let at = IVec3::new(i % size.x, i / size.x / size.z, i / size.x % size.z) - self.phase;
        let at = self.bounds.min + IVec3::select(at.cmplt(IVec3::ZERO), at + size, at);
        ChunkPos::new(at.x, at.y, at.z)
    }

    /// The parts of the place of a chunk that is `steps` chunks on along each axis, for 0 steps to `most`: their sum is its
    /// place, as long as it is in the box.
    pub(super) fn ahead(&self, from: ChunkPos, signs: IVec3, most: i32) -> impl Iterator<Item = [u32; 3]> {
        let stride = IVec3::new(1, self.size.x * self.size.z, self.size.x);
        let (size, from) = (self.size, from.as_ivec3());
        (0..=most).map(move |steps| ((from + signs * steps).rem_euclid(size) * stride).as_uvec3().to_array())
    }

    /// The place that follows one along an axis; behind the box's last layer comes its first.
    pub(super) fn next(&self, index: usize, axis: usize) -> usize {
        self.shifted(index, axis, 1)
    }

    /// The place before one along an axis; before the box's first layer comes its last.
    pub(super) fn before(&self, index: usize, axis: usize) -> usize {
        self.shifted(index, axis, self.size[axis] - 1)
    }

    /// The place so many steps on along an axis, less than the box is long, and around its end.
    fn shifted(&self, index: usize, axis: usize, steps: i32) -> usize {
        let i = index as i32;
        let (stride, at) = match axis {
            0 => (1, i % self.size.x),
            1 => (self.size.x * self.size.z, i / self.size.x / self.size.z),
            _ => (self.size.x, i / self.size.x % self.size.z),
        };
        let around = if at + steps >= self.size[axis] { self.size[axis] } else { 0 };
        (i + (steps - around) * stride) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_chunk_stays_where_it_is() {
        let mut places = Places::new(Box3 { min: IVec3::new(-3, -2, 5), max: IVec3::new(4, 1, 9) });
        assert_eq!((places.len(), places.bounds().size()), (8 * 4 * 4, IVec3::new(8, 4, 4)));
        for min in [IVec3::new(-2, -2, 5), IVec3::new(1, -3, 7), IVec3::new(-90, 40, 1000)] {
            let next = places.moved(min);
            for index in 0..places.len() {
                let pos = places.position(index);
                assert_eq!(places.index(pos), Some(index));
                assert!(next.index(pos).is_none_or(|there| there == index), "{pos:?}");
                for axis in 0..3 {
                    let mut beyond = pos.as_ivec3();
                    beyond[axis] += 1;
                    let beyond = places.index(ChunkPos::new(beyond.x, beyond.y, beyond.z));
                    assert!(beyond.is_none_or(|beyond| beyond == places.next(index, axis)));
                    assert_eq!(places.before(places.next(index, axis), axis), index);
                }
            }
            let from = ChunkPos::new(min.x + 5, min.y + 2, min.z + 3);
            let signs = IVec3::new(-1, 1, -1);
            let ahead: Vec<_> = next.ahead(from, signs, 5).collect();
            let there = ahead[4][0] + ahead[1][1] + ahead[2][2];
            assert_eq!(next.index(from.offset(signs * IVec3::new(4, 1, 2))), Some(there as usize));
            places = next;
        }
        assert_eq!(places.index(ChunkPos::new(-91, 40, 1000)), None);
    }
}
