//! Light: how bright the sun and glowing voxels make each voxel, with 16 levels per channel.
//!
//! Levels spread through open voxels and lose one level per step, in dense matter two. Only the
//! sun's full level loses nothing on its way straight down, except in water, which takes a level
//! per voxel. The 0fps text names light as one of the two tasks that dominate a voxel engine, and
//! as one that equal neighbourhoods make cheap. Here it is computed with one bit per voxel and
//! level, 32 voxels at a time, and kept as runs.
//!
//! # The promise: light changes where voxels or light around it change
//!
//! A lamp shines 14 voxels far, so equal Moore neighbourhoods have different light, and fused runs
//! say nothing about levels. A voxel and the levels of the six voxels that share a face with it
//! decide its levels. What voxels do to light is the same along a run, because its bits are toggled
//! where runs start; so in a row, light changes within a run of equal voxels only where the light
//! around it changes (`tests/engine/light_runs.rs`). Which voxels of a chunk [`LightBricks`] hold
//! does depend on Moore neighbourhoods alone: they are unions of fused runs
//! (`light_bricks/tests.rs`).
//!
//! - [`LightTraits`]: what each material does to light.
//! - [`LightLevels`]: a voxel's level in each channel.
//! - [`ChunkLight`]: the levels of a chunk's voxels, stored as runs.
//! - [`DifferentSides`]: where light has changed, for what reads the light of neighbours.
//! - `matter`, `bit_planes`, `light_runs`: runs of voxels to bits, and bits to runs of light.
//! - `spread`: spreads the levels of one channel through a chunk.
//! - `batch`: lights many chunks together. `border`: whether that changes the light of others.
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
pub use light_traits::{Dimming, LightTraits, MAX_LOSS};
