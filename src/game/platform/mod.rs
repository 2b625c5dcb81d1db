//! The system around the game: display, graphics adapter, memory, threads.

pub mod adapter;
pub mod display;
pub mod memory;
pub mod task_pools;
