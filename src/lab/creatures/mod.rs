//! Creatures next to plain searches from voxel to voxel.

mod voxel_moves;

pub use voxel_moves::VoxelMoves;
