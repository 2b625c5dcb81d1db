//! The maps of a folder: the catalogue, backups, and maps that get their name when complete.

pub mod backup;
mod backup_name;
pub mod catalogue;
mod map_builder;
mod map_name;

pub use map_builder::MapBuilder;
