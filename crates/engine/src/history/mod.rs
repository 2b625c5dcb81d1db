//! Undo and redo: a list of edits of any size.
//!
//! An edit is one [`EditStep`] with a [`ChunkChange`] per changed chunk, or with a change of the
//! surface of a material, which the owner of the material table applies. A new step holds the
//! chunks before and after, shared with the world. The thread that saves packs it. Once the map
//! holds it, its memory may be freed: above a memory limit, the oldest steps are read from the map
//! when they are undone.
//!
//! Voxels that are changed one by one between [`History::begin_stroke`] and
//! [`History::end_stroke`] become one step. A save during a stroke writes the step so far; the next
//! save replaces it.
//!
//! Steps are numbered in order of creation, so a save writes only the difference from the previous
//! save, and the map keeps the history across sessions. Steps are dropped, the oldest first, only
//! above [`History::total_limit`] or if a step is too large for a row of the map.

mod chunk_change;
mod direction;
mod edit_recorder;
mod edit_step;
mod error;
mod follow_up;
mod following;
mod limits;
mod list;
mod numbered_step;
mod old_patches;
mod packed_step;
mod patch_codec;
mod stroke;

pub use chunk_change::ChunkChange;
pub use direction::Direction;
pub use edit_recorder::EditRecorder;
pub use edit_step::{EditStep, StepChunks};
pub use error::{PatchError, StepError, UnpackError};
pub use limits::{DroppedSteps, UndoCost};
pub use list::History;
pub use numbered_step::{StepHandle, StepInfo};
pub use packed_step::StepChanges;

#[cfg(test)]
mod tests;
