//! Faces between voxels that differ and voxels that do not, merged into rectangles.

use super::kind_rows::{KindRows, ROWS, SIDE, VoxelFate};
use glam::IVec3;
use stonerun_engine::bits::set_bits;
use stonerun_engine::voxel::Face;

/// A rectangle of unit faces of one fate, as the box of their voxels, which is one voxel thick
/// along the face's normal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct FateQuad {
    pub(super) face: Face,
    pub(super) fate: VoxelFate,
    /// Lowest voxel, relative to the chunk's lowest one.
    pub(super) low: [u8; 3],
    /// Voxels along each axis.
    pub(super) size: [u8; 3],
}

/// Passes the merged faces of a chunk to `each`. `around` holds, for each face of this chunk, the
/// layer of the adjacent chunk that touches it; `None` where that chunk has no differing voxels.
pub(super) fn for_each_quad(
    rows: &KindRows,
    around: [Option<&[u32; SIDE]>; 6],
    mut each: impl FnMut(FateQuad),
) {
    let any = rows.any();
    let mut planes = vec![0u32; ROWS];
    for face in Face::ALL {
        let open = open_faces(&any, face, around[face as usize]);
        for fate in VoxelFate::ALL {
            let kind = &rows.0[fate as usize];
            if !into_planes(kind, &open, face, &mut planes) {
                continue;
            }
            for (slice, plane) in planes.as_chunks_mut::<SIDE>().0.iter_mut().enumerate() {
                merge(plane, |row, rows, col, cols| {
                    let at = |slice, row, col| match face {
                        Face::East | Face::West => [slice, row, col],
                        Face::Up | Face::Down => [col, slice, row],
                        Face::South | Face::North => [col, row, slice],
                    };
                    each(FateQuad {
                        face,
                        fate,
                        low: at(slice as u8, row, col),
                        size: at(1, rows, cols),
                    });
                });
            }
        }
    }
}

/// Bits of voxels whose neighbour beyond `face` does not differ, in the row order of [`KindRows`].
fn open_faces(any: &[u32; ROWS], face: Face, beyond: Option<&[u32; SIDE]>) -> Vec<u32> {
    let outside = |word: usize| beyond.map_or(0, |words| words[word]);
    (0..ROWS)
        .map(|row| {
            let z = row % SIDE;
            let y = row / SIDE;
            let next = match face {
                Face::East => any[row] >> 1 | (outside(y) >> z & 1) << (SIDE - 1),
                Face::West => any[row] << 1 | (outside(y) >> z & 1),
                Face::Up if y == SIDE - 1 => outside(z),
                Face::Up => any[row + SIDE],
                Face::Down if y == 0 => outside(z),
                Face::Down => any[row - SIDE],
                Face::South if z == SIDE - 1 => outside(y),
                Face::South => any[row + 1],
                Face::North if z == 0 => outside(y),
                Face::North => any[row - 1],
            };
            !next
        })
        .collect()
}

/// Distributes the open faces of one fate to planes: a face is bit `col` of word `row + 32 slice`.
/// Returns true if there are any.
fn into_planes(kind: &[u32; ROWS], open: &[u32], face: Face, planes: &mut [u32]) -> bool {
    planes.fill(0);
    let mut found = false;
    for (row, (kind, open)) in kind.iter().zip(open).enumerate() {
        let bits = kind & open;
        if bits == 0 {
            continue;
        }
        found = true;
        let z = row % SIDE;
        let y = row / SIDE;
        match face {
            Face::Up | Face::Down => planes[z + SIDE * y] = bits,
            Face::South | Face::North => planes[y + SIDE * z] = bits,
            Face::East | Face::West => {
                for x in set_bits(bits) {
                    planes[y + SIDE * x as usize] |= 1 << z;
                }
            }
        }
    }
    found
}

