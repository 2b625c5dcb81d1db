//! The game: Bevy, a window, a player. Everything below this module works without it.
//!
//! Thirteen rooms, from the bottom up. A room uses only those before it; the test
//! `tests/engine/structure` checks it.
//!
//! - [`platform`]: display, graphics adapter, memory, threads.
//! - [`state`]: state that several rooms share: the open map, the player, settings, keys, messages.
//! - [`map`]: loading and saving of chunks.
//! - [`ui_kit`]: style, layout and widgets of the interface.
//! - [`drawing`]: light, meshes, culling, and the chunks on the graphics card.
//! - [`editing`]: edits on background threads.
//! - [`life`]: rules and creatures.
//! - [`player`]: moving, looking, breaking, placing, undo.
//! - [`pictures`]: pictures of maps.
//! - [`building`]: builder mode, console, drone; blueprints, exports, history.
//! - [`screens`]: title screen, menus, inventory, the interface while playing.
//! - [`inspect`]: the panel on F3, the overlays on F4.
//! - [`app`]: the program with its window and its list of plugins; pictures without a window.

pub mod app;
pub mod building;
pub mod drawing;
pub mod editing;
pub mod inspect;
pub mod life;
pub mod map;
pub mod pictures;
pub mod platform;
pub mod player;
pub mod screens;
pub mod state;
pub mod ui_kit;

pub use app::launch::{GameError, Start, run};
