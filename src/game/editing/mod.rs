//! Edits of any size, computed in the background.
//!
//! - [`edit_jobs`]: edits on background threads, from a snapshot to one commit, and their previews.
//! - [`history_steps`]: goes to a step of the undo history, or takes one back.

pub mod edit_jobs;
pub mod history_steps;
