//! Culling: the choice of drawn chunks. A chunk is drawn if the player's cell may see it and the
//! camera's frustum holds it.
//!
//! - [`state`]: the culling mode, and the visible set in use.
//! - `update`: brings the sets up to date with the world before each frame, and shows and hides
//!   chunks.
//! - `analysis`: occlusion of edited chunks, a few chunks per frame.
//! - `refine`: smaller sets, computed in the background or taken from the map.

mod analysis;
mod plugin;
mod refine;
mod update;

pub mod state;

pub use plugin::CullingPlugin;
pub use update::{reset, update_visibility};
