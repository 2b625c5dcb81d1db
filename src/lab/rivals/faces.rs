//! Counting the faces that border on air, row by row: what all stores do that have rows.

use crate::lab::input::Value;

/// Voxels handled at once: a few vectors.
const PART: usize = 16;

/// Adds the faces of a row along x to `counts`. `beside` are the rows at y - 1, y + 1, z - 1 and z + 1, as long as the row;
/// `ends` the values before and after it. The length is a multiple of 16.
pub(super) fn of_row(row: &[Value], ends: [Value; 2], beside: [&[Value]; 4], counts: &mut [u64]) {
    let parts = row.as_chunks::<PART>().0;
    let [below, above, north, south] = beside.map(|other| &other.as_chunks::<PART>().0[..parts.len()]);
    for (i, here) in parts.iter().enumerate() {
        let before = if i == 0 { ends[0] } else { parts[i - 1][PART - 1] };
        let after = parts.get(i + 1).map_or(ends[1], |next| next[0]);
        let (mut left, mut right) = ([before; PART], [after; PART]);
        left[1..].copy_from_slice(&here[..PART - 1]);
        right[..PART - 1].copy_from_slice(&here[1..]);
        let faces = of_part(here, &left, &right, &below[i], &above[i], &north[i], &south[i]);
        if faces != [0; PART] {
            for (&value, &count) in here.iter().zip(&faces) {
                counts[usize::from(value)] += u64::from(count);
            }
        }
    }
}

type Part = [Value; PART];

/// The faces of each voxel of a part. Written so that it becomes a few vector instructions.
#[inline]
fn of_part(here: &Part, a: &Part, b: &Part, c: &Part, d: &Part, e: &Part, f: &Part) -> [u16; PART] {
    let air = |value: Value| u16::from(value == 0);
    std::array::from_fn(|i| {
        let faces = air(a[i]) + air(b[i]) + air(c[i]) + air(d[i]) + air(e[i]) + air(f[i]);
        faces & air(here[i]).wrapping_sub(1)
    })
}
