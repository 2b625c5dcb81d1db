//! Stonerun: a voxel world that is runs all the way down.
//!
//! The library is the engine and, behind the default feature `game`, the game. A module stands above all
//! that it uses; nothing below `game` knows Bevy. See `ARCHITECTURE.md` for the map of the house.

#![warn(missing_docs)]

pub mod runs;
pub mod terrain;
pub mod voxel;
pub mod world;
