//! The player's body in the world: movement, picking and sky exposure.
//!
//! - [`walking`]: walks, jumps, swims and flies.
//! - [`picking`]: finds the voxel under the crosshair.
//! - [`plant_shape`]: the part of its voxel that a plant fills.
//! - [`sky_exposure`](mod@sky_exposure): estimates how much of the sky is visible.
//! - [`enclosure`]: whether the eyes are inside rock.

mod counted_world;
pub mod enclosure;
pub mod picking;
pub mod plant_shape;
pub mod sky_exposure;
pub mod walking;
