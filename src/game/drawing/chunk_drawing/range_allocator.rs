//! Allocation of ranges within one large buffer.

use std::collections::{BTreeMap, BTreeSet};

/// A used range that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MovedRange {
    /// Old start.
    pub from: u32,
    /// New start, lower than the old one.
    pub to: u32,
    /// Length.
    pub len: u32,
}

/// Hands out ranges of a buffer: the smallest free range that is large enough. Lengths and starts
/// are in units of the caller.
#[derive(Clone, Debug, Default)]
pub struct RangeAllocator {
    capacity: u32,
    used: u32,
    /// Length of each free range, by start. Free ranges never touch.
    free: BTreeMap<u32, u32>,
    /// The free ranges by length, then start.
    by_length: BTreeSet<(u32, u32)>,
}

impl RangeAllocator {
    /// Length of the buffer.
    #[must_use]
    pub fn capacity(&self) -> u32 {
        self.capacity
    }

    /// Sum of the used ranges.
    #[must_use]
    pub fn used(&self) -> u32 {
        self.used
    }

    /// Extends the buffer to `capacity`.
    pub fn grow(&mut self, capacity: u32) {
        let added = capacity - self.capacity;
        self.used += added;
        let start = std::mem::replace(&mut self.capacity, capacity);
        self.free(start, added);
    }

    /// Shortens the buffer to `capacity`; requires that the used ranges lie within it.
    pub fn shrink(&mut self, capacity: u32) {
        if let Some((&start, &len)) = self.free.last_key_value()
            && start + len == self.capacity
            && start <= capacity
        {
            self.remove_free(start, len);
            if start < capacity {
                self.insert_free(start, capacity - start);
            }
            self.capacity = capacity;
        }
    }

    /// The start of a new range; `None` if no free range is large enough.
    pub fn allocate(&mut self, len: u32) -> Option<u32> {
        let &(free, start) = self.by_length.range((len, 0)..).next()?;
        self.remove_free(start, free);
        if free > len {
            self.insert_free(start + len, free - len);
        }
        self.used += len;
        Some(start)
    }

    /// Returns a range.
    pub fn free(&mut self, start: u32, len: u32) {
        if len == 0 {
            return;
        }
        self.used -= len;
        let mut start = start;
        let mut len = len;
        if let Some((&before, &size)) = self.free.range(..start).next_back()
            && before + size == start
        {
            self.remove_free(before, size);
            start = before;
            len += size;
        }
        if let Some(&size) = self.free.get(&(start + len)) {
            self.remove_free(start + len, size);
            len += size;
        }
        self.insert_free(start, len);
    }

    /// Moves the used ranges together at the start of the buffer. Returns the moved ranges, joined
    /// as far as possible, in ascending order.
    pub fn compact(&mut self) -> Vec<MovedRange> {
        let mut moved = Vec::new();
        let mut to = 0;
        let mut at = 0;
        let ends = std::mem::take(&mut self.free).into_iter().chain([(self.capacity, 0)]);
        for (start, len) in ends {
            if start > at {
                if at != to {
                    moved.push(MovedRange { from: at, to, len: start - at });
                }
                to += start - at;
            }
            at = start + len;
        }
        self.by_length.clear();
        if to < self.capacity {
            self.insert_free(to, self.capacity - to);
        }
        moved
    }

    fn insert_free(&mut self, start: u32, len: u32) {
        self.free.insert(start, len);
        self.by_length.insert((len, start));
    }

    fn remove_free(&mut self, start: u32, len: u32) {
        self.free.remove(&start);
        self.by_length.remove(&(len, start));
    }
}

/// The start of a range after a compaction that returned `moved`.
#[must_use]
pub fn moved_start(moved: &[MovedRange], start: u32) -> u32 {
    let after = moved.partition_point(|range| range.from <= start);
    match after.checked_sub(1).map(|i| moved[i]) {
        Some(range) if start < range.from + range.len => start - range.from + range.to,
        _ => start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    proptest! {
        #[test]
        fn ranges_are_disjoint_and_survive_compaction(steps in prop::collection::vec((1u32..40, any::<prop::sample::Index>()), 1..200)) {
            let mut allocator = RangeAllocator::default();
            allocator.grow(700);
            let mut owner: Vec<Option<usize>> = vec![None; 1400];
            let mut ranges: Vec<(usize, u32, u32)> = Vec::new();
            for (id, (len, pick)) in steps.into_iter().enumerate() {
                if id == 90 {
                    allocator.grow(1400);
                }
                match allocator.allocate(len) {
                    Some(start) => {
                        for at in start..start + len {
                            prop_assert_eq!(owner[at as usize].replace(id), None, "{} is used twice", at);
                        }
                        ranges.push((id, start, len));
                    }
                    // All free ranges are too short.
                    None if id % 2 == 0 => {
                        let moved = allocator.compact();
                        let before = owner.clone();
                        owner.fill(None);
                        for (id, start, len) in &mut ranges {
                            let to = moved_start(&moved, *start);
                            for at in 0..*len {
                                prop_assert_eq!(before[(*start + at) as usize], Some(*id));
                                prop_assert_eq!(owner[(to + at) as usize].replace(*id), None);
                            }
                            *start = to;
                        }
                        let used: u32 = ranges.iter().map(|range| range.2).sum();
                        prop_assert_eq!(allocator.used(), used);
                        let rest = allocator.capacity() - used;
                        prop_assert_eq!(allocator.clone().allocate(rest.max(1)).is_some(), rest > 0);
                        let mut shorter = allocator.clone();
                        shorter.shrink(used + rest / 2);
                        prop_assert_eq!((shorter.capacity(), shorter.used()), (used + rest / 2, used));
                        prop_assert_eq!(shorter.allocate((rest / 2).max(1)).is_some(), rest / 2 > 0);
                    }
                    None => {
                        let (_, start, len) = ranges.swap_remove(pick.index(ranges.len()));
                        owner[start as usize..(start + len) as usize].fill(None);
                        allocator.free(start, len);
                    }
                }
            }
            for (_, start, len) in ranges {
                allocator.free(start, len);
            }
            prop_assert_eq!(allocator.used(), 0);
            prop_assert!(allocator.allocate(allocator.capacity()).is_some(), "free ranges were not joined");
        }
    }
}
