//! Minecraft schematics: Sponge `.schem`, MCEdit and WorldEdit `.schematic`, Litematica
//! `.litematic`, and Bedrock Edition's `.mcstructure`.
//!
//! The first three are NBT data compressed with gzip. The content decides the format, not the
//! extension, because early Sponge schematics are called `.schematic` too. A schematic of a few
//! hundred kilobytes may unpack to hundreds of megabytes, and may state its size after its blocks.
//! So it is unpacked twice and never held in memory: one pass finds its parts (`nbt_stream`), one
//! reads the blocks.
//!
//! Minecraft's axes are used unchanged: x east, y up, z south. The first three formats store blocks
//! x fastest, then z, then y; `.mcstructure` z fastest, then y, then x. Block entities, entities
//! and biomes are only counted. [`sponge::write`] and `litematica::write`
//! export.

mod bedrock;
mod block_data;
mod dimensions;
mod import;
pub(super) mod litematica;
mod mcedit;
mod mcstructure;
pub mod sponge;

pub(super) use import::import;
pub(super) use mcstructure::import as import_mcstructure;

#[cfg(test)]
mod tests;
