//! Creatures next to plain searches from voxel to voxel.
//!
//! The plain searches read the world one voxel at a time. Their answers are compared with ours.

mod input;
mod paths;
mod reach;
mod ticks;
mod voxel_moves;
mod voxel_search;

pub use input::CreatureInput;
pub use paths::{PATH_COST, PathMeasurement, measure_paths, pairs_apart};
pub use reach::{EditMeasurement, ReachMeasurement, measure_edits, measure_reach};
pub use ticks::{TickMeasurement, VINTAGE_STORY_US, measure_ticks};
pub use voxel_moves::VoxelMoves;
pub use voxel_search::{dijkstra, lower_bound, search};
