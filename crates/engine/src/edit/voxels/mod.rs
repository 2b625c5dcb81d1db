//! The public voxel API: [`VoxelEdit`] reads and changes voxels on a snapshot, by operations such
//! as [`Fill`].

mod fill;
mod regeneration;
mod voxel_edit;

pub use fill::Fill;
pub(crate) use regeneration::Regeneration;
pub use voxel_edit::{CountedVoxels, VoxelEdit};
