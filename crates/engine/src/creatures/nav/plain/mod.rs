//! Reference implementation of navigation, which moves and searches from voxel to voxel. Tests
//! compare the answers of [`Navigation`](super::Navigation) with it, and the lab measures against
//! it.

mod voxel_moves;
mod voxel_search;

pub use voxel_moves::VoxelMoves;
pub use voxel_search::{dijkstra, lower_bound, search};
