//! The system around the game: display, graphics adapter, signals.

pub mod adapter;
pub mod display;
pub mod signals;
