//! Edits: the only way to change the voxels of an open map.
//!
//! [`EditableWorld`] owns the world and its undo history. [`EditableWorld::set`],
//! [`EditableWorld::apply`], [`EditableWorld::commit`], [`EditableWorld::undo`] and
//! [`EditableWorld::redo`] change voxels; each returns a [`Change`] that says where, so that
//! callers can save, mesh and cull what changed. Loading and unloading chunks never changes a
//! loaded voxel.
//!
//! [`VoxelEdit`] is the public voxel API: it reads and changes voxels on a snapshot of the map, on
//! all cores. [`EditableWorld::commit`] applies the result at one moment, as one step of the
//! history.
//!
//! An [`Operation`] maps chunks to chunks. A [`Fill`] puts a [`Pattern`] into the voxels of a
//! [`region::Region`] that a [`Mask`] accepts.
//!
//! A [`clipboard::Clipboard`] holds copied voxels; [`VoxelEdit::paste`] puts them anywhere.
//!
//! [`EditableWorld::undo`] and [`EditableWorld::redo`] are immediate. Steps of many chunks that are
//! not in memory are unpacked by a [`StepJob`] first; a [`TakeBackJob`] takes one older step back
//! and keeps what was built since.
//!
//! An [`Edit`] is a list of [`RegionPatch`]es: boxes with their new voxels. It is one step of the
//! history, whatever its size.

mod awake;
mod change;
mod chunk_bits;
mod chunk_source;
pub mod clipboard;
pub mod console;
mod edit_error;
mod edit_merge;
mod editable_world;
mod fill;
mod job_progress;
mod mask;
mod operation;
pub mod operations;
mod pattern;
mod position_noise;
mod prepared_edit;
mod regeneration;
pub mod region;
mod region_patch;
mod rule_changes;
pub mod selection;
mod step_job;
mod stepping;
mod take_back;
mod voxel_edit;
mod waking;

pub use awake::AwakeBlocks;
pub use change::{Change, ChangedPart};
pub use chunk_bits::ChunkBits;
pub use chunk_source::{ChunkSource, MapSnapshot};
pub use edit_error::EditError;
pub use edit_merge::{EditMerge, MAX_CHUNKS_IN_FRAME};
pub use editable_world::{EditableWorld, LoadedTotals, UndoError};
pub use fill::Fill;
pub use job_progress::JobProgress;
pub use mask::{LinesMask, Mask, ShapeMask};
pub use operation::Operation;
pub use pattern::{Checker, Clouds, Gradient, Mix, MixError, Pattern, Tiles};
pub use position_noise::CloudNoise;
pub use prepared_edit::PreparedEdit;
pub use regeneration::Regeneration;
pub use region::MAX_CHUNKS;
pub use region_patch::{Edit, PatchLengthError, RegionPatch};
pub use step_job::{PreparedStep, StepId, StepJob};
pub use take_back::TakeBackJob;
pub use voxel_edit::{CountedVoxels, VoxelEdit};

#[cfg(test)]
mod placed_tests;
#[cfg(test)]
mod tests;
