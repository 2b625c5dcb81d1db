//! Codec for a set of voxels of one chunk, as alternating lengths of gaps and ranges.
//!
//! A *range* is a maximal stretch of linear indices in the set, a *gap* the stretch before, between
//! or after ranges.
//!
//! ```text
//! orders    4 bits and 4 bits: Exp-Golomb orders of the gaps and of the ranges
//! lengths   until 32768 voxels are covered, alternately:
//!           gap          Exp-Golomb: the length of the first gap, the length - 1 of others
//!           range        Exp-Golomb: the length - 1
//! ```
//!
//! Zeros pad the last byte.

use super::msb_bits::{MAX_EXP_GOLOMB_ORDER, MsbBitReader, MsbBitWriter, exp_golomb_bits};
use crate::voxel::CHUNK_VOLUME;
use std::ops::Range;

/// Bits of the field that holds an order.
const ORDER_BITS: u32 = 4;

/// Bytes that do not encode a set of voxels.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("bit {at}: malformed lengths of a set of voxels")]
pub struct BitMaskError {
    /// Number of bits read before the error.
    pub at: usize,
}

/// Code values in stream order: gaps at even indices, ranges at odd ones.
fn numbers(ranges: &[Range<usize>]) -> Vec<u32> {
    let mut numbers = Vec::with_capacity(2 * ranges.len() + 1);
    let mut end = 0;
    for range in ranges {
        let gap = range.start - end;
        numbers.push(if end == 0 { gap } else { gap - 1 } as u32);
        numbers.push((range.len() - 1) as u32);
        end = range.end;
    }
    if end < CHUNK_VOLUME {
        numbers.push((CHUNK_VOLUME - end - usize::from(end > 0)) as u32);
    }
    numbers
}

/// Exp-Golomb order that codes `numbers` in the fewest bits.
fn best_order(numbers: impl Iterator<Item = u32> + Clone) -> u32 {
    let bits = |order: u32| {
        numbers.clone().map(|number| u64::from(exp_golomb_bits(number, order))).sum::<u64>()
    };
    (0..=MAX_EXP_GOLOMB_ORDER).min_by_key(|&order| bits(order)).unwrap_or(0)
}

/// Encodes a set of voxels: ascending, non-empty ranges of linear indices that do not touch.
#[must_use]
pub fn encode(ranges: &[Range<usize>]) -> Vec<u8> {
    let numbers = numbers(ranges);
    let orders = [0, 1].map(|first| best_order(numbers.iter().skip(first).step_by(2).copied()));
    let mut out = MsbBitWriter::default();
    for &order in &orders {
        out.put(order, ORDER_BITS);
    }
    for (index, &number) in numbers.iter().enumerate() {
        out.put_exp_golomb(number, orders[index % 2]);
    }
    out.finish()
}

/// Decodes the ascending ranges that [`encode`] wrote.
///
/// # Errors
/// The bytes are malformed. No input causes a panic or more ranges than a chunk has voxels.
pub fn decode(bytes: &[u8]) -> Result<Vec<Range<usize>>, BitMaskError> {
    let mut reader = MsbBitReader::new(bytes);
    read(&mut reader).filter(|_| reader.is_at_end()).ok_or(BitMaskError { at: reader.position() })
}

fn read(reader: &mut MsbBitReader<'_>) -> Option<Vec<Range<usize>>> {
    let orders = [reader.get(ORDER_BITS)?, reader.get(ORDER_BITS)?];
    let mut ranges = Vec::new();
    let mut at = 0;
    loop {
        at += reader.get_exp_golomb(orders[0])? as usize + usize::from(at > 0);
        if at >= CHUNK_VOLUME {
            return (at == CHUNK_VOLUME).then_some(ranges);
        }
        let start = at;
        at += reader.get_exp_golomb(orders[1])? as usize + 1;
        if at > CHUNK_VOLUME {
            return None;
        }
        ranges.push(start..at);
        if at == CHUNK_VOLUME {
            return Some(ranges);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Ranges of the indices for which `is_set` holds.
    fn ranges(is_set: impl Fn(usize) -> bool) -> Vec<Range<usize>> {
        let mut ranges: Vec<Range<usize>> = Vec::new();
        for index in (0..CHUNK_VOLUME).filter(|&index| is_set(index)) {
            match ranges.last_mut() {
                Some(last) if last.end == index => last.end += 1,
                _ => ranges.push(index..index + 1),
            }
        }
        ranges
    }

    #[test]
    fn sets_round_trip() {
        let all = CHUNK_VOLUME;
        let one = |range: Range<usize>| [range];
        let cases: [&[Range<usize>]; 7] = [
            &[],
            &one(0..all),
            &one(0..1),
            &one(all - 1..all),
            &one(5..6),
            &one(1..all - 1),
            &[0..1, 2..3, 100..all],
        ];
        for case in cases {
            assert_eq!(decode(&encode(case)).as_deref(), Ok(case));
        }
        for period in [2, 3, 7, 100] {
            let case = ranges(|index| index % period == period - 1);
            assert_eq!(decode(&encode(&case)), Ok(case));
        }
        // A random tenth of the voxels has an entropy of 1.9 KB.
        let tenth = ranges(|index| (index as u32).wrapping_mul(2_654_435_761) >> 7 & 0xFFFF < 6554);
        assert!(encode(&tenth).len() < 3000, "{}", encode(&tenth).len());
    }

    proptest! {
        #[test]
        fn arbitrary_bytes_give_ranges_or_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
            if let Ok(ranges) = decode(&bytes) {
                prop_assert_eq!(decode(&encode(&ranges)), Ok(ranges));
            }
        }
    }
}
