//! Blueprints: a library of files to paste into the open map.
//!
//! - [`library`]: the files in the folder of blueprints. [`load`]: a file as a clipboard.
//! - `picture`: a clipboard as a picture. [`dialog`]: the library on the screen.
//! - [`map_materials`]: adds a blueprint's materials to the open map.

pub mod dialog;
pub mod library;
pub mod load;
mod picture;

pub use picture::picture;
