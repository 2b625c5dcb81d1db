//! The one comparison of a read: how many of the starts in a row are at or before a place.
//!
//! Starts are the low bytes of words. Eight words are compared at once where the processor has the instructions
//! (every x86-64 has); elsewhere one by one. What the compiler makes of a plain loop is three times slower: it does
//! not find that the answer is a number of leading lanes.
//!
//! The one `unsafe` says that the processor has these instructions; they touch no memory.

/// Words compared at once.
pub(super) const LANES: usize = 8;

/// How many of the first `n` of `pairs` have a low byte of at most `low`; these bytes ascend. `pairs` goes on for at
/// least [`LANES`] words past the `n`th, with anything.
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

/// The same in one step of eight; the answer is 8 if all eight, or more, are at or before.
#[cfg(target_arch = "x86_64")]
#[inline]
fn leading(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    // SAFETY: SSE2 is part of x86-64: there is no such processor without it.
    unsafe { leading_sse2(lanes, n, low) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn leading_sse2(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    use std::arch::x86_64::{_mm_and_si128, _mm_cmpgt_epi16, _mm_movemask_epi8, _mm_set_epi16, _mm_set1_epi16};
    let [a, b, c, d, e, f, g, h] = lanes.map(u16::cast_signed);
    let starts = _mm_and_si128(_mm_set_epi16(h, g, f, e, d, c, b, a), _mm_set1_epi16(0xFF));
    // Two bits a lane, set where the start is past the place; and one where the block ends.
    let past = _mm_movemask_epi8(_mm_cmpgt_epi16(starts, _mm_set1_epi16(i16::from(low)))) as u32;
    let end = 1 << (2 * n.min(LANES));
    (past | end).trailing_zeros() as usize / 2
}

#[cfg(not(target_arch = "x86_64"))]
#[inline]
fn leading(lanes: &[u16; LANES], n: usize, low: u8) -> usize {
    lanes[..n.min(LANES)].iter().take_while(|&&pair| pair as u8 <= low).count()
}

/// Where among the first `n` pairs of `words` the pair `entry` is.
#[inline]
pub(super) fn find_entry(words: &[u16], n: usize, entry: [u16; 2]) -> Option<usize> {
    // Four at a time: this the compiler turns into vectors by itself.
    let (fours, rest) = words[..2 * n].as_chunks::<LANES>();
    for (i, four) in fours.iter().enumerate() {
        let mut differs = [0; 4];
        for (lane, pair) in differs.iter_mut().zip(four.as_chunks::<2>().0) {
            *lane = u32::from(pair[0] ^ entry[0]) | u32::from(pair[1] ^ entry[1]) << 16;
        }
        if differs.contains(&0) {
            return differs.iter().position(|&d| d == 0).map(|lane| 4 * i + lane);
        }
    }
    rest.as_chunks::<2>().0.iter().position(|pair| *pair == entry).map(|lane| 4 * fours.len() + lane)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_as_one_by_one() {
        let mut state = 7u64;
        for _ in 0..5000 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let n = (state >> 59) as usize;
            let mut starts: Vec<u8> =
                (0..n).map(|i| (state >> (i % 8 * 7)) as u8 ^ (i as u8).wrapping_mul(37)).collect();
            starts.sort_unstable();
            starts.dedup();
            let n = starts.len();
            let noise = (state >> 20) as u16;
            let pairs: Vec<u16> = starts.iter().map(|&s| u16::from(s) | noise << 8).chain([noise; LANES]).collect();
            for low in [0, 1, 17, 100, 128, 200, 254, 255] {
                let expected = starts.iter().filter(|&&s| s <= low).count();
                assert_eq!(at_or_before(&pairs, n, low), expected, "{starts:?} {low}");
            }
        }
    }
}
