//! Counting the values of an array.

use crate::lab::input::Value;

/// Counters side by side: equal values that follow each other would else wait for each other.
const BANKS: usize = 8;

/// Adds up how often each value occurs.
pub(super) fn count(values: &[Value], counts: &mut [u64]) {
    match counts.len() {
        0..=64 => banked::<64>(values, counts),
        65..=256 => banked::<256>(values, counts),
        257..=2048 => banked::<2048>(values, counts),
        _ => values.iter().for_each(|&value| counts[usize::from(value)] += 1),
    }
}

/// The same for fewer than `SIDE` values, a power of two, so that no index needs a check.
fn banked<const SIDE: usize>(values: &[Value], counts: &mut [u64]) {
    for part in values.chunks(1 << 31) {
        let mut banks = [[0u32; SIDE]; BANKS];
        let (eights, rest) = part.as_chunks::<BANKS>();
        for eight in eights {
            for (bank, &value) in banks.iter_mut().zip(eight) {
                bank[usize::from(value) % SIDE] += 1;
            }
        }
        rest.iter().for_each(|&value| banks[0][usize::from(value) % SIDE] += 1);
        for bank in &banks {
            counts.iter_mut().zip(bank).for_each(|(count, &n)| *count += u64::from(n));
        }
    }
}
