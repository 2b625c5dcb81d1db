//! Sponge's `.schem`: what WorldEdit and most programs since Minecraft 1.13 write.
//!
//! | version | where the blocks are |
//! |---|---|
//! | 1 | `Palette`: names with properties to indices; `BlockData`: indices as varints |
//! | 2 | the same; the version of the game, biomes and entities came to it |
//! | 3 | `Schematic.Blocks`: `Palette`, `Data` |
//!
//! Specified in `SpongePowered/Schematic-Specification`. All are read, and version 2 is written: WorldEdit reads it since 7.0,
//! and so do Litematica, Amulet and the converters, of which many know no version 3; and what 3 adds (biomes
//! in three dimensions) a map of ours does not have.

mod occupancy;
mod read;
mod write;

pub(super) use read::read;
pub use write::{WriteError, write};

#[cfg(test)]
mod round_trip;
