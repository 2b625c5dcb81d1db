//! The open voxels of one face of a chunk: 32 x 32 voxels, one bit each.
//!
//! Two rooms on both sides of a face see each other through the bits that both masks have, so a
//! portal is found by one AND.

use crate::voxel::CHUNK_SIDE;

/// The axes `u` and `v` of a face, by the axis that is perpendicular to it.
pub(crate) const FACE_AXES: [[usize; 2]; 3] = [[2, 1], [0, 2], [0, 1]];

const SIDE: u8 = CHUNK_SIDE as u8;

/// A rectangle of voxels of a face around an opening, along `u` and `v`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct OpeningRect {
    /// First voxel along `u` and `v`.
    pub from: [u8; 2],
    /// End along `u` and `v`, exclusive.
    pub to: [u8; 2],
}

impl OpeningRect {
    /// The whole face.
    pub(crate) const FULL: OpeningRect = OpeningRect { from: [0; 2], to: [SIDE; 2] };
    /// A rectangle without voxels.
    pub(crate) const EMPTY: OpeningRect = OpeningRect { from: [SIDE; 2], to: [0; 2] };

    /// True if the rectangle has no voxels.
    #[must_use]
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.from[0] >= self.to[0] || self.from[1] >= self.to[1]
    }

    /// The common part of two rectangles.
    #[must_use]
    #[inline]
    pub fn intersection(&self, other: &OpeningRect) -> OpeningRect {
        OpeningRect {
            from: [self.from[0].max(other.from[0]), self.from[1].max(other.from[1])],
            to: [self.to[0].min(other.to[0]), self.to[1].min(other.to[1])],
        }
    }
}

/// The open voxels of a face, 32 rows of 32 bits. Bit `u + 32 * v` is the voxel at `(u, v)`: these
/// are (z, y) on a face across x, (x, z) across y and (x, y) across z.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Default)]
pub(crate) struct FaceMask([u64; 16]);

impl FaceMask {
    /// A face without open voxels.
    pub(crate) const EMPTY: FaceMask = FaceMask([0; 16]);

    /// Opens the voxels of row `v` whose bits are set in `bits`.
    #[inline]
    pub fn open(&mut self, v: usize, bits: u32) {
        self.0[v / 2] |= u64::from(bits) << (32 * (v % 2));
    }

    /// True if the voxel at `(u, v)` is open.
    #[cfg(test)]
    #[must_use]
    pub fn is_open(&self, u: usize, v: usize) -> bool {
        self.0[v / 2] >> (32 * (v % 2) + u) & 1 == 1
    }

    /// True if all voxels are open.
    #[must_use]
    pub fn is_full(&self) -> bool {
        self.0 == [u64::MAX; 16]
    }

    /// The smallest rectangle around the open voxels.
    #[must_use]
    pub fn bounds(&self) -> OpeningRect {
        self.shared_bounds(&FaceMask([u64::MAX; 16]))
    }

    /// The smallest rectangle around the voxels that are open in both masks.
    #[must_use]
    pub(crate) fn shared_bounds(&self, other: &FaceMask) -> OpeningRect {
        let both: [u64; 16] = std::array::from_fn(|i| self.0[i] & other.0[i]);
        let columns = both.iter().fold(0, |all, word| all | word);
        let columns = (columns | columns >> 32) as u32;
        // One bit per word that is not empty. Each word holds two rows.
        let mut words = 0u32;
        for (i, word) in both.iter().enumerate() {
            words |= u32::from(*word != 0) << i;
        }
        if words == 0 {
            return OpeningRect::EMPTY;
        }
        let first = words.trailing_zeros();
        let last = 31 - words.leading_zeros();
        let low = u32::from(both[first as usize] as u32 == 0);
        let high = u32::from(both[last as usize] >> 32 != 0);
        OpeningRect {
            from: [columns.trailing_zeros() as u8, (first * 2 + low) as u8],
            to: [(32 - columns.leading_zeros()) as u8, (last * 2 + high + 1) as u8],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_of_mask_are_tight() {
        assert!(FaceMask::EMPTY.bounds().is_empty());
        for (a, b) in [
            ((0, 0), (0, 0)),
            ((31, 31), (31, 31)),
            ((3, 4), (9, 4)),
            ((2, 11), (27, 3)),
            ((31, 0), (0, 31)),
        ] {
            let mut mask = FaceMask::EMPTY;
            for (u, v) in [a, b] {
                mask.open(v, 1 << u);
                assert!(mask.is_open(u, v));
            }
            let from = [a.0.min(b.0) as u8, a.1.min(b.1) as u8];
            let to = [a.0.max(b.0) as u8 + 1, a.1.max(b.1) as u8 + 1];
            assert_eq!(mask.bounds(), OpeningRect { from, to }, "{a:?} {b:?}");
        }
        let mut mask = FaceMask::EMPTY;
        for v in 0..32 {
            mask.open(v, u32::MAX);
        }
        assert!(mask.is_full() && mask.bounds() == OpeningRect::FULL);
    }

    #[test]
    fn shared_bounds_cover_voxels_open_in_both_masks() {
        let mut a = FaceMask::EMPTY;
        let mut b = FaceMask::EMPTY;
        a.open(3, 0b1111_0000);
        b.open(3, 0b0011_1100);
        b.open(9, 0xffff);
        assert_eq!(a.shared_bounds(&b), OpeningRect { from: [4, 3], to: [6, 4] });
        assert!(a.shared_bounds(&FaceMask::EMPTY).is_empty());
    }
}
