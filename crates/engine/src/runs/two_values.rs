//! Chunks of two values as one bit per voxel.
//!
//! Runs alternate between the two values. So the bits of the voxels follow from the bits of the
//! starts by a prefix XOR, and the starts from the voxels by a shift: no run is walked, which
//! matters in a chunk of ten thousand runs.

use super::RunTree;
use super::bit_rows::{SIDE, boxed};
use super::packed::{PackedRef, pack_two_values};
use super::repr::Repr;
use super::{RunBuilder, builder::PACKED};
use crate::bits::set_bits;
use crate::voxel::{CHUNK_VOLUME, Voxel};

/// Number of rows of a chunk.
const ROWS: usize = CHUNK_VOLUME / SIDE;

/// A chunk of two values.
pub(crate) struct TwoValues {
    /// Value of the voxels whose bits are 0, and of the voxels whose bits are 1.
    pub values: [Voxel; 2],
    /// One bit per voxel: bit x of word z + 32 y.
    pub rows: Box<[u32; ROWS]>,
}

impl TwoValues {
    /// Bits set at each voxel that differs from the voxel before it, and at the first voxel.
    fn starts(&self) -> Box<[u32; ROWS]> {
        let mut starts = self.rows.clone();
        let mut before = !self.rows[0] << (SIDE - 1);
        for (starts, row) in starts.iter_mut().zip(self.rows.iter()) {
            *starts ^= row << 1 | before >> (SIDE - 1);
            before = *row;
        }
        starts
    }

    /// Converts the chunk to a run tree.
    pub(crate) fn to_tree(&self) -> RunTree {
        let starts = self.starts();
        let count: usize = starts.iter().map(|row| row.count_ones() as usize).sum();
        if count >= PACKED {
            return RunTree(Repr::Packed(pack_two_values(self.values, &self.rows, &starts, count)));
        }
        let mut builder = RunBuilder::with_palette(self.values.to_vec());
        for (number, (starts, row)) in starts.into_iter().zip(self.rows.iter()).enumerate() {
            for x in set_bits(starts) {
                builder.push_code((number * SIDE) as u16 | x as u16, (row >> x & 1) as u16);
            }
        }
        builder.finish()
    }
}

impl RunTree {
    /// Returns the voxels as bits if the palette has two values; otherwise `None`.
    pub(crate) fn two_values(&self) -> Option<TwoValues> {
        let [first, second] = self.values().collect::<Vec<_>>()[..] else { return None };
        let values = if self.get(0) == first { [first, second] } else { [second, first] };
        let mut rows = boxed(0);
        if let Repr::Packed(bytes) = &self.0 {
            let packed = PackedRef::new(bytes);
            let blocks = rows.as_chunks_mut().0.iter_mut().enumerate();
            blocks.for_each(|(number, block)| *block = packed.start_rows(number));
        } else {
            self.fold_starts(0..SIDE, (), |(), run| {
                rows[usize::from(run.start) / SIDE] |= 1 << (usize::from(run.start) % SIDE);
            });
        }
        // The first voxel has the first value, whose bit is 0. Its start toggles the bit, so the
        // XOR begins with ones.
        let mut before = u32::MAX;
        for row in rows.iter_mut() {
            [1, 2, 4, 8, 16].into_iter().for_each(|shift| *row ^= *row << shift);
            *row ^= before;
            before = (row.cast_signed() >> (SIDE - 1)).cast_unsigned();
        }
        Some(TwoValues { values, rows })
    }
}

#[cfg(test)]
mod tests {
    use super::super::packed::pack;
    use super::super::run::CodedRun;
    use super::*;
    use crate::random::Random;

    fn packed_bytes(tree: &RunTree) -> Option<Vec<u8>> {
        if let Repr::Packed(bytes) = &tree.0 { Some(bytes.to_vec()) } else { None }
    }

    /// Packs the voxels run by run and returns the bytes.
    fn packed_runs(voxels: &[Voxel], palette: [Voxel; 2]) -> Vec<u8> {
        let starts = (0..voxels.len()).filter(|&at| at == 0 || voxels[at] != voxels[at - 1]);
        let code = |at: usize| u16::from(voxels[at] == palette[1]);
        let runs: Vec<CodedRun> =
            starts.map(|at| CodedRun { start: at as u16, code: code(at) }).collect();
        pack(&runs, &palette).to_vec()
    }

    #[test]
    fn chunk_of_two_values_survives_bits_and_back() {
        let values = [Voxel::AIR, Voxel::full(7)];
        let mut random = Random::new(1);
        for longest in [2, 5, 14, 40, 90, 3000, 20_000] {
            for first in [0, 1] {
                let mut voxels = Vec::new();
                while voxels.len() < CHUNK_VOLUME {
                    let end = voxels.len() + 1 + random.index(longest);
                    voxels.resize(end.min(CHUNK_VOLUME), values[(first + random.index(2)) % 2]);
                }
                if first == 1 {
                    // Air in the upper half, in cells of 4 voxels along x that begin and end at
                    // several x.
                    let upper = CHUNK_VOLUME / 2..CHUNK_VOLUME;
                    upper.for_each(|at| {
                        voxels[at] = values[usize::from([1, 14, 27].contains(&(at % SIDE)))]
                    });
                }
                voxels[9] = values[0];
                voxels[10] = values[1];
                let mut tree = RunTree::from_runs(voxels.iter().map(|&voxel| (1, voxel)));
                let is_packed = matches!(tree.0, Repr::Packed(_));
                for _ in 0..2 {
                    let two = tree.two_values().expect("there are two values");
                    let bit = |at: usize| (two.rows[at / SIDE] >> (at % SIDE) & 1) as usize;
                    assert!(
                        (0..CHUNK_VOLUME).all(|at| two.values[bit(at)] == voxels[at]),
                        "{longest}"
                    );
                    let after = two.to_tree();
                    after.check().expect("the tree is sound");
                    assert_eq!(after, tree);
                    assert_eq!(
                        packed_bytes(&after),
                        is_packed.then(|| packed_runs(&voxels, two.values))
                    );
                    let swapped = TwoValues {
                        values: [two.values[1], two.values[0]],
                        rows: Box::new(two.rows.map(|row| !row)),
                    };
                    let swapped = swapped.to_tree();
                    swapped.check().expect("the tree is sound");
                    assert_eq!(swapped, tree);
                    let palette = [two.values[1], two.values[0]];
                    assert_eq!(
                        packed_bytes(&swapped),
                        is_packed.then(|| packed_runs(&voxels, palette))
                    );
                    let again = swapped.two_values().expect("there are two values");
                    assert_eq!((again.values, again.rows), (two.values, two.rows));
                    // The second round starts from a table, also where the tree was packed.
                    tree.unpack();
                }
            }
        }
        let three = RunTree::from_runs([(9, values[0]), (9, values[1]), (32_750, Voxel::full(2))]);
        assert!(three.two_values().is_none() && RunTree::uniform(values[1]).two_values().is_none());
    }
}
