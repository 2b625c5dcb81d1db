//! The player's body in the world: how it moves, what it points at, what is above it.
//!
//! - [`walking`]: walks, jumps, swims and flies.
//! - [`picking`]: the voxel under the crosshair.
//! - [`sky_exposure`]: how much of the sky is open above the eyes.

mod ground;
pub mod picking;
pub mod sky_exposure;
pub mod walking;
