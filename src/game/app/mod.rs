//! The program: its start, its window, the list of plugins, and the change from map to map.
//!
//! - [`plugin`]: the list of plugins and the order of a frame. [`serial_schedules`]: systems of a
//!   frame run one after another.
//! - [`launch`], [`window`], [`window_settings`]: the start and the window. [`signals`]: end of the
//!   program when the operating system asks for it.
//! - [`map_requests`], `session_switch`: opening and leaving maps. `title_flight`: the map behind
//!   the title screen. `loading_pause`: pauses after frames, for chunk loading.
//! - [`shot`]: pictures without a window.

pub mod launch;
mod loading_pause;
pub mod map_requests;
pub mod plugin;
pub mod serial_schedules;
mod session_switch;
pub mod shot;
pub mod signals;
mod title_flight;
pub mod window;
pub mod window_settings;
