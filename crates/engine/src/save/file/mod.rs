//! The map's file on the disk: connections to it, the lock of its writer, the identity behind its
//! name, the files next to it, and names that are given in one step.
//!
//! Nothing here knows what the file holds.

pub(super) mod companion_files;
pub(super) mod connection;
pub(super) mod file_identity;
pub(super) mod lock;
pub(super) mod publish;

pub use file_identity::is_same_file;
