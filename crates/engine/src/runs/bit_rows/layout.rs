//! The rows of a chunk and of the voxels around it: sizes and numbers.

use crate::voxel::CHUNK_SIDE;

/// Voxels in a row, and rows of a chunk in a layer.
pub(crate) const SIDE: usize = CHUNK_SIDE as usize;
/// Voxels of a layer of a chunk.
pub(crate) const AREA: usize = SIDE * SIDE;
/// Rows in a layer, with one more on each side.
pub(crate) const LAYER: usize = SIDE + 2;
/// One word per row of a chunk and around it, by y + 1 and z + 1. Bit x + 1 belongs to the voxel
/// at x, from -1 to 32.
pub(crate) type Words = [[u64; LAYER]; LAYER];

/// Number of the row at y and z, each from -1 to 32.
pub(crate) const fn row_number(y: i32, z: i32) -> usize {
    ((y + 1) * LAYER as i32 + z + 1) as usize
}

/// The bits of x from 0 to 31 of a word.
#[inline]
pub(crate) const fn inner(word: u64) -> u32 {
    (word >> 1) as u32
}

/// Allocates an array directly on the heap.
pub(crate) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else {
        unreachable!("the slice has N elements")
    };
    array
}
