//! The maps of a folder: the catalogue, backups, map names, and the builder of new maps.

pub mod backup;
mod backup_name;
pub mod catalogue;
mod map_builder;
mod map_name;

pub use map_builder::MapBuilder;
