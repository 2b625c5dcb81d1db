//! Blueprints: a library of files to paste into the open map.
//!
//! - [`library`]: the files in the folder of blueprints. [`load`]: a file as a clipboard.
//! - `picture`: a clipboard as a picture. [`dialog`]: the library on the screen.

pub mod dialog;
pub mod library;
pub mod load;
mod picture;

pub use picture::picture;
