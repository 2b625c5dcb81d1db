//! Worlds of Minecraft's first year: ClassicWorld (`.cw`, written by ClassiCube) and Indev
//! (`.mclevel`).
//!
//! Both are one box of numbered blocks in NBT data under gzip, x fastest, then z, then y. Both use
//! Classic's numbers for the first 49 blocks (`classic_ids`); `classic_world` and `indev` handle
//! the others.
//!
//! x is east, y up and z south, as in maps. The middle of the box comes to x = z = 0, its lowest
//! layer to y = 0. The player's position in the file is ignored, as in every import.

mod block_definition;
mod classic_ids;
mod classic_world;
mod indev;
mod level;

pub(super) use classic_world::import as import_cw;
pub(super) use indev::import as import_mclevel;

#[cfg(test)]
mod tests;
