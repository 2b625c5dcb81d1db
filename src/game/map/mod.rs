//! Loading and saving of chunks between the open map and its file.
//!
//! - [`streaming`]: chunks are loaded and unloaded around the player. [`saving`]: edited chunks are
//!   saved in the background.

pub mod saving;
pub mod streaming;
