//! The system around the game: display, graphics adapter, signals, memory, threads.

pub mod adapter;
pub mod display;
pub mod memory;
pub mod signals;
pub mod task_pools;
