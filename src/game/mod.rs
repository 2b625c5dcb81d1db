//! The game: Bevy, a window, a player. Everything below this module works without it.
//!
//! One file or folder per feature. No import cycles: [`common`] is at the bottom, and only
//! [`plugin`], the list of plugins, knows all parts.
//!
//! - [`common`]: shared types.
//! - [`session`]: the open map, its edits, its saves.
//! - [`streaming`], [`meshing`], [`culling`]: load, mesh and draw chunks. [`saving`]: the
//!   background save. `loading_pause`: frames that leave the processor to loading.
//! - [`player`]: moving, looking, breaking, placing, undo. [`crosshair`]: the chunk under the
//!   crosshair.
//! - [`console`]: commands of builders, typed in play.
//! - `drone`: the detached camera of builders.
//! - [`history_steps`]: goes to a step of the undo history, or takes one back.
//! - [`edit_jobs`]: edits of any size, computed in the background, and their previews.
//! - [`rules`]: lets sand fall and water flow. [`creatures`]: lets creatures live.
//! - [`day`]: the day passes, stops and is set.
//! - [`chunk_drawing`]: the chunks on the graphics card. [`render`]: shaders, sky, textures.
//!   [`ambience`]: caves and water around the eyes. [`outline`], [`camera`].
//! - [`builder`]: tools for large edits.
//! - [`ui`]: title screen, menus, hot bar. [`panel`]: live figures on F3. [`overlay`]: drawings in
//!   the world on F4.
//! - [`map_requests`], `session_switch`: opening and leaving maps. `title_flight`: the map behind
//!   the title screen. [`map_picture`]: the map's picture on the title screen; `map_sketch`: one
//!   for maps without, drawn by `ray_picture`.
//! - [`blueprints`]: a library of files to paste; `map_materials`: the materials that they bring.
//! - `key_events`: key presses and clicks as actions, in their order.
//! - [`launch`], [`window`], [`platform`]: the program's window. [`shot`]: pictures without a
//!   window.

pub mod ambience;
pub mod blueprints;
pub mod builder;
pub mod camera;
pub mod chunk_drawing;
pub mod common;
pub mod console;
pub mod creatures;
pub mod crosshair;
pub mod culling;
pub mod day;
mod drone;
pub mod edit_jobs;
pub mod history_steps;
mod key_events;
pub mod launch;
pub mod lighting;
mod loading_pause;
mod map_materials;
pub mod map_picture;
pub mod map_requests;
mod map_sketch;
pub mod meshing;
pub mod outline;
pub mod overlay;
pub mod panel;
pub mod platform;
pub mod player;
pub mod plugin;
mod ray_picture;
pub mod render;
pub mod rules;
pub mod saving;
pub mod serial_schedules;
pub mod session;
mod session_switch;
pub mod shot;
pub mod streaming;
mod title_flight;
pub mod ui;
pub mod window;
pub mod window_settings;

pub use launch::{GameError, Start, run};
