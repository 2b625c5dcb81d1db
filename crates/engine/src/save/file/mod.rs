//! A map's file on the disk: connections, the lock of its writer, its identity, the files next to
//! it, and its publication under its final name.
//!
//! This folder does not depend on the content of the file.

pub(super) mod companion_files;
pub(super) mod connection;
pub(super) mod file_identity;
pub(super) mod lock;
pub(super) mod publish;

pub use file_identity::is_same_file;
