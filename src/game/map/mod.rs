//! Exchange of chunks between the open map and its file.
//!
//! - [`streaming`]: chunks load and unload. [`saving`]: edited chunks are saved in the background.

pub mod saving;
pub mod streaming;
