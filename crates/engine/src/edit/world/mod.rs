//! The editable world: [`EditableWorld`], its history, and the blocks in which rules may act.
//!
//! `editable_world.rs` has the state, and the methods that every change goes through. The other
//! files add methods:
//!
//! - `stepping.rs`: undo and redo within a frame; `step_job.rs`: in the background; `take_back.rs`:
//!   undo of an older step.
//! - `edit_merge.rs`: merging of edits with changes made since their snapshot.
//! - `surface_step.rs`: changes of the surfaces of materials.
//! - `rule_changes.rs`, `waking.rs`: changes by rules, and awake blocks.

mod awake;
mod box_patch;
mod change;
mod edit_merge;
mod editable_world;
mod rule_changes;
mod step_job;
mod stepping;
mod surface_step;
mod take_back;
mod waking;

pub use awake::AwakeBlocks;
pub use box_patch::{BoxPatch, Edit, PatchLengthError};
pub use change::{Change, ChangedPart};
pub use edit_merge::{EditMerge, MAX_CHUNKS_IN_FRAME};
pub use editable_world::{EditableWorld, LoadedTotals, UndoError};
pub use step_job::{PreparedStep, StepId, StepJob};
pub use take_back::TakeBackJob;
