//! Building with more than hands.
//!
//! - [`builder`]: tools for large edits. [`console`]: commands, typed in play.
//! - [`drone`]: the detached camera.
//! - [`blueprints`]: a library of files to paste. [`export`]: maps as files of other programs.
//!   [`history`]: the list of undo steps, and the question before an edit that the undo history
//!   cannot hold.

pub mod blueprints;
pub mod builder;
pub mod console;
pub mod drone;
pub mod export;
pub mod history;
