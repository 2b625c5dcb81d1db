//! Pictures of maps.
//!
//! - [`map_picture`]: the picture that a map gets when it is left. [`map_sketch`]: a picture for
//!   maps without one, drawn by [`ray_picture`]. [`sketches`]: computes pictures one after another,
//!   and keeps them.

pub mod map_picture;
pub mod map_sketch;
pub mod ray_picture;
pub mod sketches;
