//! The player's body in the world: movement, picking, plants, enclosure.
//!
//! - [`walking`]: walks, jumps, swims and flies.
//! - [`picking`]: finds the voxel under the crosshair.
//! - [`target_box`]: the part of its voxel that a plant or torch fills.
//! - [`doors`]: the two halves of a door.
//! - [`enclosure`]: whether the eyes are inside rock.

mod counted_world;
pub mod doors;
pub mod enclosure;
pub mod picking;
pub mod target_box;
pub mod walking;
