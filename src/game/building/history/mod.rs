//! Menus of the undo history.
//!
//! - [`dialog`]: the list of steps. [`undo_question`]: the question before a step is taken back that
//!   others have changed since.

pub mod dialog;
pub mod undo_question;
