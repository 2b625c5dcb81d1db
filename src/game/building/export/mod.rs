//! Exports to files of other programs.
//!
//! - [`dialog`]: form and progress. [`menu`]: the dialog over the open map.

pub mod dialog;
pub mod menu;
