//! The editable world: [`EditableWorld`], its history, and the blocks in which rules may act.
//!
//! `editable_world.rs` has its state and what every change goes through. The other files add
//! methods: undo and redo (`stepping.rs`; in the background `step_job.rs`, of older steps
//! `take_back.rs`), edits spread over frames (`edit_merge.rs`), and changes by rules
//! (`rule_changes.rs`, `waking.rs`).

mod awake;
mod change;
mod edit_merge;
mod editable_world;
mod region_patch;
mod rule_changes;
mod step_job;
mod stepping;
mod take_back;
mod waking;

pub use awake::AwakeBlocks;
pub use change::{Change, ChangedPart};
pub use edit_merge::{EditMerge, MAX_CHUNKS_IN_FRAME};
pub use editable_world::{EditableWorld, LoadedTotals, UndoError};
pub use region_patch::{Edit, PatchLengthError, RegionPatch};
pub use step_job::{PreparedStep, StepId, StepJob};
pub use take_back::TakeBackJob;
