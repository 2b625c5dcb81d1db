//! Counting the IDs in an array.

use crate::input::VoxelId;

/// Number of independent counters per ID. With a single counter, equal IDs in a row would wait for
/// each other.
const BANKS: usize = 8;
/// Length of the blocks that are checked for a single ID.
const BLOCK: usize = 32;

/// Counts each ID.
pub(super) fn count(ids: &[VoxelId], counts: &mut [u64]) {
    with_banks::<false>(ids, counts);
}

/// Counts each ID. Faster where most blocks hold a single ID, as in large arrays of voxels.
pub(super) fn count_blocks(ids: &[VoxelId], counts: &mut [u64]) {
    with_banks::<true>(ids, counts);
}

fn with_banks<const CHECK_BLOCKS: bool>(ids: &[VoxelId], counts: &mut [u64]) {
    match counts.len() {
        0..=64 => banked::<64, CHECK_BLOCKS>(ids, counts),
        65..=256 => banked::<256, CHECK_BLOCKS>(ids, counts),
        257..=2048 => banked::<2048, CHECK_BLOCKS>(ids, counts),
        _ => {
            for &id in ids {
                counts[usize::from(id)] += 1;
            }
        }
    }
}

/// Counts IDs below `SIDE`, a power of two, so that indexing needs no bounds check.
fn banked<const SIDE: usize, const CHECK_BLOCKS: bool>(ids: &[VoxelId], counts: &mut [u64]) {
    for part in ids.chunks(1 << 31) {
        let mut banks = [[0u32; SIDE]; BANKS];
        let (parts, rest) = part.as_chunks::<BLOCK>();
        for ids in parts {
            // No early exit, so that the compiler vectorises the check.
            let first = ids[0];
            if CHECK_BLOCKS && ids.iter().fold(0, |differs, id| differs | (id ^ first)) == 0 {
                banks[0][usize::from(first) % SIDE] += BLOCK as u32;
                continue;
            }
            for eight in ids.as_chunks::<BANKS>().0 {
                for (bank, &id) in banks.iter_mut().zip(eight) {
                    bank[usize::from(id) % SIDE] += 1;
                }
            }
        }
        for &id in rest {
            banks[0][usize::from(id) % SIDE] += 1;
        }
        for bank in &banks {
            for (count, &n) in counts.iter_mut().zip(bank) {
                *count += u64::from(n);
            }
        }
    }
}
