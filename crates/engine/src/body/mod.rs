//! The player's body in the world: movement, picking, doors, enclosure.
//!
//! - [`walking`]: walking, jumping, swimming and flying.
//! - [`picking`]: the voxel under the crosshair.
//! - [`target_box`]: the part of a voxel in which a plant or torch is picked.
//! - [`doors`]: the two halves of a door.
//! - [`enclosure`]: whether the eyes are inside rock.

mod counted_world;
pub mod doors;
pub mod enclosure;
pub mod picking;
pub mod target_box;
pub mod walking;
