//! The program Stonerun: the game and the command line.
//!
//! The engine, the readers and writers of other programs' files, and the laboratory are separate
//! packages under `crates`. `ARCHITECTURE.md` describes them and their order.

#![warn(missing_docs)]

pub mod cli;
#[cfg(feature = "game")]
pub mod game;
pub mod views;
