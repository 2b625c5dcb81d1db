//! An order of cells along a Hilbert curve, so that cells near in space mostly have near numbers.
//!
//! The visibility text: "The cells can also be reordered such that longer sequences of zero bits
//! are created that typically compress better. However, finding the optimal order of cells is a
//! complex optimization problem." The cells of a voxel world have positions, so a space-filling
//! curve gains most of what an optimisation could: cells that are seen together get near numbers.
//! Unlike Morton's curve, the Hilbert curve never jumps; `docs/visibility.md` compares both with
//! rows of cells.

use glam::IVec3;

/// Returns the cells in the order in which a Hilbert curve visits them: the `k`-th is the cell at
/// `positions[order[k]]`. Positions are in sections, chunks or any other integer unit. Cells with
/// equal positions keep their order.
#[must_use]
pub fn order(positions: &[IVec3]) -> Vec<u32> {
    let corner = positions.iter().copied().reduce(IVec3::min).unwrap_or(IVec3::ZERO);
    // The difference of any two i32 fits into a u32.
    let from_corner = |at: IVec3| [0, 1, 2].map(|axis| at[axis].wrapping_sub(corner[axis]) as u32);
    let extent = positions.iter().flat_map(|&at| from_corner(at)).max().unwrap_or(0);
    let bits = u32::BITS - extent.leading_zeros();
    let mut cells: Vec<u32> = (0..positions.len() as u32).collect();
    cells.sort_by_cached_key(|&cell| curve_index(from_corner(positions[cell as usize]), bits));
    cells
}

/// The position of `at` along the curve through the cube of side `2^bits` (Skilling, "Programming
/// the Hilbert curve", 2004).
fn curve_index(mut at: [u32; 3], bits: u32) -> u128 {
    // Undoes the rotations of smaller cubes by larger ones, from the largest cube to the smallest.
    for bit in (1..bits).rev() {
        let below = (1 << bit) - 1;
        for axis in 0..3 {
            if at[axis] >> bit & 1 != 0 {
                at[0] ^= below;
            } else {
                let swap = (at[0] ^ at[axis]) & below;
                at[0] ^= swap;
                at[axis] ^= swap;
            }
        }
    }
    // Decodes the Gray code of each level.
    at[1] ^= at[0];
    at[2] ^= at[1];
    let turned =
        (1..bits).filter(|bit| at[2] >> bit & 1 != 0).fold(0, |all, bit| all ^ ((1 << bit) - 1));
    let at = at.map(|part| u128::from(part ^ turned));
    (0..bits)
        .rev()
        .fold(0, |along, bit| at.iter().fold(along, |along, part| along << 1 | part >> bit & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn curve_visits_cube_in_unit_steps() {
        for side in [1, 2, 4, 16] {
            let cube: Vec<IVec3> = (0..side * side * side)
                .map(|i| IVec3::new(i % side, i / side % side, i / side / side) - 7)
                .collect();
            let order = order(&cube);
            let mut all = order.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..cube.len() as u32), "each cell once");
            for pair in order.windows(2) {
                let step = (cube[pair[0] as usize] - cube[pair[1] as usize]).abs();
                assert_eq!(step.element_sum(), 1, "{pair:?} of {side}");
            }
        }
    }

    #[test]
    fn order_accepts_empty_equal_and_extreme_positions() {
        assert!(order(&[]).is_empty());
        assert_eq!(order(&[IVec3::splat(9); 3]), [0, 1, 2]);
        let far = [IVec3::MAX, IVec3::MIN, IVec3::MAX, IVec3::ZERO];
        let order = order(&far);
        assert_eq!(order[0], 1);
        assert_eq!(
            order.iter().position(|&k| k == 0).unwrap() + 1,
            order.iter().position(|&k| k == 2).unwrap()
        );
    }
}
