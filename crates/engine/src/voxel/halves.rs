//! Pairs of voxels that form one block, such as the lower and the upper half of a door.
//!
//! A voxel does not store which half it is, so the halves of a stack are paired from its lowest
//! voxel upwards. A third half on top of a door stays single.

/// Maximum number of voxels of a stack that are paired; voxels above it stay single. Even, so that
/// the limit splits no pair, and small, because rules read the whole stack.
pub(crate) const MAX_PAIRED_VOXELS: i32 = 16;

/// Offset along y from a half to its partner, 1 or -1; `None` for a half above
/// [`MAX_PAIRED_VOXELS`]. `below` is the number of voxels of the stack below the half.
#[must_use]
pub(crate) fn other_half_offset(below: i32) -> Option<i32> {
    (below < MAX_PAIRED_VOXELS).then_some(if below % 2 == 0 { 1 } else { -1 })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_are_mutual_and_end_below_the_limit() {
        for below in 0..MAX_PAIRED_VOXELS {
            let other = below + other_half_offset(below).unwrap();
            assert_eq!(other + other_half_offset(other).unwrap(), below);
        }
        assert_eq!([MAX_PAIRED_VOXELS, MAX_PAIRED_VOXELS + 1].map(other_half_offset), [None, None]);
    }
}
