//! The title screen: the list of maps, and the dialogs about them.
//!
//! - [`screen`]: the screen. [`map_card`]: a map in the list. `list_place`: the list's scroll
//!   position. [`logo`].
//! - [`new_map`], [`import`], [`backups`]: its dialogs.
//! - [`dropped`]: files dropped on the window, on every screen.

pub mod backups;
pub mod dropped;
pub mod import;
mod list_place;
pub mod logo;
pub mod map_card;
pub mod new_map;
pub mod screen;
