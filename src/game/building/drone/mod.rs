//! The drone: a detached camera for builders (`O`). The body stays where it is.
//!
//! The drone is a free camera of the [`Player`](crate::game::state::player::Player): its position
//! and view are the player's, so crosshair, overlays and tools that cast rays from the eyes work
//! from the drone.
//!
//! - `pose`: position and view of the drone; orbit, pan, zoom, frame. `bookmarks`: poses that are
//!   kept for the session.
//! - `controls`: keys, mouse and wheel. `flight`: smooth motion, and the view that the player gets.

mod bookmarks;
mod controls;
mod flight;
mod plugin;
mod pose;

pub use plugin::DronePlugin;
