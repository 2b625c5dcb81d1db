//! Compares a new mesh with the quads on the GPU, and finds the ranges of the buffer to write.

use rustc_hash::FxHashMap;
use std::hash::Hash;
use std::ops::Range;

/// Changed items closer than this are written together: a write has a fixed cost.
const JOIN: usize = 8;

/// Turns `old` into a list with the items of `new`, in any order, with few changes. Returns the
/// ranges of `old` that changed, in ascending order.
pub fn replace_unordered<T: Copy + Eq + Hash>(old: &mut Vec<T>, new: &[T]) -> Vec<Range<usize>> {
    let mut wanted: FxHashMap<T, u32> = FxHashMap::default();
    for &item in new {
        *wanted.entry(item).or_default() += 1;
    }
    // Drops all items beyond the new length. Those that occur in `new` are written again.
    old.truncate(new.len());
    let mut holes = Vec::new();
    for (at, item) in old.iter().enumerate() {
        match wanted.get_mut(item) {
            Some(count) if *count > 0 => *count -= 1,
            _ => holes.push(at),
        }
    }
    let added = new.iter().filter(|&item| {
        let count = wanted.get_mut(item).filter(|count| **count > 0);
        count.map(|count| *count -= 1).is_some()
    });
    let mut changed = Vec::with_capacity(holes.len());
    let mut holes = holes.into_iter();
    for &item in added {
        match holes.next() {
            Some(at) => {
                old[at] = item;
                changed.push(at);
            }
            None => {
                changed.push(old.len());
                old.push(item);
            }
        }
    }
    join(changed.into_iter())
}

/// Turns `old` into `new`, in order. Returns the ranges that changed, in ascending order.
pub fn replace_ordered<T: Copy + Eq>(old: &mut Vec<T>, new: &[T]) -> Vec<Range<usize>> {
    let differs = |&at: &usize| old.get(at) != Some(&new[at]);
    let changed = join((0..new.len()).filter(differs));
    new.clone_into(old);
    changed
}

fn join(changed: impl Iterator<Item = usize>) -> Vec<Range<usize>> {
    let mut ranges: Vec<Range<usize>> = Vec::new();
    for at in changed {
        match ranges.last_mut() {
            Some(last) if at < last.end + JOIN => last.end = at + 1,
            _ => ranges.push(at..at + 1),
        }
    }
    ranges
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Applies the changed ranges of `old` to the words on the GPU.
    fn write<T: Copy + Default>(gpu: &mut Vec<T>, old: &[T], changed: &[Range<usize>]) {
        gpu.resize(old.len().max(gpu.len()), T::default());
        for range in changed {
            gpu[range.clone()].copy_from_slice(&old[range.clone()]);
        }
        gpu.truncate(old.len());
    }

    proptest! {
        #[test]
        fn written_ranges_give_the_new_items(before in prop::collection::vec(0u8..40, 0..80), after in prop::collection::vec(0u8..40, 0..80)) {
            let mut gpu = before.clone();
            let mut old = before.clone();
            let changed = replace_unordered(&mut old, &after);
            write(&mut gpu, &old, &changed);
            let mut found = gpu;
            let mut wanted = after.clone();
            found.sort_unstable();
            wanted.sort_unstable();
            prop_assert_eq!(found, wanted);

            let mut gpu = before.clone();
            let mut old = before;
            let changed = replace_ordered(&mut old, &after);
            write(&mut gpu, &old, &changed);
            prop_assert_eq!(gpu, after);
        }
    }

    #[test]
    fn one_new_item_is_one_range() {
        let mut old: Vec<u32> = (0..500).collect();
        let new: Vec<u32> = (0..500).filter(|&i| i != 77).chain([900]).collect();
        assert_eq!(replace_unordered(&mut old, &new), vec![77..78]);
        assert!(replace_unordered(&mut old, &new).is_empty());
        let longer: Vec<u32> = old.iter().copied().chain([901, 902]).collect();
        assert_eq!(replace_unordered(&mut old, &longer), vec![500..502]);
    }
}
