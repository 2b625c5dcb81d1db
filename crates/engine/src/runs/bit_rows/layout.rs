//! Sizes and numbers of the bit rows of a chunk and its border.

use crate::voxel::CHUNK_SIDE;

/// Number of voxels in a row, and of a chunk's rows in a layer.
pub(crate) const SIDE: usize = CHUNK_SIDE as usize;
/// Number of voxels in a layer of a chunk.
pub(crate) const AREA: usize = SIDE * SIDE;
/// Number of rows in a layer with its border, one row on each side.
pub(crate) const LAYER: usize = SIDE + 2;
/// One word per row of a chunk and its border of one voxel, by y + 1 and z + 1. Bit x + 1 stands
/// for the voxel at x, from -1 to 32.
pub(crate) type Words = [[u64; LAYER]; LAYER];

/// Number of the row at y and z, each from -1 to 32.
pub(crate) const fn row_number(y: i32, z: i32) -> usize {
    ((y + 1) * LAYER as i32 + z + 1) as usize
}

/// Returns the bits of the voxels inside the chunk: bit x for x from 0 to 31.
#[inline]
pub(crate) const fn inner(word: u64) -> u32 {
    (word >> 1) as u32
}

/// Allocates an array directly on the heap, without building it on the stack first.
pub(crate) fn boxed<T: Copy, const N: usize>(value: T) -> Box<[T; N]> {
    let Ok(array) = vec![value; N].into_boxed_slice().try_into() else {
        unreachable!("the slice has N elements")
    };
    array
}
