//! Runs: the store the whole game stands on.
//!
//! A chunk of 32^3 voxels, read in linear order, is mostly long stretches of one value. The 0fps text's
//! point is that such a *run-length encoding is an interval tree*: keyed by run starts it can be searched,
//! edited and, above all, walked run by run instead of voxel by voxel.
//!
//! - [`RunTree`] is the tree of one chunk; [`Run`] one of its runs.
//! - [`RunBuilder`] makes a tree from runs in order.
//! - [`Mip`]: where in a chunk there is surely nothing.
//! - [`moore`] walks runs of voxels that share their whole neighbourhood.

mod builder;
mod iter;
mod lanes;
mod mips;
pub mod moore;
mod packed;
mod single_edit;
mod table;

mod snapshot;
mod tree;
mod voxel_counter;

pub use builder::RunBuilder;
pub use iter::Runs;
pub use mips::Mip;

pub use snapshot::Snapshot;
pub use tree::{Run, RunTree};
pub use voxel_counter::VoxelCounter;
