//! The interface over the world: title screen, menus, hot bar, notices. All in egui, in one style.
//!
//! Menus decide nothing: a button sends a [`crate::game::common::requests::Request`], so the
//! window's close button, the command line and the menus share one path.
//!
//! - [`title`], with [`map_card`], [`new_map`], [`import`], [`backups`] (whose work is a [`job`]),
//!   `list_place`, [`dropped`] and [`logo`]; [`pause`]; [`places`]; `blueprints`; [`history`];
//!   [`undo_question`];
//!   [`settings`]; [`inventory`]; [`not_saved`].
//! - [`hud`], with [`hotbar`] and [`key_card`]; [`notices`].
//! - [`edits`]: the previewed edit in figures, and the running jobs.
//! - [`keyboard`]: key presses for egui.
//! - [`layout`]: the area of each part, so that none overlap.
//! - [`theme`], [`icons`], [`thumbnail`], [`text`]: style, pictures of blocks and maps, and number
//!   formats.

mod plugin;

pub mod arrange;
pub mod backups;
pub mod blueprints;
pub mod crosshair_mark;
pub mod dropped;
pub mod edits;
pub mod export;
mod export_menu;
mod file_chooser;
pub mod history;
pub mod hotbar;
pub mod hud;
pub mod hud_line;
pub mod icons;
pub mod import;
pub mod inventory;
pub mod job;
pub mod key_card;
pub mod keyboard;
pub mod layout;
mod list_place;
pub mod logo;
pub mod map_card;
pub mod new_map;
pub mod not_saved;
pub mod notices;
#[cfg(test)]
pub mod painted;
pub mod pause;
pub mod places;
pub mod scale;
pub mod settings;
pub mod sketches;
pub mod slider;
pub mod text;
pub mod theme;
pub mod thumbnail;
pub mod title;
pub mod undo_question;

pub use plugin::UiPlugin;
