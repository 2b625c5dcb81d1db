//! Vector kernel of the mesher: one bit of each of 32 bytes, as a word.
//!
//! All `unsafe` of the mesher is in this file. It only asserts that the processor has these
//! instructions; they do not touch memory.

use super::voxel_rows::SIDE;

/// Collects bit `bit` of each byte: bit x of the result is from byte x.
#[cfg(target_arch = "x86_64")]
#[inline]
pub(super) fn bits_of(bytes: &[u8; SIDE], bit: u32) -> u32 {
    // SAFETY: SSE2 is part of x86-64; every such processor has it.
    unsafe { bits_of_sse2(bytes, bit) }
}

#[cfg(target_arch = "x86_64")]
#[inline]
#[target_feature(enable = "sse2")]
fn bits_of_sse2(bytes: &[u8; SIDE], bit: u32) -> u32 {
    use std::arch::x86_64::{_mm_cvtsi32_si128, _mm_movemask_epi8, _mm_set_epi64x, _mm_sll_epi64};
    // The instruction collects the highest bit of each byte.
    let shift = _mm_cvtsi32_si128(7 - bit as i32);
    let half = |at: usize| {
        let [low, high] = [at, at + 8].map(|at| {
            let eight: [u8; 8] = std::array::from_fn(|i| bytes[at + i]);
            i64::from_le_bytes(eight)
        });
        _mm_movemask_epi8(_mm_sll_epi64(_mm_set_epi64x(high, low), shift)) as u32
    };
    half(0) | half(16) << 16
}

/// Collects bit `bit` of each byte: bit x of the result is from byte x.
#[cfg(not(target_arch = "x86_64"))]
#[inline]
pub(super) fn bits_of(bytes: &[u8; SIDE], bit: u32) -> u32 {
    portable_bits_of(bytes, bit)
}

/// [`bits_of`] for processors without a special instruction.
#[cfg(any(test, not(target_arch = "x86_64")))]
fn portable_bits_of(bytes: &[u8; SIDE], bit: u32) -> u32 {
    let eighths = bytes.as_chunks::<8>().0.iter().enumerate();
    eighths.fold(0, |bits, (eighth, bytes)| {
        let ones = u64::from_le_bytes(*bytes) >> bit & 0x0101_0101_0101_0101;
        // Moves bit 8 i to bit 56 + i.
        bits | ((ones.wrapping_mul(0x0102_0408_1020_4080) >> 56) as u32) << (8 * eighth)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bits_of_bytes_are_found_one_by_one() {
        let mut state = 7u64;
        for _ in 0..1000 {
            let bytes: [u8; SIDE] = std::array::from_fn(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(99);
                (state >> 56) as u8
            });
            for bit in 0..8 {
                let expected = (0..SIDE).fold(0, |bits, x| bits | u32::from(bytes[x] >> bit & 1) << x);
                assert_eq!((bits_of(&bytes, bit), portable_bits_of(&bytes, bit)), (expected, expected));
            }
        }
    }
}
