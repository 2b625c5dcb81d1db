//! New chunks from the runs of one or two.

use super::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_VOLUME, Voxel};
use std::ops::Range;

impl RunTree {
    /// The chunk with `change` of each voxel. `change` is called once per voxel of the palette.
    #[must_use]
    pub fn map(&self, change: impl FnMut(Voxel) -> Voxel) -> RunTree {
        let values: Vec<Voxel> = self.values().collect();
        let changed: Vec<Voxel> = values.iter().copied().map(change).collect();
        if changed == values {
            return self.clone();
        }
        let mut builder = RunBuilder::new();
        self.for_each_coded(0..CHUNK_VOLUME, |start, end, code| builder.push((end - start) as u32, changed[code]));
        builder.finish()
    }

    /// The chunk whose voxels are `join` of this chunk's and the other's voxels at the same place.
    /// `join` is called once for each stretch where both have one voxel.
    #[must_use]
    pub fn zip(&self, other: &RunTree, mut join: impl FnMut(Voxel, Voxel) -> Voxel) -> RunTree {
        if let Some(value) = other.as_uniform() {
            return self.map(|voxel| join(voxel, value));
        }
        if let Some(value) = self.as_uniform() {
            return other.map(|voxel| join(value, voxel));
        }
        let mut builder = RunBuilder::new();
        self.stretches(other).for_each(|(range, left, right)| builder.push(range.len() as u32, join(left, right)));
        builder.finish()
    }

    /// Stretches where both chunks have one voxel each: linear ranges, this chunk's voxel and the
    /// other's.
    pub fn stretches<'a>(&'a self, other: &'a RunTree) -> impl Iterator<Item = (Range<usize>, Voxel, Voxel)> + 'a {
        let (mut lefts, mut rights) = (self.runs(), other.runs());
        let (mut left, mut right) = (lefts.next(), rights.next());
        let mut start = 0;
        std::iter::from_fn(move || {
            let (ours, theirs) = (left?, right?);
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

    /// Linear ranges of the voxels that differ from the other chunk's, ascending. Neighbouring ranges
    /// may touch.
    pub fn differing_ranges<'a>(&'a self, other: &'a RunTree) -> impl Iterator<Item = Range<usize>> + 'a {
        self.stretches(other).filter(|(_, left, right)| left != right).map(|(range, ..)| range)
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
                let different = (0..CHUNK_VOLUME).filter(|&index| a.get(index) != b.get(index)).count();
                assert_eq!(a.differing_ranges(b).map(|range| range.len()).sum::<usize>(), different);
                assert!(a.differing_ranges(b).flatten().all(|index| a.get(index) != b.get(index)));
            }
        }
    }

    #[test]
    fn map_changes_every_voxel_and_keeps_an_equal_chunk() {
        let before = chunk(7, 4);
        let after = before.map(|voxel| if voxel == Voxel::full(2) { Voxel::full(3) } else { voxel });
        after.check().expect("a sound tree");
        for index in 0..CHUNK_VOLUME {
            let expected = if before.get(index) == Voxel::full(2) { Voxel::full(3) } else { before.get(index) };
            assert_eq!(after.get(index), expected);
        }
        assert_eq!(after.values().filter(|&voxel| voxel == Voxel::full(3)).count(), 1);
        assert_eq!(before.map(|voxel| voxel), before);
        assert_eq!(before.map(|_| Voxel::AIR).as_uniform(), Some(Voxel::AIR));
    }
}
