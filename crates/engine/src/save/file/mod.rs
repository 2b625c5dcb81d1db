//! The map's file on the disk: connections to it, the lock of its writer, its identity, the files
//! next to it, and its publication under its final name.
//!
//! Nothing here knows what the file holds.

pub(super) mod companion_files;
pub(super) mod connection;
pub(super) mod file_identity;
pub(super) mod lock;
pub(super) mod publish;

pub use file_identity::is_same_file;
