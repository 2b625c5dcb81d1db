//! Edits of any size: computed in the background on a snapshot of the map, then committed in one
//! frame, or shown as a preview first.
//!
//! - [`request`]: requests of jobs.
//! - [`jobs`]: [`EditJobs`], the jobs that wait or run. `running`: the thread of the
//!   running one; `pool`: the cores that edits use.
//! - [`preview`]: [`EditPreview`], the edit that waits for the player's answer;
//!   `preview_figures`: its numbers of voxels, runs and bytes.
//! - [`shape`]: the faces of the voxels that differ. [`ghost`]: draws a shape;
//!   `preview_drawing`: draws the preview.
//! - `answer`: the keys that answer a preview, and cancel a job.
//! - [`UndoQuestion`]: the question before an edit that the undo history has no room for.
//! - [`steps`]: undo and redo, as jobs where a frame is too short for them.
//! - `update`: starts jobs, and commits or previews those that have ended.

mod answer;
pub mod ghost;
pub mod jobs;
mod plugin;
mod pool;
pub mod preview;
mod preview_drawing;
mod preview_figures;
pub mod request;
mod running;
pub mod shape;
pub mod steps;
mod undo_question;
mod update;

pub use ghost::{Ghost, GhostCanvas, GhostMeshes, PendingGhost};
pub use jobs::{EditJobEnded, EditJobs, JobState};
pub use plugin::EditJobsPlugin;
pub use pool::get as edit_pool;
pub use preview::{EditPreview, PreviewState};
pub use request::{EditRequest, EditWork, JobId, PreparedWork, WhenDone};
pub use steps::{Stepped, step};
pub use undo_question::UndoQuestion;

#[cfg(test)]
pub(in crate::game) use update::update as update_jobs;

#[cfg(test)]
mod tests;
