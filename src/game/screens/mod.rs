//! The interface over the world: title screen, menus, hot bar, notices.
//!
//! Menus decide nothing: a button sends a [`Request`](crate::game::state::requests::Request), so
//! the window's close button, the command line and the menus share one path.
//!
//! - [`title`], [`menus`], [`inventory`], [`hud`].
//! - [`arrange`]: divides the screen among the parts that are shown.

pub mod arrange;
pub mod hud;
pub mod inventory;
pub mod menus;
mod plugin;
pub mod title;

pub use plugin::ScreensPlugin;
