//! Sponge's `.schem`, which WorldEdit and most programs since Minecraft 1.13 write.
//!
//! | version | blocks |
//! |---|---|
//! | 1 | `Palette`: block states to indices; `BlockData`: indices as varints |
//! | 2 | the same, with the game's version, biomes and entities |
//! | 3 | `Schematic.Blocks`: `Palette`, `Data`; some programs leave out the compound `Schematic` |
//!
//! Specification: `SpongePowered/Schematic-Specification`. All versions are read; version 2 is
//! written, because WorldEdit since 7.0, Litematica, Amulet and the converters read it. Many of
//! them do not know version 3, which adds only three-dimensional biomes, and maps have no biomes.

mod exception_runs;
mod material_list;
mod read;
mod write;

pub use material_list::MaterialListError;
pub(super) use read::read;
pub use write::{WriteError, write};
