//! Vector kernels for reads and counts of runs: the number of starts at or before a position, the
//! codes at many positions, and the index of a palette entry.
//!
//! Starts are the low bytes of words. Eight words are compared at once with SSE2, which every
//! x86-64 processor has; other targets compare one by one. A plain loop is three times slower,
//! because the compiler does not recognise that the answer is a count of leading lanes.
//!
//! All `unsafe` of the run store is in this file. It asserts only that the processor has these
//! instructions; they do not touch memory.

/// Words compared at once.
pub(super) const LANES: usize = 8;

/// Counts the low bytes up to `low` among the first `n` of `pairs`; these bytes must ascend.
/// At least [`LANES`] more words, of any content, must follow the first `n`.
#[inline]
pub(super) fn at_or_before(pairs: &[u16], n: usize, low: u8) -> usize {
    let mut before = 0;
    let mut rest = pairs;
    while let Some((lanes, tail)) = rest.split_first_chunk::<LANES>() {
        let count = leading(lanes, n - before, low);
        before += count;
        if count < LANES {
            break;
        }
        rest = tail;
    }
    before
}

/// One step of [`at_or_before`] over eight words: the number of leading words up to `low`, at most
/// `n`.
#[cfg(target_arch = "x86_64")]
#[inline]
fn leading(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    // SAFETY: SSE2 is part of x86-64; every such processor has it.
    unsafe { leading_sse2(lanes, n, low) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn leading_sse2(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cmpgt_epi16, _mm_movemask_epi8, _mm_set_epi16, _mm_set1_epi16,
    };
    let [a, b, c, d, e, f, g, h] = lanes.map(u16::cast_signed);
    let starts = _mm_and_si128(_mm_set_epi16(h, g, f, e, d, c, b, a), _mm_set1_epi16(0xFF));
    // Two bits per lane, set where the start is past `low`, and one bit after `n` lanes.
    let past = _mm_movemask_epi8(_mm_cmpgt_epi16(starts, _mm_set1_epi16(i16::from(low)))) as u32;
    let end = 1 << (2 * n.min(LANES));
    (past | end).trailing_zeros() as usize / 2
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn leading(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    lanes[..n.min(LANES)].iter().take_while(|&&pair| pair as u8 <= low).count()
}

/// True if the runs alternate: a run of one voxel and any code, then a run of `code`. Starts are
/// compared by their low bytes, so lengths are known only modulo 256; a pair that crosses the end
/// of a block counts as broken.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn are_singles(pairs: &[u16; 2 * LANES], code: u8) -> bool {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { are_singles_sse2(pairs, code) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn are_singles_sse2(pairs: &[u16; 2 * LANES], code: u8) -> bool {
    use std::arch::x86_64::{
        _mm_add_epi32, _mm_and_si128, _mm_cmpeq_epi32, _mm_movemask_epi8, _mm_or_si128,
        _mm_set_epi16, _mm_set1_epi32, _mm_setzero_si128, _mm_slli_epi32, _mm_srli_epi32,
        _mm_xor_si128,
    };
    let code = _mm_set1_epi32(i32::from(code) << 24);
    // The second word of each pair must have `code`, and the first word's start plus 1.
    let halves: [&[u16; LANES]; 2] = [&pairs.as_chunks().0[0], &pairs.as_chunks().0[1]];
    let [low, high] = halves.map(|pairs| {
        let [a, b, c, d, e, f, g, h] = pairs.map(u16::cast_signed);
        let pairs = _mm_set_epi16(h, g, f, e, d, c, b, a);
        let next = _mm_add_epi32(_mm_and_si128(pairs, _mm_set1_epi32(0xFF)), _mm_set1_epi32(1));
        let next = _mm_slli_epi32::<16>(next);
        (next, _mm_xor_si128(_mm_xor_si128(pairs, code), next))
    });
    // A first start of 255 carries into bit 24: the second run starts in another block.
    let carry = _mm_and_si128(_mm_or_si128(low.0, high.0), _mm_set1_epi32(1 << 24));
    let differs = _mm_srli_epi32::<16>(_mm_or_si128(_mm_or_si128(low.1, high.1), carry));
    _mm_movemask_epi8(_mm_cmpeq_epi32(differs, _mm_setzero_si128())) == 0xFFFF
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn are_singles(pairs: &[u16; 2 * LANES], code: u8) -> bool {
    pairs
        .as_chunks::<2>()
        .0
        .iter()
        .all(|&[one, next]| next == (u16::from(code) << 8 | (one & 0xFF) + 1) && one as u8 != 255)
}

/// Calls `each` with the code of each run at `positions` in `pairs`, unless it equals `code`.
/// Ignores positions at the end that do not fill a group of [`LANES`].
///
/// # Panics
/// Panics if a position is outside `pairs`.
#[inline]
pub(super) fn for_others(pairs: &[u16], positions: &[u16], code: u8, mut each: impl FnMut(u8)) {
    let code_at = |position: &u16| (pairs[usize::from(*position)] >> 8) as u8;
    for positions in positions.as_chunks::<LANES>().0 {
        if positions.iter().any(|position| code_at(position) != code) {
            positions.iter().map(code_at).filter(|&other| other != code).for_each(&mut each);
        }
    }
}

/// Finds the first pair equal to `entry` among the first `n` pairs of `words`, and returns its
/// index. At least [`LANES`] more words, of any content, must follow.
#[inline]
pub(super) fn find_entry(words: &[u16], n: usize, entry: [u16; 2]) -> Option<usize> {
    // Compares all pairs: an early exit would be an unpredictable branch.
    first_of(&words.as_chunks().0[..n.div_ceil(LANES / 2)], entry).filter(|&index| index < n)
}

/// Finds the first pair equal to `entry`, and returns its index; there must be fewer than 32767
/// pairs.
#[cfg(target_arch = "x86_64")]
#[inline]
fn first_of(fours: &[[u16; LANES]], entry: [u16; 2]) -> Option<usize> {
    // SAFETY: SSE2 is part of x86-64.
    unsafe { first_of_sse2(fours, entry) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn first_of_sse2(fours: &[[u16; LANES]], entry: [u16; 2]) -> Option<usize> {
    use std::arch::x86_64::{
        _mm_and_si128, _mm_cmpeq_epi32, _mm_cvtsi128_si32, _mm_max_epi16, _mm_set_epi16,
        _mm_set_epi32, _mm_set1_epi32, _mm_setzero_si128, _mm_shuffle_epi32, _mm_sub_epi32,
    };
    let entry = _mm_set1_epi32(i32::from(entry[0]) | i32::from(entry[1]) << 16);
    // The values in the lanes count down, so the maximum over all matches is the first match.
    let mut left = _mm_set_epi32(0x7FFC, 0x7FFD, 0x7FFE, 0x7FFF);
    let mut highest = _mm_setzero_si128();
    for four in fours {
        let [a, b, c, d, e, f, g, h] = four.map(u16::cast_signed);
        let found = _mm_cmpeq_epi32(_mm_set_epi16(h, g, f, e, d, c, b, a), entry);
        highest = _mm_max_epi16(highest, _mm_and_si128(found, left));
        left = _mm_sub_epi32(left, _mm_set1_epi32(4));
    }
    highest = _mm_max_epi16(highest, _mm_shuffle_epi32::<0b10_11_00_01>(highest));
    highest = _mm_max_epi16(highest, _mm_shuffle_epi32::<0b01_00_11_10>(highest));
    match _mm_cvtsi128_si32(highest) {
        0 => None,
        left => Some(0x7FFF - left as usize),
    }
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn first_of(fours: &[[u16; LANES]], entry: [u16; 2]) -> Option<usize> {
    fours.as_flattened().as_chunks::<2>().0.iter().position(|pair| *pair == entry)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::random::Random;

    #[test]
    fn are_singles_detects_every_broken_pair() {
        let good: [u16; 16] = std::array::from_fn(|i| {
            let start = (i / 2 * 31) as u16;
            if i % 2 == 0 { start | (i as u16 * 3) << 8 } else { (start + 1) | 200 << 8 }
        });
        assert!(are_singles(&good, 200));
        assert!(!are_singles(&good, 201));
        for i in 0..16 {
            let broken = |by: u16| {
                let mut pairs = good;
                pairs[i] = pairs[i].wrapping_add(by);
                are_singles(&pairs, 200)
            };
            assert!(!broken(1), "{i} starts later");
            assert!(!broken(0xFFFF), "{i} starts earlier");
            // The single voxels may have any code.
            assert_eq!(broken(1 << 8), i % 2 == 0, "{i} has another code");
        }
        // A pair from 255 to 0 of the next block, with the code before and after the carry.
        for code in [200, 201, 199, 0, 255] {
            let mut pairs = good;
            [pairs[6], pairs[7]] = [255, code << 8];
            assert!(!are_singles(&pairs, 200), "across a block's end");
        }
        assert!(!are_singles(&[255, 255 << 8].repeat(8).try_into().unwrap(), 255));
    }

    #[test]
    fn find_entry_returns_first_match_within_n() {
        let words: Vec<u16> =
            (0..40).flat_map(|i| [i % 20, (i % 20) ^ 0x8001]).chain([0; LANES]).collect();
        for n in 0..=40 {
            for entry in 0..20 {
                let index = find_entry(&words, n, [entry, entry ^ 0x8001]);
                assert_eq!(
                    index,
                    (usize::from(entry) < n).then_some(entry.into()),
                    "{entry} of {n}"
                );
            }
            assert_eq!(find_entry(&words, n, [3, 0x8001]), None);
        }
        assert_eq!(find_entry(&words, 0, [0, 0]), None);
    }

    #[test]
    fn for_others_skips_the_given_code() {
        let pairs = [5 << 8, 7 << 8 | 255, 5 << 8 | 9, 6 << 8];
        let others = |positions: &[u16]| {
            let mut others = Vec::new();
            for_others(&pairs, positions, 5, |code| others.push(code));
            others
        };
        assert_eq!(others(&[0, 2, 2, 0, 0, 0, 2, 2, 0, 1, 1, 3, 2, 3, 2, 0]), [7, 7, 6, 6]);
        assert!(others(&[2; 16]).is_empty());
    }

    #[test]
    #[should_panic(expected = "out of bounds")]
    fn for_others_rejects_place_outside() {
        for_others(&[0; 9], &[8, 8, 8, 9, 8, 8, 8, 8], 0, |_| ());
    }

    #[test]
    fn at_or_before_counts_like_a_plain_loop() {
        let mut random = Random::new(7);
        for _ in 0..5000 {
            let state = random.draw();
            let n = (state >> 59) as usize;
            let mut starts: Vec<u8> =
                (0..n).map(|i| (state >> (i % 8 * 7)) as u8 ^ (i as u8).wrapping_mul(37)).collect();
            starts.sort_unstable();
            starts.dedup();
            let n = starts.len();
            let noise = (state >> 20) as u16;
            let pairs: Vec<u16> =
                starts.iter().map(|&s| u16::from(s) | noise << 8).chain([noise; LANES]).collect();
            for low in [0, 1, 17, 100, 128, 200, 254, 255] {
                let expected = starts.iter().filter(|&&s| s <= low).count();
                assert_eq!(at_or_before(&pairs, n, low), expected, "{starts:?} {low}");
            }
        }
    }
}
