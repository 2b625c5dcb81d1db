//! Overlays (`F4`): drawings in the world that show its storage.
//!
//! - `bytes`: frames around the chunks, by heap bytes; `borders`: their choice and their bars.
//! - `chunk`: the bars of the chunk under the crosshair, which `chunk_selection` finds: its stored
//!   `runs`, or its fused runs (`neighbourhoods`). `bars` builds the bars; `source` detects stale
//!   ones.
//! - `cells`: the player's cell, and the chunks of its set.
//! - `quads`: the edges of merged quads, drawn by the chunks' own shader.
//! - `light`: levels of light as colours, by the same shader, and as numbers near the crosshair.
//! - `unsaved`: the changed chunks, by save state.
//! - `edits`: changes of the last steps of the history; `changed_voxels`: the voxels and their
//!   sides.
//! - `activity`: blocks in which rules act next. `paths`: paths of creatures.
//! - `reach`: places that a creature, or the player, can reach.
//! - `frames`: builds frames and boxes, and keeps them in place.
//! - `cut`: the cutaway: a plane across the world, with the runs that it crosses. `labels`: text in
//!   the world.
//! - `ramp`: the colours; `legend`: their meaning, which `explained` shows.

pub mod bars;
pub mod borders;
pub mod chunk_selection;
pub mod neighbourhoods;
pub mod ramp;
pub mod runs;

mod activity;
mod bytes;
mod cells;
mod changed_voxels;
mod chunk;
mod cut;
mod edits;
mod explained;
mod frames;
mod labels;
mod legend;
mod light;
mod paths;
mod plugin;
mod quads;
mod reach;
mod source;
mod surface;
mod unsaved;

pub use plugin::OverlayPlugin;
