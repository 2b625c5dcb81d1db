//! Words for the halves of a block.

/// Word for shapes in the upper half of a block, or hanging from there.
pub(in crate::voxel::shape) const TOP: &str = "top";
/// Word for shapes in the lower half of a block.
pub(in crate::voxel::shape) const BOTTOM: &str = "bottom";
