//! Chunks computed from the runs of one or two chunks.

use super::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

impl RunTree {
    /// Returns the chunk with `change` applied to each voxel. `change` is called once per palette
    /// entry.
    #[must_use]
    pub fn map(&self, change: impl FnMut(Voxel) -> Voxel) -> RunTree {
        let changed: Vec<Voxel> = self.values().map(change).collect();
        if self.values().eq(changed.iter().copied()) {
            return self.clone();
        }
        if let Some(mapped) = self.with_values(&changed) {
            return mapped;
        }
        let mut builder = RunBuilder::new();
        self.for_each_coded(0..CHUNK_VOLUME, |start, end, code| {
            builder.push((end - start) as u32, changed[code])
        });
        builder.finish()
    }

    /// Returns the chunk with `join` applied to each voxel of this chunk and the voxel of `other`
    /// at the same place. `join` is called once per stretch with one voxel in both, or, where one
    /// chunk is uniform, once per palette entry of the other.
    #[must_use]
    pub fn zip(&self, other: &RunTree, mut join: impl FnMut(Voxel, Voxel) -> Voxel) -> RunTree {
        if let Some(value) = other.as_uniform() {
            return self.map(|voxel| join(voxel, value));
        }
        if let Some(value) = self.as_uniform() {
            return other.map(|voxel| join(value, voxel));
        }
        let mut builder = RunBuilder::new();
        self.stretches(other)
            .for_each(|(range, left, right)| builder.push(range.len() as u32, join(left, right)));
        builder.finish()
    }

