//! Operations of builders, under the names that WorldEdit gives them.
//!
//! Copy, paste, stack and move are methods of [`VoxelEdit`](super::VoxelEdit). The other operations
//! are functions that take a [`VoxelEdit`](super::VoxelEdit) and return the number of changed
//! voxels. Most of them find a [`Region`](super::region::Region) in rows of 32 voxels and fill it.
//!
//! - [`Paste`]: a clipboard at one or more places.
//! - [`overlay`], [`naturalize`], [`green`], [`snow`], [`smooth`]: the surface of a region.
//! - [`GroundMaterials`]: ground, plants and trunks. [`ChangedVoxels`]: the result of smoothing.
//!   `voxel_change`: changes that depend on the voxel alone.
//! - `replace_forms`: replaces blocks, and keeps the forms of their shapes.
//! - [`hollow`]: hollows out matter.
//! - [`drain`], `fix_liquid`, `fill_hole`: connected voxels nearby.
//! - `box_above`, `box_below`, `box_near`, `centre_box`: boxes for `//removeabove` and other
//!   commands.
//! - `Distribution`: counts voxels by material.

mod boxes;
mod changed_voxels;
mod columns;
mod copied;
mod distribution;
mod fill_hole;
mod forms;
mod ground_materials;
mod hollow;
mod liquids;
mod move_voxels;
mod paste;
mod smooth;
mod smooth_heights;
mod surface;

pub(crate) use boxes::{box_above, box_below, box_near, centre_box};
pub use changed_voxels::ChangedVoxels;
pub(crate) use columns::GroundLayers;
pub(crate) use distribution::Distribution;
pub(crate) use fill_hole::fill_hole;
pub(in crate::edit) use forms::replace_forms;
pub use ground_materials::GroundMaterials;
pub use hollow::hollow;
pub use liquids::drain;
pub(crate) use liquids::fix_liquid;
pub use paste::{Paste, PasteOptions};
pub use smooth::smooth;
pub(crate) use surface::thaw;
pub use surface::{NaturalGround, green, naturalize, overlay, snow};

#[cfg(test)]
mod measure;
#[cfg(test)]
mod terrain_tests;
#[cfg(test)]
mod tests;
mod voxel_change;
