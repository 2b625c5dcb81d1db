//! Light of the sun and of glowing voxels, with 16 levels per channel.
//!
//! Levels spread through open voxels and fall by one per step, by two in dense matter. Only the
//! sun's full level falls straight down without loss, except in water, which takes a level per
//! voxel. The 0fps text names light as one of the two tasks that dominate a voxel engine, and as
//! one that equal neighbourhoods make cheap. Here it is computed with one bit per voxel and level,
//! 32 voxels at a time, and kept as runs.
//!
//! # The promise: light changes where voxels or light around it change
//!
//! A lamp shines 14 voxels far, so voxels with equal Moore neighbourhoods may have different light,
//! and fused runs say nothing about levels. The levels of a voxel depend on the voxel and on the
//! levels of the six voxels that share a face with it. The effect of voxels on light is the same
//! along a run, because its bits are toggled where runs start. So in a row, light changes within a
//! run of equal voxels only where the light around it changes (`tests/engine/light_runs.rs`). The
//! set of voxels that [`LightBricks`] hold depends only on Moore neighbourhoods, so it is a union
//! of fused runs (`light_bricks/tests.rs`).
//!
//! - [`LightTraits`]: effects of materials on light.
//! - [`LightLevels`]: a voxel's level in each channel.
//! - [`ChunkLight`]: the levels of a chunk's voxels, stored as runs.
//! - [`DifferentSides`]: sides at which light has changed, for readers of the light of neighbours.
//! - `matter`, `bit_planes`, `light_runs`: runs of voxels to bits, and bits to runs of light.
//! - `spread`: spreads the levels of one channel through a chunk.
//! - `batch`: lights many chunks together. `border`: tests whether that alters other chunks.
//! - `edit`: relights around single edited voxels.
//! - [`LightBricks`]: light for the graphics card.
//! - [`LightMap`]: keeps the light of all loaded chunks, which may arrive in any order.

mod batch;
mod bit_planes;
mod border;
mod chunk_light;
mod edit;
mod levels;
mod light_bricks;
mod light_counts;
mod light_map;
mod light_runs;
mod light_traits;
mod matter;
mod spread;

pub use chunk_light::{ChunkLight, DifferentSides};
pub use levels::{Channel, LightLevels};
pub use light_bricks::LightBricks;
pub use light_counts::LightCounts;
pub use light_map::LightMap;
pub use light_traits::{Dimming, LightTraits};
