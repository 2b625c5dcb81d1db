//! Blueprints: a library of files to paste into the open map.
//!
//! - [`library`]: the files in the folder of blueprints. [`load`]: a file as a clipboard.
//! - `picture`: what a clipboard looks like.
//!
//! The dialog is `ui/blueprints.rs`.

pub mod library;
pub mod load;
mod picture;

pub use picture::picture;
