//! Counts of the starts of a block up to a voxel.

/// Counts the values up to `low` among the first `n` of `starts`, which ascend; `n` is at most 32.
#[inline]
pub(super) fn count_in_list(starts: &[u8], n: usize, low: u8) -> usize {
    let count = |lanes: &[u8; 32]| -> u8 {
        // Branch-free, so that it compiles to a few vector instructions.
        lanes
            .iter()
            .zip(0u8..)
            .map(|(&start, lane)| u8::from(start <= low) & u8::from(lane < n as u8))
            .sum()
    };
    match starts.first_chunk() {
        Some(lanes) => count(lanes).into(),
        // Fewer than 32 bytes follow only in the last blocks of a chunk.
        None => starts[..n].iter().filter(|&&start| start <= low).count(),
    }
}

/// Counts the bits set at or before `low` in a bit map of starts.
#[inline]
pub(super) fn count_in_map(map: [u64; 4], low: u8) -> usize {
    let word = usize::from(low) / 64;
    let bit = low % 64;
    let upto = |i: usize| match i.cmp(&word) {
        std::cmp::Ordering::Less => u64::MAX,
        std::cmp::Ordering::Equal => u64::MAX >> (63 - bit),
        std::cmp::Ordering::Greater => 0,
    };
    (0..4).map(|i| (map[i] & upto(i)).count_ones() as usize).sum()
}
