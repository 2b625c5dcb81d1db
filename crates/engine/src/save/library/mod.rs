//! The maps as files in a folder: the catalogue, backups, locks, file identity, and new maps.

pub mod backup;
mod backup_name;
pub mod catalogue;
pub(super) mod file_identity;
pub(super) mod files;
pub(super) mod lock;
mod map_builder;
mod map_name;

pub use file_identity::is_same_file;
pub use map_builder::MapBuilder;
