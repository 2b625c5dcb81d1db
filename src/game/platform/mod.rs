//! The system around the game: display, graphics adapter, signals, memory.

pub mod adapter;
pub mod display;
pub mod memory;
pub mod signals;
