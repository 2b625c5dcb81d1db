//! Navigation: where a body one voxel wide and two voxels high can stand, swim and go.
//!
//! A *place* is a voxel in which such a body has its feet: it stands on ground, or swims in water.
//! A *step* leads to a side, at the same height or one voxel up or down. A *ledge* is a maximal set
//! of standing places of one chunk that steps connect; a *water volume* is the same for swimming
//! places. Both are the *nodes* of movement. Steps, vertical swimming and jumps connect nodes in both
//! directions, so that sets of connected nodes are *areas*; falls lead from one area to another.
//!
//! The van Waveren text ("1. Introduction") keeps reachability as bits of a matrix between cells.
//! [`Navigation::can_reach`] reads such a bit, but between areas, so that it is exact: of two
//! ledges in one cell, one may be reachable and the other not.
//!
//! A chunk that is not loaded has neither ground nor room, so no path leads into it.

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

/// Maximum depth of a fall, in voxels.
pub(crate) const MAX_FALL: i32 = 4;

#[cfg(test)]
mod tests;
