//! Counting the values of an array.

use crate::lab::input::Value;

/// Counters side by side: equal values that follow each other would else wait for each other.
const BANKS: usize = 8;
/// Values of which it is asked whether all are alike.
const ALIKE: usize = 32;

/// Adds up how often each value occurs.
pub(super) fn count(values: &[Value], counts: &mut [u64]) {
    by_kinds::<false>(values, counts);
}

/// The same, quicker where most values are as the ones beside them: in long arrays of voxels.
pub(super) fn count_alike(values: &[Value], counts: &mut [u64]) {
    by_kinds::<true>(values, counts);
}

fn by_kinds<const LOOK: bool>(values: &[Value], counts: &mut [u64]) {
    match counts.len() {
        0..=64 => banked::<64, LOOK>(values, counts),
        65..=256 => banked::<256, LOOK>(values, counts),
        257..=2048 => banked::<2048, LOOK>(values, counts),
        _ => values.iter().for_each(|&value| counts[usize::from(value)] += 1),
    }
}

/// The same for fewer than `SIDE` values, a power of two, so that no index needs a check.
fn banked<const SIDE: usize, const LOOK: bool>(values: &[Value], counts: &mut [u64]) {
    for part in values.chunks(1 << 31) {
        let mut banks = [[0u32; SIDE]; BANKS];
        let (parts, rest) = part.as_chunks::<ALIKE>();
        for values in parts {
            // In one go, which vectors can do, and not up to the first that differs.
            let first = values[0];
            if LOOK && values.iter().fold(0, |differs, value| differs | (value ^ first)) == 0 {
                banks[0][usize::from(first) % SIDE] += ALIKE as u32;
                continue;
            }
            for eight in values.as_chunks::<BANKS>().0 {
                for (bank, &value) in banks.iter_mut().zip(eight) {
                    bank[usize::from(value) % SIDE] += 1;
                }
            }
        }
        rest.iter().for_each(|&value| banks[0][usize::from(value) % SIDE] += 1);
        for bank in &banks {
            counts.iter_mut().zip(bank).for_each(|(count, &n)| *count += u64::from(n));
        }
    }
}
