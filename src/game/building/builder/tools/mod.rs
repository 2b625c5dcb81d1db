//! The tools, one file each: their response to clicks, keys and the wheel.

pub mod brush;
pub mod line;
pub mod paste;
pub mod select;
pub mod shape;
pub mod shift;
