//! Selection without a branch.

/// `first ? a : b` without a branch, for unpredictable conditions.
#[inline(always)]
pub(super) fn select(first: bool, a: u32, b: u32) -> u32 {
    std::hint::select_unpredictable(first, a, b)
}
