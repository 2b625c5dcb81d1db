//! Word-wise access to the bits of a row, and to packed bytes.

use crate::visibility::bitset;
use crate::visibility::bitset::WORD_BITS;

/// The cells whose bits are set in a row, in ascending order.
pub fn ones(row: &[u64]) -> impl Iterator<Item = u32> {
    bitset::members(row).map(|bit| bit as u32)
}

/// The first set bit at or after `from`, or `end` if there is none before it.
#[inline]
pub(super) fn next_one(row: &[u64], from: usize, end: usize) -> usize {
    next(row, from, end, |word| word)
}

/// The first clear bit at or after `from`, or `end` if there is none before it.
#[inline]
pub(super) fn next_zero(row: &[u64], from: usize, end: usize) -> usize {
    next(row, from, end, |word| !word)
}

#[inline]
fn next(row: &[u64], from: usize, end: usize, map: impl Fn(u64) -> u64) -> usize {
    let mut at = from;
    while at < end {
        let word = map(row[at / WORD_BITS]) >> (at % WORD_BITS);
        if word != 0 {
            return end.min(at + word.trailing_zeros() as usize);
        }
        at = (at / WORD_BITS + 1) * WORD_BITS;
    }
    end
}

/// The 64 bits from `at` on. Bits past the last word of the row are zero.
#[inline]
pub(super) fn bits_at(row: &[u64], at: usize) -> u64 {
    let word = |k: usize| row.get(k).copied().unwrap_or(0);
    // Two shifts, because a shift by 64 would overflow.
    word(at / WORD_BITS) >> (at % WORD_BITS)
        | word(at / WORD_BITS + 1) << 1 << (WORD_BITS - 1 - at % WORD_BITS)
}

/// The eight bytes of `packed` from `at` on, the first one lowest. Bytes past the end are taken
/// from `fill`.
#[inline]
pub(super) fn load(packed: &[u8], at: usize, fill: u64) -> u64 {
    let rest = packed.get(at..).unwrap_or_default();
    match rest.first_chunk() {
        Some(bytes) => u64::from_le_bytes(*bytes),
        None => {
            let mut bytes = fill.to_le_bytes();
            bytes[..rest.len()].copy_from_slice(rest);
            u64::from_le_bytes(bytes)
        }
    }
}

/// A word whose lowest `count` bits are set.
#[inline]
pub(super) fn low(count: usize) -> u64 {
    if count < WORD_BITS { (1 << count) - 1 } else { u64::MAX }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn searches_and_reads_cross_words() {
        let row = [1 << 63, 0, 0b110, u64::MAX];
        assert_eq!(ones(&row).take(4).collect::<Vec<_>>(), [63, 129, 130, 192]);
        assert_eq!([0, 63, 64, 131].map(|from| next_one(&row, from, 256)), [63, 63, 129, 192]);
        assert_eq!([0, 63, 129, 192].map(|from| next_zero(&row, from, 256)), [0, 64, 131, 256]);
        assert_eq!(
            (next_one(&row, 64, 100), next_zero(&row, 192, 200), next_one(&row, 9, 9)),
            (100, 200, 9)
        );
        let read = [0, 63, 66, 192, 193].map(|at| bits_at(&row, at));
        assert_eq!(read, [1 << 63, 1, 1 << 63, u64::MAX, u64::MAX >> 1]);
    }

    #[test]
    fn load_fills_bytes_past_the_end() {
        let bytes = [1, 2, 3, 4, 5, 6, 7, 8, 9];
        assert_eq!(load(&bytes, 1, 0), 0x0908_0706_0504_0302);
        assert_eq!(load(&bytes, 7, u64::MAX), 0xFFFF_FFFF_FFFF_0908);
        assert_eq!([9, 10, usize::MAX].map(|at| load(&bytes, at, 5)), [5; 3]);
        assert_eq!([0, 1, 63, 64, 99].map(low), [0, 1, u64::MAX >> 1, u64::MAX, u64::MAX]);
    }
}
