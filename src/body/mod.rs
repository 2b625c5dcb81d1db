//! The player's body in the world: movement, picking, plants, enclosure.
//!
//! - [`walking`]: walks, jumps, swims and flies.
//! - [`picking`]: finds the voxel under the crosshair.
//! - [`plant_shape`]: the part of its voxel that a plant fills.
//! - [`enclosure`]: whether the eyes are inside rock.

mod counted_world;
pub mod enclosure;
pub mod picking;
pub mod plant_shape;
pub mod walking;
