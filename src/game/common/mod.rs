//! Types shared by several parts of the game and owned by none of them.
//!
//! This module is at the bottom: it imports nothing else of the game.
//!
//! - [`screens`]: the screen, the menu over it, and the condition "the player plays". [`requests`]:
//!   requests of the menus.
//! - [`frame_order`]: the order of systems in a frame. [`frame_timings`]: how long each part takes.
//! - [`background_workers`]: background tasks that serve a queue.
//! - [`chunk_messages`]: chunks that were loaded, unloaded or edited.
//! - [`keys`]: actions, their keys, and how these are named. [`notices`]: lines for the player.
//!   [`mod@format`]: how numbers are written.
//!   [`compass`]: names of directions. [`settings`], with [`flying_speed`],
//!   [`crosshair_style`], [`rules_speed`] and [`sun_shadows`]. [`wheel_steps`]: turns of the mouse wheel.
//! - [`picture_target`], [`render_origin`]: shared state of rendering.
//! - [`panel_page`], [`overlay_kind`], [`cutaway`]: which figures, which overlay and which cut the
//!   player has chosen.

pub mod background_workers;
pub mod caught;
pub mod chunk_messages;
pub mod compass;
pub mod crosshair_style;
pub mod cutaway;
pub mod flying_speed;
pub mod format;
pub mod frame_order;
pub mod frame_timings;
pub mod keys;
pub mod notices;
pub mod overlay_kind;
pub mod panel_page;
pub mod picture_target;
pub mod render_origin;
pub mod requests;
pub mod rules_speed;
pub mod screens;
pub mod settings;
pub mod sun_shadows;
pub mod wheel_steps;
