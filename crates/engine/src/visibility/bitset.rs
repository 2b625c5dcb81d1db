//! Sets of small numbers, one bit per number, in words of 64.
//!
//! The sets of this module are indexed by chunk slot, by room node or by cell. They are slices,
//! because rows of a matrix and decoded records are sets too: a type that owns its words, such as
//! `FixedBitSet` of the crate `fixedbitset`, would copy them, and counts more slowly
//! (docs/measurements.md).

use crate::bits::set_bits;

/// Bits of a word.
pub(super) const WORD_BITS: usize = u64::BITS as usize;

/// An empty set for numbers below `end`.
#[must_use]
pub fn empty(end: usize) -> Vec<u64> {
    vec![0; end.div_ceil(64)]
}

/// True if `index` is in the set. Numbers beyond the end of `bits` are not.
#[must_use]
#[inline]
pub fn contains(bits: &[u64], index: usize) -> bool {
    bits.get(index / 64).is_some_and(|word| word >> (index % 64) & 1 == 1)
}

/// Adds `index` to the set and returns true if it was absent. Panics if it is beyond the end.
#[inline]
pub fn insert(bits: &mut [u64], index: usize) -> bool {
    let word = &mut bits[index / 64];
    let is_new = *word >> (index % 64) & 1 == 0;
    *word |= 1 << (index % 64);
    is_new
}

/// Removes `index` from the set. Panics if it is beyond the end.
#[inline]
pub fn remove(bits: &mut [u64], index: usize) {
    bits[index / 64] &= !(1 << (index % 64));
}

/// Number of members.
#[must_use]
pub fn count(bits: &[u64]) -> u64 {
    bits.iter().map(|word| u64::from(word.count_ones())).sum()
}

/// Number of members of `bits` that are not in `others`.
#[must_use]
pub fn count_beyond(bits: &[u64], others: &[u64]) -> u64 {
    let others = others.iter().chain(std::iter::repeat(&0));
    bits.iter().zip(others).map(|(word, other)| u64::from((word & !other).count_ones())).sum()
}

/// The members, in ascending order.
#[inline]
pub fn members(bits: &[u64]) -> impl Iterator<Item = usize> {
    bits.iter()
        .enumerate()
        .flat_map(|(i, &word)| set_bits(word).map(move |bit| i * 64 + bit as usize))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bitset_operations_match_set_semantics() {
        let mut bits = empty(201);
        for index in [3, 64, 200, 63, 3] {
            let was_present = contains(&bits, index);
            assert_eq!(insert(&mut bits, index), !was_present);
        }
        assert_eq!(members(&bits).collect::<Vec<_>>(), [3, 63, 64, 200]);
        assert_eq!(
            (count(&bits), contains(&bits, 65), contains(&bits, 1 << 30)),
            (4, false, false)
        );
        assert_eq!(
            (count_beyond(&bits, &[8]), count_beyond(&[9], &bits), count_beyond(&bits, &bits)),
            (3, 1, 0)
        );
        remove(&mut bits, 63);
        assert_eq!(members(&bits).collect::<Vec<_>>(), [3, 64, 200]);
    }
}
