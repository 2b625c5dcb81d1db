//! Minecraft Java Edition worlds: region files (`.mca` since 1.2, `.mcr` since Beta 1.3) and world
//! folders.
//!
//! A region is read 2 x 2 Minecraft chunks at a time, which make one column of chunks; only these
//! four are in memory. `fastnbt` deserialises the NBT data after `minecraft::nbt_check` has checked
//! its structure; `region_file` checks the container.
//!
//! Heights stay as they are (sea level at 62 or 63), and north stays north. Whole-chunk offsets of
//! x and z move the middle of the world near 0. The middle is computed from all chunks in the
//! region tables, finished or not, before the first chunk is read. A damaged chunk is left out and
//! reported. A chunk that Minecraft has not finished generating is left out and counted. `write`
//! exports.

mod chunk_assembly;
mod chunk_extras;
mod chunk_nbt;
mod dimension;
mod forge_registry;
mod import;
mod liquid_surfaces;
mod lz4_block;
mod packed_indices;
mod region_file;
mod section_error;
mod section_nbt;
mod sections;
mod world_folder;
mod write;

pub use dimension::{Dimension, DimensionError};
pub use world_folder::dimensions_in;

pub(super) use import::{import_region, import_world};
pub(super) use write::write;

#[cfg(test)]
mod tests;
