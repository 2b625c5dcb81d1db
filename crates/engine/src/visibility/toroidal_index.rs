//! Array slots for the chunks of a box that follows the player.
//!
//! The slot of a chunk depends on its position alone: on each axis it is the position modulo the
//! size of the box. When the box moves by one chunk, all but one layer of chunks keep their slots
//! (a torus, as in clipmaps).

use crate::voxel::{Box3, ChunkPos};
use glam::IVec3;

/// Maps the chunks in a box to slots: numbers from 0, x fastest, then z, then y.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ToroidalIndex {
    /// The box, in chunks.
    bounds: Box3,
    size: IVec3,
    /// Slot coordinates of the box's lowest corner.
    phase: IVec3,
}

impl ToroidalIndex {
    /// Indexes the chunks in `bounds` (in chunks). Rounds the sides up to even numbers, so that
    /// blocks of 2^3 chunks stay together.
    #[must_use]
    pub fn new(bounds: Box3) -> ToroidalIndex {
        let size = bounds.size() + (bounds.size() & 1);
        ToroidalIndex {
            bounds: Box3 { min: bounds.min, max: bounds.min + size },
            size,
            phase: bounds.min.rem_euclid(size),
        }
    }

    /// The index of a box of the same size whose lowest corner is `min`.
    #[must_use]
    pub(crate) fn moved_to(&self, min: IVec3) -> ToroidalIndex {
        ToroidalIndex::new(Box3 { min, max: min + self.size })
    }

    /// The box, in chunks.
    #[must_use]
    pub fn bounds(&self) -> Box3 {
        self.bounds
    }

    /// Number of slots.
    #[must_use]
    pub fn len(&self) -> usize {
        self.size.element_product() as usize
    }

    /// True if the box is empty.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The slot of a chunk; `None` if the chunk is outside the box.
    #[must_use]
    #[inline]
    pub fn slot(&self, pos: ChunkPos) -> Option<usize> {
        let pos = pos.as_ivec3();
        if !self.bounds.contains(pos) {
            return None;
        }
        let at = pos - self.bounds.min + self.phase;
        let at = IVec3::select(at.cmpge(self.size), at - self.size, at);
        Some(((at.y * self.size.z + at.z) * self.size.x + at.x) as usize)
    }

    /// The chunk in a slot.
    #[must_use]
    pub fn position(&self, slot: usize) -> ChunkPos {
        let i = slot as i32;
        let size = self.size;
        let at = IVec3::new(i % size.x, i / size.x / size.z, i / size.x % size.z) - self.phase;
        let at = self.bounds.min + IVec3::select(at.cmplt(IVec3::ZERO), at + size, at);
        ChunkPos::new(at.x, at.y, at.z)
    }

    /// Yields the terms of the slots of chunks 0 to `max_steps` steps from `from` along each axis,
    /// in the directions of `signs`. The slot of a chunk in the box is the sum of one term per
    /// axis.
    pub(super) fn slot_terms(
        &self,
        from: ChunkPos,
        signs: IVec3,
        max_steps: i32,
    ) -> impl Iterator<Item = [u32; 3]> {
        let stride = IVec3::new(1, self.size.x * self.size.z, self.size.x);
        let size = self.size;
        let from = from.as_ivec3();
        (0..=max_steps).map(move |steps| {
            ((from + signs * steps).rem_euclid(size) * stride).as_uvec3().to_array()
        })
    }

    /// The slot after `slot` along an axis; the first layer follows the last.
    pub(super) fn next(&self, slot: usize, axis: usize) -> usize {
        self.shifted(slot, axis, 1)
    }

    /// The slot before `slot` along an axis; the last layer precedes the first.
    pub(super) fn previous(&self, slot: usize, axis: usize) -> usize {
        self.shifted(slot, axis, self.size[axis] - 1)
    }

    /// The slot `steps` ahead along an axis, wrapping around. `steps` is less than the box's size.
    fn shifted(&self, slot: usize, axis: usize, steps: i32) -> usize {
        let i = slot as i32;
        let (stride, at) = match axis {
            0 => (1, i % self.size.x),
            1 => (self.size.x * self.size.z, i / self.size.x / self.size.z),
            _ => (self.size.x, i / self.size.x % self.size.z),
        };
        let wrap = if at + steps >= self.size[axis] { self.size[axis] } else { 0 };
        (i + (steps - wrap) * stride) as usize
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moved_index_keeps_slots_of_remaining_chunks() {
        let mut index =
            ToroidalIndex::new(Box3 { min: IVec3::new(-3, -2, 5), max: IVec3::new(4, 1, 9) });
        assert_eq!((index.len(), index.bounds().size()), (8 * 4 * 4, IVec3::new(8, 4, 4)));
        for min in [IVec3::new(-2, -2, 5), IVec3::new(1, -3, 7), IVec3::new(-90, 40, 1000)] {
            let moved = index.moved_to(min);
            for slot in 0..index.len() {
                let pos = index.position(slot);
                assert_eq!(index.slot(pos), Some(slot));
                assert!(moved.slot(pos).is_none_or(|there| there == slot), "{pos:?}");
                for axis in 0..3 {
                    let mut beyond = pos.as_ivec3();
                    beyond[axis] += 1;
                    let beyond = index.slot(ChunkPos::new(beyond.x, beyond.y, beyond.z));
                    assert!(beyond.is_none_or(|beyond| beyond == index.next(slot, axis)));
                    assert_eq!(index.previous(index.next(slot, axis), axis), slot);
                }
            }
            let from = ChunkPos::new(min.x + 5, min.y + 2, min.z + 3);
            let signs = IVec3::new(-1, 1, -1);
            let terms: Vec<_> = moved.slot_terms(from, signs, 5).collect();
            let sum = terms[4][0] + terms[1][1] + terms[2][2];
            assert_eq!(moved.slot(from.offset(signs * IVec3::new(4, 1, 2))), Some(sum as usize));
            index = moved;
        }
        assert_eq!(index.slot(ChunkPos::new(-91, 40, 1000)), None);
    }
}
