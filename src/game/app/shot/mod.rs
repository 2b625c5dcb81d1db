//! Pictures of a map without a window: `stonerun shot`, and picture tests.
//!
//! The same game draws into an image, not a window. Game time is stopped. A picture is taken
//! when every chunk in view is loaded and drawn, so that the same map and camera give the same
//! picture each time.
//!
//! - `command`: one picture into a file. `pictures`: many pictures of a map in one run.

mod command;
mod pictures;

pub use command::{ShotError, ShotOptions, run};
pub use pictures::{CameraView, PictureError, TakePicture, pictures};
