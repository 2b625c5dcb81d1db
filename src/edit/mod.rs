//! Edits: the only way to change the voxels of an open map.
//!
//! [`EditableWorld`] owns the world and its undo history. [`EditableWorld::set`],
//! [`EditableWorld::apply`], [`EditableWorld::fill`], [`EditableWorld::undo`] and
//! [`EditableWorld::redo`] change voxels;
//! each returns a [`Change`] that says where, so that callers can save, mesh and cull what changed.
//! Loading and unloading chunks never changes a loaded voxel.
//!
//! A [`Fill`] puts a [`Pattern`] into the voxels of a [`region::Region`] that a [`Mask`] accepts. It is
//! one step of the history, too.
//!
//! An [`Edit`] is a list of [`RegionPatch`]es: boxes with their new voxels. It is one step of the
//! history, whatever its size.

mod change;
pub mod console;
mod editable_world;
mod fill;
mod mask;
mod pattern;
pub mod region;
mod region_patch;

pub use change::{Change, ChangedPart};
pub use editable_world::{EditableWorld, LoadedTotals, UndoError};
pub use fill::Fill;
pub use mask::Mask;
pub use pattern::{Mix, MixError, Pattern};
pub use region_patch::{Edit, PatchLengthError, RegionPatch};

#[cfg(test)]
mod tests;
