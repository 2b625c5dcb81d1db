//! What Minecraft's formats have in common: the names of blocks and what they become here, and NBT data.
//!
//! Regions, schematics and the worlds of old differ in how they pack the blocks. Which block is which of our
//! materials, how its properties become occupancy ([`blocks`]), what its number was before 1.13 ([`numeric`]) and what
//! an unknown one looks like ([`look`], [`colours`]) is the same for all.

pub(super) mod blocks;
mod colours;
pub(super) mod look;
pub(super) mod names;
pub(super) mod nbt;
mod numeric;

use crate::voxel::Voxel;

/// How full a spring is at its surface, as in our own seas; Minecraft draws it at 8/9.
pub(super) const SURFACE: u8 = 223;

/// A full liquid under this voxel: where that is not of its kind, there is its surface.
pub(super) fn with_surface(liquid: Voxel, above: Voxel) -> Voxel {
    if above.material() == liquid.material() { liquid } else { Voxel::new(liquid.material(), SURFACE) }
}
