//! Navigation: where a body one voxel wide and two voxels high can stand, swim and go.
//!
//! A *place* is a voxel in which such a body has its feet: it stands on ground, or swims in water.
//! A *step* leads to a side, at the same height or one voxel up or down. A *ledge* is a maximal set
//! of standing places of one chunk that steps connect; a *water volume* is the same for swimming
//! places. Both are the *nodes* of movement. Steps, strokes and jumps connect nodes in both
//! directions, so that sets of connected nodes are *areas*; falls lead from one area to another.
//!
//! The van Waveren text ("1. Introduction") uses a bit of a matrix to say what is reachable.
//! [`Navigation::can_reach`] reads such a bit, and it is exact: of two ledges in one cell, one may
//! be reachable and the other not.
//!
//! Chunks that are not loaded offer neither ground nor room.

mod area_reach;
mod chunk_nav;
mod class;
mod class_rows;
mod comparison;
mod flow_field;
mod graph;
mod links;
mod moves;
mod navigation;
mod padded_rows;
mod path;
mod place_rows;
pub mod plain;
mod row_moves;
mod strong;
mod update;

pub use class::{NavClass, NavClasses};
pub use flow_field::FlowField;
pub use graph::ReachCounts;
pub(in crate::creatures) use moves::MoveCode;
pub use navigation::Navigation;
pub use path::{Path, PathCounts, PathFinder};
pub use update::NavUpdate;

/// Deepest fall of a body, in voxels.
pub const MAX_FALL: i32 = 4;

#[cfg(test)]
mod tests;
