//! Counted figures: the memory of stored voxels, and the voxel operations of each task.
//!
//! Callers feed these counters; no measured module depends on them.
//!
//! - [`ChunkStats`], [`WorldStats`]: counted bytes, and the bytes other stores would need for the
//!   same voxels.
//! - [`RunStats`]: runs, fused runs and quads of meshed chunks.
//! - [`storage`]: the Roblox text's storage table, measured chunk by chunk.
//! - [`VoxelTask`], [`VoxelOps`], [`WorkByTask`]: the 0fps text's task table, counted instead of
//!   estimated.

mod chunk_stats;
mod palette_sections;
mod run_stats;
pub mod storage;
mod thousands;
mod work_by_task;

pub use chunk_stats::{ChunkStats, WorldStats};
pub use run_stats::RunStats;
pub use thousands::{counted, thousands};
pub use work_by_task::{VoxelOps, VoxelTask, WorkByTask};
