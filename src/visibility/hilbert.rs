//! Numbers for cells along a Hilbert curve, so that cells near in space mostly have near numbers.
//!
//! The text: "The cells can also be reordered such that longer sequences of zero bits are created that typically compress better.
//! However, finding the optimal order of cells is a complex optimization problem." A voxel world's cells have places, so a
//! space-filling curve does for most of what an optimization could: what is seen together lies together. The Hilbert curve never
//! jumps, as Morton's does; `docs/visibility.md` has the figures of both, and of rows of cells.

use glam::IVec3;

/// The cells in the order in which a Hilbert curve comes to them: the `k`-th is the one at `positions[order[k]]`. Positions are
/// in any unit in which they are whole numbers (sections, chunks); cells of one position keep their order.
#[must_use]
pub fn order(positions: &[IVec3]) -> Vec<u32> {
    let corner = positions.iter().copied().reduce(IVec3::min).unwrap_or(IVec3::ZERO);
    // Differences of any two i32 are u32s.
    let from_corner = |at: IVec3| [0, 1, 2].map(|axis| at[axis].wrapping_sub(corner[axis]) as u32);
    let extent = positions.iter().flat_map(|&at| from_corner(at)).max().unwrap_or(0);
    let bits = u32::BITS - extent.leading_zeros();
    let mut cells: Vec<u32> = (0..positions.len() as u32).collect();
    cells.sort_by_cached_key(|&cell| curve_index(from_corner(positions[cell as usize]), bits));
    cells
}

/// How far along the curve through the cube of side `2^bits` a place in it is (Skilling, "Programming the Hilbert curve", 2004).
fn curve_index(mut at: [u32; 3], bits: u32) -> u128 {
    // From the largest cube to the smallest, what the turns of the larger ones did to the smaller ones is undone.
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
    // The Gray code of each level is decoded.
    at[1] ^= at[0];
    at[2] ^= at[1];
    let turned = (1..bits).filter(|bit| at[2] >> bit & 1 != 0).fold(0, |all, bit| all ^ ((1 << bit) - 1));
    let at = at.map(|part| u128::from(part ^ turned));
    (0..bits).rev().fold(0, |along, bit| at.iter().fold(along, |along, part| along << 1 | part >> bit & 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_curve_visits_a_cube_in_single_steps() {
        for side in [1, 2, 4, 16] {
            let cube: Vec<IVec3> =
                (0..side * side * side).map(|i| IVec3::new(i % side, i / side % side, i / side / side) - 7).collect();
            let order = order(&cube);
            let mut all = order.clone();
            all.sort_unstable();
            assert!(all.into_iter().eq(0..cube.len() as u32), "each once");
            for pair in order.windows(2) {
                let step = (cube[pair[0] as usize] - cube[pair[1] as usize]).abs();
                assert_eq!(step.element_sum(), 1, "{pair:?} of {side}");
            }
        }
    }

    #[test]
    fn any_positions_have_an_order() {
        assert!(order(&[]).is_empty());
        assert_eq!(order(&[IVec3::splat(9); 3]), [0, 1, 2]);
        let far = [IVec3::MAX, IVec3::MIN, IVec3::MAX, IVec3::ZERO];
        let order = order(&far);
        assert_eq!(order[0], 1);
        assert_eq!(order.iter().position(|&k| k == 0).unwrap() + 1, order.iter().position(|&k| k == 2).unwrap());
    }
}
