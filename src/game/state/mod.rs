//! State that several rooms of the game share. With [`platform`](crate::game::platform), it is the
//! lowest layer.
//!
//! - [`session`]: the open map, its edits, its saves. [`player`]: position, view, hot bar.
//!   [`travel`]: moves the player to another place. [`day`]: the time of day, which passes, stops
//!   and is set.
//! - [`screens`]: the screen, the menu over it, and run conditions on them. [`requests`]: requests
//!   for another map or screen. [`notices`]: lines for the player.
//! - [`keys`]: actions, their keys, and the names of keys. [`settings`]: the player's settings.
//! - [`panel_page`], [`overlay_kind`], [`cutaway`], [`builder_mode`]: the page of figures, the
//!   overlay, the cut and the tool that the player has chosen.
//! - [`frame`]: the order and the times of a frame.
//! - [`mod@format`]: text of numbers. [`compass`]: names of directions.

pub mod builder_mode;
pub mod compass;
pub mod cutaway;
pub mod day;
pub mod format;
pub mod frame;
pub mod held_shape;
pub mod keys;
pub mod notices;
pub mod overlay_kind;
pub mod panel_page;
pub mod player;
pub mod requests;
pub mod screens;
pub mod session;
pub mod settings;
pub mod travel;
