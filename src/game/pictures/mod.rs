//! Pictures of maps.
//!
//! - [`map_picture`]: the picture that a map gets when it is left. [`map_sketch`]: a picture for
//!   maps without one, drawn by [`ray_picture`]. [`sketches`]: the computed pictures of the title
//!   screen.

pub mod map_picture;
pub mod map_sketch;
pub mod ray_picture;
pub mod sketches;
