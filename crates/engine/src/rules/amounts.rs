//! Arithmetic on the deficits of many voxels at once: numbers of nine bits, one plane per bit.
//!
//! The deficit of a voxel is 256 minus its amount in 256ths: 0 for a full voxel, 256 for gas. The
//! planes hold deficits instead of amounts, because most voxels are full and then need no planes.

use super::rows::Rows;

/// Number of bits of the deficit: 255 minus the occupancy, 0 for air. The water of a wet voxel, in
/// 256ths, has as many.
pub(super) const DEFICIT_BITS: usize = 8;
/// Bits of a deficit. Gas has the deficit 256, which needs a ninth bit.
const BITS: usize = DEFICIT_BITS + 1;

/// One number from 0 to 511 per voxel of a block. Plane n holds bit n of every number.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Numbers(pub [Rows; BITS]);

impl Numbers {
    /// The deficits of voxels: 256 for gas, otherwise the number whose bits `plane` returns.
    #[inline(always)]
    pub(crate) fn deficits(gas: Rows, plane: impl Fn(usize) -> Rows) -> Numbers {
        Numbers(std::array::from_fn(
            |bit| if bit == DEFICIT_BITS { gas } else { plane(bit) & !gas },
        ))
    }

    /// The same number for all voxels, from 0 to 511.
    #[inline(always)]
    pub(crate) fn constant(number: u32) -> Numbers {
        Numbers(std::array::from_fn(|bit| Rows::splat(number >> bit & 1 == 1)))
    }

    /// Numbers below 256, whose bits `plane` returns.
    #[inline(always)]
    pub(crate) fn from_planes(plane: impl Fn(usize) -> Rows) -> Numbers {
        Numbers(std::array::from_fn(
            |bit| if bit == DEFICIT_BITS { Rows::NONE } else { plane(bit) },
        ))
    }

    /// These numbers where `mask` is set, and `other` elsewhere.
    #[inline(always)]
    pub(crate) fn or_where_not(self, mask: Rows, other: Numbers) -> Numbers {
        Numbers(std::array::from_fn(|bit| self.0[bit].or_where_not(mask, other.0[bit])))
    }

    /// The lower eight bits of the numbers where `mask` is set, and 0 elsewhere.
    #[inline(always)]
    pub(crate) fn low_bits(self, mask: Rows) -> Numbers {
        Numbers::from_planes(|bit| self.0[bit] & mask)
    }

    /// The voxels whose number is not 0.
    #[inline(always)]
    pub fn is_positive(self) -> Rows {
        Rows::any(&self.0)
    }

    /// The voxels whose numbers differ.
    #[inline(always)]
    pub fn differs(self, other: Numbers) -> Rows {
        self.0.into_iter().zip(other.0).fold(Rows::NONE, |any, (a, b)| any | a ^ b)
    }

    /// The voxels whose number is 256 or more.
    #[inline(always)]
    pub(crate) fn is_256(self) -> Rows {
        self.0[DEFICIT_BITS]
    }

    /// The sum and its carry, which is bit 9.
    #[inline(always)]
    pub fn plus(self, other: Numbers) -> (Numbers, Rows) {
        let mut sum = self;
        let mut carry = Rows::NONE;
        for (a, b) in sum.0.iter_mut().zip(other.0) {
            let either = *a ^ b;
            (*a, carry) = (either ^ carry, *a & b | either & carry);
        }
        (sum, carry)
    }

    /// The difference modulo 512, and the voxels whose number is less than the number in `other`.
    #[inline(always)]
    pub fn minus(self, other: Numbers) -> (Numbers, Rows) {
        let mut difference = self;
        let mut borrow = Rows::NONE;
        for (a, b) in difference.0.iter_mut().zip(other.0) {
            let differ = *a ^ b;
            (*a, borrow) = (differ ^ borrow, !*a & b | !differ & borrow);
        }
        (difference, borrow)
    }

    /// The voxels whose number exceeds the number in `other` by 2 or more.
    #[inline(always)]
    pub(crate) fn exceeds_by_two(self, other: Numbers) -> Rows {
        let mut borrow = Rows::NONE;
        let mut above_one = Rows::NONE;
        for (bit, (a, b)) in self.0.into_iter().zip(other.0).enumerate() {
            let differ = a ^ b;
            if bit > 0 {
                above_one |= differ ^ borrow;
            }
            borrow = !a & b | !differ & borrow;
        }
        above_one & !borrow
    }

    /// The voxels whose number is at most `limit`.
    #[inline(always)]
    pub(crate) fn is_at_most(self, limit: u32) -> Rows {
        let mut more = Rows::NONE;
        for (bit, rows) in self.0.into_iter().enumerate() {
            more = if limit >> bit & 1 == 1 { rows & more } else { rows | more };
        }
        !more
    }

    /// Halves of the numbers with `carry` as bit 9: rounded down, and rounded up.
    #[inline(always)]
    pub fn halves(self, carry: Rows) -> (Numbers, Numbers) {
        let down =
            Numbers(std::array::from_fn(
                |bit| if bit == DEFICIT_BITS { carry } else { self.0[bit + 1] },
            ));
        let mut add = self.0[0];
        let up = down.0.map(|bit| {
            let sum = bit ^ add;
            add &= bit;
            sum
        });
        (down, Numbers(up))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Planes of these numbers, one number per voxel.
    fn spread(numbers: &[u32]) -> Numbers {
        let mut planes = [Rows::NONE; BITS];
        for (voxel, number) in numbers.iter().enumerate() {
            for (bit, rows) in planes.iter_mut().enumerate() {
                rows.0[voxel / 32] |= (number >> bit & 1) << (voxel % 32);
            }
        }
        Numbers(planes)
    }

    fn number(of: &[Rows], voxel: usize) -> u32 {
        of.iter()
            .enumerate()
            .map(|(bit, rows)| (rows.0[voxel / 32] >> (voxel % 32) & 1) << bit)
            .sum()
    }

    #[test]
    fn arithmetic_equals_that_of_integers() {
        for shift in [0u32, 1, 2, 7, 100, 255] {
            let a: Vec<u32> = (0..256).map(|n| n * 37 % 257).collect();
            let b: Vec<u32> = (0..256u32)
                .map(|n| (a[n as usize] + shift * (n % 2) + 257 - n % 3) % 257)
                .collect();
            let left = spread(&a);
            let right = spread(&b);
            let (sum, carry) = left.plus(right);
            let (down, up) = sum.halves(carry);
            let sums = [&sum.0[..], &[carry]].concat();
            let (difference, is_less) = left.minus(right);
            let constant = Numbers::constant(shift);
            for voxel in 0..256 {
                let x = a[voxel];
                let y = b[voxel];
                let is = |rows: Rows| rows.0[voxel / 32] >> (voxel % 32) & 1 == 1;
                assert_eq!(number(&sums, voxel), x + y);
                assert_eq!(number(&down.0, voxel), (x + y) / 2);
                assert_eq!(number(&up.0, voxel), (x + y).div_ceil(2));
                assert_eq!(number(&difference.0, voxel), x.wrapping_sub(y) % 512);
                assert_eq!(is(is_less), x < y, "{x} {y}");
                assert_eq!(number(&constant.0, voxel), shift);
                assert_eq!(is(left.exceeds_by_two(right)), x >= y + 2, "{x} {y}");
                assert_eq!(is(left.is_positive()), x > 0);
                assert_eq!(is(left.differs(right)), x != y);
                assert_eq!(is(left.is_at_most(shift)), x <= shift, "{x} {shift}");
            }
        }
    }
}