/// Merges the bits of a plane into rectangles, and clears it. Passes each rectangle to `each`:
/// first row, number of rows, first column, number of columns.
fn merge(plane: &mut [u32; SIDE], mut each: impl FnMut(u8, u8, u8, u8)) {
    for row in 0..SIDE {
        while plane[row] != 0 {
            let col = plane[row].trailing_zeros();
            let cols = (!(plane[row] >> col)).trailing_zeros().min(SIDE as u32 - col);
            let mask = (u32::MAX >> (SIDE as u32 - cols)) << col;
            let mut end = row;
            while end < SIDE && plane[end] & mask == mask {
                plane[end] &= !mask;
                end += 1;
            }
            each(row as u8, (end - row) as u8, col as u8, cols as u8);
        }
    }
}

impl FateQuad {
    /// The lowest and highest corner of the quad's box, for a lattice whose cells have sides of
    /// `cell` voxels and whose lowest corner is `origin`.
    pub(super) fn corners(&self, origin: IVec3, cell: i32) -> [IVec3; 2] {
        let low = IVec3::from_array(self.low.map(i32::from));
        let size = IVec3::from_array(self.size.map(i32::from));
        [origin + low * cell, origin + (low + size) * cell]
    }
}

#[cfg(test)]
mod tests {
    use super::super::kind_rows::sides;
    use super::*;
    use std::collections::BTreeMap;
    use stonerun_engine::random::Random;
    use stonerun_engine::voxel::{linear_index, linear_offset};

    /// Random stretches of voxels of three fates in a chunk.
    fn fates(seed: u64, every: usize) -> Vec<Option<VoxelFate>> {
        let mut random = Random::new(seed);
        let mut all = Vec::new();
        while all.len() < SIDE * ROWS {
            let fate = VoxelFate::ALL.get(random.index(every)).copied();
            all.resize((all.len() + 1 + random.index(90)).min(SIDE * ROWS), fate);
        }
        all
    }

    fn rows(fates: &[Option<VoxelFate>]) -> KindRows {
        let mut rows = KindRows::new();
        for (index, fate) in fates.iter().enumerate() {
            if let Some(fate) = *fate {
                rows.add(index..index + 1, fate);
            }
        }
        rows
    }

    #[test]
    fn quads_cover_each_open_face_once() {
        for (seed, every) in [(1, 3), (2, 4), (3, 9), (4, 40)] {
            // All six neighbours have the same content as the chunk.
            let chunk = fates(seed, every);
            let other = fates(seed + 100, every);
            let other_sides = sides(&rows(&other).any());
            let around = std::array::from_fn(|face| (face != 2).then(|| &other_sides[face ^ 1]));
            let mut covered: BTreeMap<(u8, [i32; 3]), VoxelFate> = BTreeMap::new();
            for_each_quad(&rows(&chunk), around, |quad| {
                let [low, high] = quad.corners(IVec3::ZERO, 1);
                assert_eq!((high - low).dot(quad.face.normal().abs()), 1);
                for y in low.y..high.y {
                    for z in low.z..high.z {
                        for x in low.x..high.x {
                            assert_eq!(
                                covered.insert((quad.face as u8, [x, y, z]), quad.fate),
                                None,
                                "covered twice"
                            );
                        }
                    }
                }
            });
            for (index, fate) in chunk.iter().enumerate() {
                let at = linear_offset(index);
                for face in Face::ALL {
                    let next = at + face.normal();
                    let inside = next.min_element() >= 0 && next.max_element() < SIDE as i32;
                    let differs = if inside {
                        chunk[linear_index(next)].is_some()
                    } else {
                        face != Face::Up && other[linear_index(next & 31)].is_some()
                    };
                    let expected = fate.filter(|_| !differs);
                    assert_eq!(
                        covered.get(&(face as u8, at.to_array())).copied(),
                        expected,
                        "{at} {face:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn box_has_six_quads_and_empty_rows_have_none() {
        let mut rows = KindRows::new();
        for y in 3..9 {
            for z in 0..32 {
                let start = linear_index(IVec3::new(2, y, z));
                rows.add(start..start + 11, VoxelFate::Added);
            }
        }
        let mut count = 0;
        for_each_quad(&rows, [None; 6], |quad| {
            assert_eq!(quad.fate, VoxelFate::Added);
            count += 1;
        });
        assert_eq!(count, 6);
        for_each_quad(&KindRows::new(), [None; 6], |_| panic!("nothing differs"));
    }
}
