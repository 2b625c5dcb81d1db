//! Menus of the undo history.
//!
//! - [`dialog`]: the list of steps. [`undo_question`]: the question before an edit that the undo
//!   history has no room for.

pub mod dialog;
pub mod undo_question;
