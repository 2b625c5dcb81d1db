//! Menus over the world.
//!
//! - [`pause`]; [`settings`], also over the title screen; [`places`] to travel to; [`not_saved`]: a
//!   map that cannot be saved when it is left.

pub mod not_saved;
pub mod pause;
pub mod places;
pub mod settings;
