//! Edits: the only way to change the voxels of an open map.
//!
//! [`EditableWorld`] owns the world and its undo history. [`EditableWorld::set`],
//! [`EditableWorld::apply`], [`EditableWorld::commit`], [`EditableWorld::undo`] and
//! [`EditableWorld::redo`] change voxels. Each returns a [`Change`] with the changed parts, so that
//! callers can save, mesh and cull them. Loading and unloading chunks never changes a loaded voxel.
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
//! [`EditableWorld::undo`] and [`EditableWorld::redo`] are immediate. A [`StepJob`] prepares steps
//! that would take too long: steps of many chunks that must be unpacked first. A [`TakeBackJob`]
//! takes one older step back and keeps later changes.
//!
//! An [`Edit`] is a list of [`BoxPatch`]es: boxes with their new voxels. It is one step of the
//! history, whatever its size.
//!
//! The modules, from the bottom up. Each uses only modules before it:
//!
//! | module | holds |
//! |---|---|
//! | `region` | sets of voxels, and shapes |
//! | `job` | snapshot, progress and result of work on another thread |
//! | `position_noise` | noise of masks and patterns |
//! | `mask` | conditions for the voxels that an edit changes |
//! | `search` | regions found in the world |
//! | `clipboard` | copied voxels and their transforms |
//! | `pattern` | the new voxels of a fill |
//! | `voxels` | the voxel API |
//! | `operations` | paste, move, and edits of terrain, on the voxel API |
//! | `shaping` | tools that move the surface of the ground by less than a voxel |
//! | `world` | the world of an open map and its history |
//! | `selection` | the selection of a builder |
//! | `console` | commands that builders type |

pub mod clipboard;
pub mod console;
mod job;
mod mask;
pub mod operations;
mod pattern;
mod position_noise;
pub mod region;
mod search;
pub mod selection;
pub mod shaping;
mod voxels;
mod world;

pub use job::{ChunkSource, EditError, JobProgress, MapSnapshot, Operation, PreparedEdit};
pub use mask::{LinesMask, Mask, ShapeMask};
pub use pattern::{Checker, Clouds, Gradient, Mix, MixError, Pattern, Tiles};
pub use position_noise::CloudNoise;
pub use region::{ChunkBits, MAX_CHUNKS};
pub use search::Spread;
pub(crate) use voxels::Regeneration;
pub use voxels::{CountedVoxels, Fill, VoxelEdit};
pub use world::{
    AwakeBlocks, BoxPatch, Change, ChangedPart, Edit, EditMerge, EditableWorld, LoadedTotals,
    MAX_CHUNKS_IN_FRAME, PatchLengthError, PreparedStep, StepId, StepJob, TakeBackJob, UndoError,
};

#[cfg(test)]
mod tests;
