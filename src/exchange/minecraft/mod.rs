//! What Minecraft's formats have in common: the names of blocks and what they become here, and NBT data.
//!
//! Regions, schematics and the worlds of old differ in how they pack the blocks. Which block is which of our
//! materials, how its properties become occupancy ([`blocks`]), what its number was before 1.13 ([`numeric`]) and what
//! an unknown one looks like ([`look`], [`colours`]) is the same for all.

pub(super) mod blocks;
mod colours;
mod look;
pub(super) mod names;
pub(super) mod nbt;
mod numeric;
