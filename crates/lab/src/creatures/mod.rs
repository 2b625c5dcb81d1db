//! Navigation of creatures compared with plain searches from voxel to voxel.
//!
//! The plain searches read the world one voxel at a time. The engine's answers are checked against
//! theirs.

mod input;
mod paths;
mod reach;
mod ticks;

pub use input::CreatureInput;
pub use paths::{PATH_COST, PathMeasurement, measure_paths, pairs_apart};
pub use reach::{NavEditMeasurement, ReachMeasurement, measure_edits, measure_reach};
pub use stonerun_engine::creatures::nav::plain::{VoxelMoves, dijkstra, lower_bound, search};
pub use ticks::{TickMeasurement, VINTAGE_STORY_US, measure_ticks};
