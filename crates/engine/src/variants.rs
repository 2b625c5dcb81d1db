//! All variants of an enum as an array, for tables with one entry per variant.

use strum::VariantArray;

/// All `N` variants, in the order of their declaration.
///
/// An array, unlike [`VariantArray::VARIANTS`], has its length in its type, so that tables can be
/// made with `map` and indexed without a check. In a constant, a wrong `N` does not compile.
///
/// # Panics
/// If the enum has another number of variants than `N`.
#[must_use]
pub const fn all<T: VariantArray + Copy, const N: usize>() -> [T; N] {
    assert!(T::VARIANTS.len() == N, "N is not the number of variants");
    match T::VARIANTS.first_chunk() {
        Some(variants) => *variants,
        None => unreachable!(),
    }
}
