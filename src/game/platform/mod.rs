//! Services of the operating system that the game depends on: display, graphics adapter, memory,
//! threads.

pub mod adapter;
pub mod display;
pub mod memory;
pub mod task_pools;
