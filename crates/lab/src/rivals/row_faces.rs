//! Counts the faces towards air, row by row, for stores that have rows.

use crate::input::VoxelId;

/// Number of voxels handled at once: a few vector registers.
const LANES: usize = 16;

/// Adds the faces of a row along x to `counts`. `ends` are the IDs before and after the row;
/// `adjacent` are the rows at y - 1, y + 1, z - 1 and z + 1, each as long as the row. The length is
/// a multiple of 16.
pub(super) fn count_row(
    row: &[VoxelId],
    ends: [VoxelId; 2],
    adjacent: [&[VoxelId]; 4],
    counts: &mut [u64],
) {
    let blocks = row.as_chunks::<LANES>().0;
    let [below, above, north, south] =
        adjacent.map(|other| &other.as_chunks::<LANES>().0[..blocks.len()]);
    for (i, here) in blocks.iter().enumerate() {
        let before = if i == 0 { ends[0] } else { blocks[i - 1][LANES - 1] };
        let after = blocks.get(i + 1).map_or(ends[1], |next| next[0]);
        let mut left = [before; LANES];
        let mut right = [after; LANES];
        left[1..].copy_from_slice(&here[..LANES - 1]);
        right[..LANES - 1].copy_from_slice(&here[1..]);
        let faces = count_lanes(here, &left, &right, &below[i], &above[i], &north[i], &south[i]);
        if faces != [0; LANES] {
            for (&id, &count) in here.iter().zip(&faces) {
                counts[usize::from(id)] += u64::from(count);
            }
        }
    }
}

type Lanes = [VoxelId; LANES];

/// Counts the faces of each voxel in a form that compiles to a few vector instructions.
#[inline]
fn count_lanes(
    here: &Lanes,
    a: &Lanes,
    b: &Lanes,
    c: &Lanes,
    d: &Lanes,
    e: &Lanes,
    f: &Lanes,
) -> [u16; LANES] {
    let air = |id: VoxelId| u16::from(id == 0);
    std::array::from_fn(|i| {
        let faces = air(a[i]) + air(b[i]) + air(c[i]) + air(d[i]) + air(e[i]) + air(f[i]);
        faces & air(here[i]).wrapping_sub(1)
    })
}
