//! Saves in the background: a thread owns the open map, so no frame waits for the disk.
//!
//! The thread also makes backups, so this room is above `library`.

mod map_writer;
mod writer_thread;

pub use map_writer::{CloseReport, MapWriter};
