//! The panel on F3: live figures of the world and of the frame.
//!
//! - `window`: the panel and its tabs; `sources`: the resources that the pages read.
//! - `head`: position, frame rate and block, above every page.
//! - `world`, `storage`, `work`, `mesh`, `light`, `visibility`, `save`, `edits`, `rules`,
//!   `creatures`, `frame`: the pages. `bars`, `plots`, `typography`: their drawing helpers.
//! - `figures`: one column of the page *World*; `last_minute`: its plots. `measured`: bytes in each
//!   format of the storage table, the map file's included. `memory_owners`: the memory of the
//!   process by owner. `file_usage`: contents of the map's file. `rates`: operations per second.
//!   `mesh_counts`: other ways of merging one chunk; `run_counts`: runs, fused runs and quads.
//!   `surveyed_figures`: figures of each chunk, measured in the background, for `measured` and
//!   `run_counts`. `part_of_all`: a count and the total that it is part of. `light_stores`: other
//!   stores of one chunk's light. `visibility_counts`, `row_bytes`: drawn chunks, and the visible
//!   set in each codec.

mod bars;
mod creatures;
mod edits;
mod figures;
mod file_usage;
mod frame;
mod head;
mod last_minute;
mod light;
mod light_stores;
mod loading;
mod memory_owners;
mod mesh;
mod mesh_counts;
mod part_of_all;
mod plots;
mod plugin;
mod rates;
mod row_bytes;
mod rules;
mod run_counts;
mod save;
mod sources;
mod storage;
mod surface;
mod surface_counts;
mod surveyed_figures;
mod typography;
mod visibility;
mod visibility_counts;
mod window;
mod work;
mod world;

pub mod measured;

pub use plugin::PanelPlugin;
