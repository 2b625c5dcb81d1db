//! Overlays (`F4`): drawn into the world to show how it is stored.
//!
//! - `bytes`: frames around the chunks, by what each takes; `borders`: which ones, and their bars.
//! - `chunk`: the bars of the chunk under the crosshair, which `gaze` finds: its stored `runs`, or
//!   its `neighbourhoods`; `bars` makes both kinds of bars, and `source` tells when they are stale.
//! - `cells`: the player's cell, and the chunks of its set.
//! - `unsaved`: the chunks that were changed, by how far they are on their way to the disk.
//! - `frames`: when frames around chunks are made, and how they stay in place.
//! - `sides`: meshes of boxes; `paint`: the material; `ramp`: the colours; `legend`: what those
//!   mean.

pub mod bars;
pub mod borders;
pub mod gaze;
pub mod neighbourhoods;
pub mod ramp;
pub mod runs;

mod bytes;
mod cells;
mod chunk;
mod frames;
mod legend;
mod paint;
mod plugin;
mod sides;
mod source;
mod unsaved;

pub use plugin::OverlayPlugin;
