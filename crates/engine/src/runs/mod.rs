//! The run store: chunks as interval trees of runs.
//!
//! A chunk of 32^3 voxels, read in linear order, consists mostly of long stretches of one value.
//! The 0fps text observes that such a *run-length encoding is an interval tree*: keyed by run
//! starts, it can be searched, edited and, above all, walked run by run instead of voxel by voxel.
//!
//! - [`RunTree`] is the tree of one chunk; [`Run`] is one of its runs.
//! - [`RunBuilder`] builds a tree from runs in linear order.
//! - [`ContentId`] tells whether a chunk has changed.
//! - [`VoxelCounter`] counts the voxels of each value.
//! - [`Mip`] reports which cells of a chunk contain only air.
//! - [`moore`] walks runs of voxels that share their whole neighbourhood.
//! - `bit_rows` reads bits of voxels as words.
//! - `two_values` reads and writes chunks of two values as bits.

pub(crate) mod bit_rows;
mod block_edit;
mod builder;
mod content_id;
mod edit;
mod error;
mod iter;
mod lanes;
mod mips;
pub mod moore;
mod packed;
mod palette_map;
mod range_edit;
mod repr;
mod run;
mod single_edit;
mod table;
mod tree;
mod two_values;
mod voxel_counter;
mod zip;

pub use builder::RunBuilder;
pub use content_id::ContentId;
pub use error::RunTreeError;
pub use iter::Runs;
pub use mips::Mip;
pub(crate) use run::CodedRun;
pub use run::Run;
pub use tree::RunTree;
pub(crate) use two_values::TwoValues;
pub use voxel_counter::VoxelCounter;
