//! New chunks from the runs of one or two.

use super::{RunBuilder, RunTree};
use crate::voxel::{CHUNK_VOLUME, Voxel};

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
        let mut others = other.runs();
        let mut right = others.next();
        for left in self.runs() {
            let mut start = left.start;
            while let Some(run) = right.filter(|_| start < left.end()) {
                let end = left.end().min(run.end());
                builder.push(end - start, join(left.voxel, run.voxel));
                start = end;
                if run.end() == end {
                    right = others.next();
                }
            }
        }
        builder.finish()
    }
}

impl RunTree {
    /// Number of voxels whose value is another one in the other chunk.
    #[must_use]
    pub fn differences(&self, other: &RunTree) -> usize {
        let (mut different, mut others) = (0, other.runs());
        let mut right = others.next();
        for left in self.runs() {
            let mut start = left.start;
            while let Some(run) = right.filter(|_| start < left.end()) {
                let end = left.end().min(run.end());
                different += if left.voxel == run.voxel { 0 } else { (end - start) as usize };
                start = end;
                if run.end() == end {
                    right = others.next();
                }
            }
        }
        different
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
                assert_eq!(a.differences(b), different);
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
