//! Stonerun: a voxel world that is runs all the way down.
//!
//! The library is the engine and, behind the default feature `game`, the game. A module may use
//! those below it, never those above; nothing but `game` uses Bevy. `ARCHITECTURE.md` describes the
//! modules and their order.

#![warn(missing_docs)]

pub mod body;
pub mod cli;
pub mod codec;
pub mod creatures;
pub mod edit;
pub mod exchange;
#[cfg(feature = "game")]
pub mod game;
pub mod history;
pub mod lab;
pub mod light;
pub mod mesh;
pub mod metrics;
pub mod ron_text;
pub mod rules;
pub mod runs;
pub mod save;
pub mod terrain;
pub mod visibility;
pub mod voxel;
pub mod world;
