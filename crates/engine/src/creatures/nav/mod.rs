//! Navigation: where a body one voxel wide and two voxels high can stand, swim and go.
//!
//! A *place* is a voxel in which such a body can have its feet: the body stands on ground, or swims
//! in water. A *step* leads to a side, at the same height or one voxel up or down. A *ledge* is a
//! maximal set of standing places of one chunk that steps connect. A *water volume* is a maximal
//! set of swimming places of one chunk that steps and vertical swimming connect. Both are the
//! *nodes* of movement. Steps, vertical swimming and jumps connect nodes in both directions.
//! *Areas* are sets of nodes that reach each other; falls may lead from one area to another.
//!
//! The van Waveren text ("1. Introduction") keeps reachability as the bits of a matrix between
//! cells. [`Navigation::can_reach`] reads such a bit, but between areas instead of cells. This is
//! exact: of two ledges in one cell, one may be reachable and the other not.
//!
//! A chunk that is not loaded has neither ground nor open space, so no path leads into it.

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
