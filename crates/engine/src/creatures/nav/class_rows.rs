//! The classes of the voxels of a chunk as rows of bits, read from runs.

use super::class::{NavClass, NavClasses};
use crate::runs::RunTree;
use crate::runs::bit_rows::{AREA, BitMasks, ChunkPart, RowToggles};
use crate::voxel::Box3;
use glam::IVec3;

/// Classes of a row of 32 voxels: one word with their low bits, one with their high bits.
pub(super) type ClassRow = [u32; 2];

/// Classes of the voxels of a chunk.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum ClassRows {
    /// The same class everywhere.
    Uniform(NavClass),
    /// Classes of each row, indexed by z + 32 y.
    Rows(Box<[ClassRow; AREA]>),
}

/// Row with the same class everywhere.
const fn splat(class: NavClass) -> ClassRow {
    let bits = class as u32;
    [0u32.wrapping_sub(bits & 1), 0u32.wrapping_sub(bits >> 1)]
}

impl ClassRows {
    /// Reads the classes of a chunk from its runs.
    pub fn new(tree: &RunTree, classes: &NavClasses) -> ClassRows {
        let palette: Vec<NavClass> = tree.values().map(|voxel| classes.class(voxel)).collect();
        if let [first, rest @ ..] = &palette[..]
            && rest.iter().all(|class| class == first)
        {
            return ClassRows::Uniform(*first);
        }
        let masks: Vec<BitMasks<2>> = palette.into_iter().map(splat).collect();
        let part = ChunkPart::new(IVec3::ZERO);
        let mut buffer = [0; 2 * (AREA + 1)];
        let mut rows = crate::runs::bit_rows::boxed::<ClassRow, AREA>([0; 2]);
        let toggles = RowToggles::new(&mut buffer, part.row_count());
        part.read(tree, |code| masks[code], toggles, |number, bits| rows[number] = bits);
        ClassRows::Rows(rows)
    }

    /// Row `number`, which is z + 32 y.
    #[inline]
    pub fn row(&self, number: usize) -> ClassRow {
        match self {
            ClassRows::Uniform(class) => splat(*class),
            ClassRows::Rows(rows) => rows[number],
        }
    }

    /// Class of the voxel at `x` in row z + 32 y.
    #[inline]
    pub fn class(&self, row: usize, x: u32) -> NavClass {
        match self {
            ClassRows::Uniform(class) => *class,
            ClassRows::Rows(rows) => {
                let [low, high] = rows[row];
                NavClass::from_bits((low >> x & 1) | (high >> x & 1) << 1)
            }
        }
    }

    /// Smallest box around the voxels whose classes differ, in chunk coordinates; `None` if all
    /// classes are equal.
    pub fn difference(&self, other: &ClassRows) -> Option<Box3> {
        let mut found: Option<Box3> = None;
        for number in 0..AREA {
            let a = self.row(number);
            let b = other.row(number);
            let bits = (a[0] ^ b[0]) | (a[1] ^ b[1]);
            if bits != 0 {
                let low = IVec3::new(
                    bits.trailing_zeros() as i32,
                    (number / 32) as i32,
                    (number % 32) as i32,
                );
                let area = Box3::spanning(low, low.with_x(31 - bits.leading_zeros() as i32));
                found = Some(found.map_or(area, |known| known.around(area)));
            }
        }
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::{CHUNK_VOLUME, MaterialTable, Voxel, linear_offset};

    #[test]
    fn rows_hold_the_class_of_every_voxel() {
        let table = MaterialTable::builtin();
        let classes = NavClasses::new(&table);
        let of = |name: &str| Voxel::full(table.find(name).unwrap());
        let voxels = [Voxel::AIR, of("stone"), of("water"), of("lava")];
        let voxel = |index: usize| voxels[(index / 7 + index / 900) % 4];
        let tree = RunTree::from_runs((0..CHUNK_VOLUME).map(|index| (1, voxel(index))));
        let rows = ClassRows::new(&tree, &classes);
        for index in 0..CHUNK_VOLUME {
            let at = linear_offset(index);
            assert_eq!(
                rows.class((at.z + 32 * at.y) as usize, at.x as u32),
                classes.class(voxel(index)),
                "{at}"
            );
        }
        let mut edited = tree.clone();
        edited.set(5 + 32 * 3 + 1024 * 9, of("lava"));
        edited.set(8 + 32 * 4 + 1024 * 9, of("lava"));
        let changed = ClassRows::new(&edited, &classes).difference(&rows);
        let expected = [(5, 3), (8, 4)].map(|(x, z)| IVec3::new(x, 9, z));
        let differs = |at: IVec3| {
            edited.get(crate::voxel::linear_index(at)) != tree.get(crate::voxel::linear_index(at))
        };
        let around =
            expected.into_iter().filter(|&at| differs(at)).map(|at| Box3::spanning(at, at));
        assert_eq!(changed, around.reduce(Box3::around));
        assert_eq!(rows.difference(&rows), None);
        assert_eq!(
            ClassRows::new(&RunTree::uniform(of("sand")), &classes),
            ClassRows::Uniform(NavClass::Ground)
        );
    }
}