    /// Iterates over stretches where both chunks have one voxel each: the linear range, this
    /// chunk's voxel and the other's.
    pub fn stretches<'a>(
        &'a self,
        other: &'a RunTree,
    ) -> impl Iterator<Item = (Range<usize>, Voxel, Voxel)> + 'a {
        let mut lefts = self.runs();
        let mut rights = other.runs();
        let mut left = lefts.next();
        let mut right = rights.next();
        let mut start = 0;
        std::iter::from_fn(move || {
            let ours = left?;
            let theirs = right?;
            let end = ours.end().min(theirs.end());
            let stretch = (start as usize..end as usize, ours.voxel, theirs.voxel);
            start = end;
            if ours.end() == end {
                left = lefts.next();
            }
            if theirs.end() == end {
                right = rights.next();
            }
            Some(stretch)
        })
    }

    /// Iterates over linear ranges of the voxels that differ between the two chunks, ascending.
    /// Neighbouring ranges may touch.
    pub fn differing_ranges<'a>(
        &'a self,
        other: &'a RunTree,
    ) -> impl Iterator<Item = Range<usize>> + 'a {
        self.stretches(other).filter(|(_, left, right)| left != right).map(|(range, ..)| range)
    }

    /// Calls `each` with linear ranges of the voxels that differ between the two chunks, ascending.
    /// Neighbouring ranges may touch.
    ///
    /// Faster than [`RunTree::differing_ranges`] where one chunk is uniform or both have the same
    /// runs with other values, because it reads only one chunk.
    pub(crate) fn for_each_differing(&self, other: &RunTree, mut each: impl FnMut(Range<usize>)) {
        let all = 0..CHUNK_VOLUME;
        let (tree, value) = match (self.as_uniform(), other.as_uniform()) {
            (_, Some(value)) => (self, value),
            (Some(value), None) => (other, value),
            (None, None) if self.has_same_runs(other) => {
                let differs: Vec<bool> =
                    self.values().zip(other.values()).map(|(a, b)| a != b).collect();
                return self.for_each_coded(all, |start, end, code| {
                    if differs[code] {
                        each(start..end);
                    }
                });
            }
            (None, None) => {
                return self
                    .stretches(other)
                    .filter(|(_, a, b)| a != b)
                    .for_each(|(range, ..)| each(range));
            }
        };
        match tree.values().position(|voxel| voxel == value) {
            None => each(all),
            Some(equal) => tree.for_each_coded(all, |start, end, code| {
                if code != equal {
                    each(start..end);
                }
            }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chunk(period: usize, materials: u16) -> RunTree {
        let voxel = |index: usize| match (index / period) as u16 % materials {
            0 => Voxel::AIR,
            material => Voxel::full(material),
        };
        RunTree::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index))))
    }

    fn differing(a: &RunTree, b: &RunTree) -> Vec<usize> {
        let mut indices = Vec::new();
        a.for_each_differing(b, |range| indices.extend(range));
        indices
    }

    #[test]
    fn chunks_are_joined_voxel_by_voxel() {
        let chunks = [chunk(1, 300), chunk(37, 5), chunk(40_000, 1), chunk(1000, 2), chunk(3, 2)];
        let join = |a: Voxel, b: Voxel| if a > b { a } else { b };
        for a in &chunks {
            for b in &chunks {
                let joined = a.zip(b, join);
                joined.check().expect("a sound tree");
                let expected = (0..CHUNK_VOLUME).map(|index| (1, join(a.get(index), b.get(index))));
                assert_eq!(joined, RunTree::from_runs(expected));
                let different: Vec<usize> =
                    (0..CHUNK_VOLUME).filter(|&i| a.get(i) != b.get(i)).collect();
                assert_eq!(a.differing_ranges(b).flatten().collect::<Vec<_>>(), different);
                assert_eq!(differing(a, b), different);
            }
        }
    }

    #[test]
    fn map_changes_every_voxel_and_keeps_an_equal_chunk() {
        let before = chunk(7, 4);
        let after =
            before.map(|voxel| if voxel == Voxel::full(2) { Voxel::full(3) } else { voxel });
        after.check().expect("a sound tree");
        for index in 0..CHUNK_VOLUME {
            let expected = if before.get(index) == Voxel::full(2) {
                Voxel::full(3)
            } else {
                before.get(index)
            };
            assert_eq!(after.get(index), expected);
        }
        assert_eq!(after.values().filter(|&voxel| voxel == Voxel::full(3)).count(), 1);
        let merged = before.map(|voxel| if voxel == Voxel::full(1) { Voxel::AIR } else { voxel });
        assert!(merged.run_count() < before.run_count());
        assert_eq!(before.map(|voxel| voxel), before);
        assert_eq!(before.map(|_| Voxel::AIR).as_uniform(), Some(Voxel::AIR));
    }

    /// Tests, in all representations, that a change of the palette alone keeps the runs, and that
    /// the tree equals one built from voxels.
    #[test]
    fn map_to_other_values_keeps_the_runs() {
        for (period, materials) in [(7, 4), (1, 3), (1, 300), (40_000, 1), (300, 40), (9, 2)] {
            let before = chunk(period, materials);
            for (from, to) in [(1, 900), (2, 0), (0, 900), (1, 2), (299, 1)] {
                let [from, to] =
                    [from, to].map(|id| if id == 0 { Voxel::AIR } else { Voxel::full(id) });
                let change = |voxel: Voxel| if voxel == from { to } else { voxel };
                let after = before.map(change);
                after.check().expect("a sound tree");
                assert_eq!(
                    after,
                    RunTree::from_runs((0..CHUNK_VOLUME).map(|i| (1, change(before.get(i)))))
                );
                let different: Vec<usize> =
                    (0..CHUNK_VOLUME).filter(|&i| before.get(i) != after.get(i)).collect();
                assert_eq!(differing(&before, &after), different, "{period} {from:?} {to:?}");
                assert_eq!(differing(&after, &before), different, "{period} {from:?} {to:?}");
            }
            // Swapping two values.
            let [a, b] = [1, 2].map(Voxel::full);
            let swapped = before.map(|voxel| {
                if voxel == a {
                    b
                } else if voxel == b {
                    a
                } else {
                    voxel
                }
            });
            swapped.check().expect("a sound tree");
            assert_eq!(swapped.run_count(), before.run_count());
            let expected: Vec<usize> =
                (0..CHUNK_VOLUME).filter(|&i| before.get(i) != swapped.get(i)).collect();
            assert_eq!(differing(&before, &swapped), expected);
        }
    }
}
