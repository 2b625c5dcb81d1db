//! Worlds of Minecraft's first year: ClassicWorld (`.cw`, written by ClassiCube), MCGalaxy's levels
//! (`.lvl`) and Indev (`.mclevel`).
//!
//! A world is one box of numbered blocks compressed with gzip, x fastest, then z, then y; `.cw` and
//! `.mclevel` store it as NBT data. All three formats use Classic's numbers for the first 49 blocks
//! (`classic_ids`); `classic_world`, `mcgalaxy` and `indev` handle the others.
//!
//! Classic's own `.dat` is not read: it is a serialised Java object, whose classes changed from
//! version to version. MCGalaxy and ClassiCube open such a file and save it as `.lvl` or `.cw`.
//!
//! x is east, y up and z south, as in Stonerun's maps. The middle of the box moves to x = z = 0,
//! its lowest layer to y = 0. The player's position in the file is ignored, as in every import.

mod block_definition;
mod classic_ids;
mod classic_world;
mod indev;
mod level;
mod mcgalaxy;

pub(super) use classic_world::read as import_cw;
pub(super) use indev::read as import_mclevel;
pub(super) use mcgalaxy::read as import_lvl;

#[cfg(test)]
mod tests;
