//! Stonerun, the program: the game and the command line.
//!
//! The engine, the files of other programs, and the tables of the lab are packages of their own,
//! under `crates`. `ARCHITECTURE.md` describes them and their order.

#![warn(missing_docs)]

pub mod cli;
#[cfg(feature = "game")]
pub mod game;
pub mod views;
