//! The cutaway of the overlays (`F7`): a plane across the world, on which each stored run is one
//! bar.
//!
//! ```text
//! controls    keys and wheel: which plane
//! overlay     when the cut is built, and its pictures in the world
//!   chunks      the chunks of the cut, taken from the world
//!   content     the quantity that the bars show
//!   section     one chunk: its bars, their colours, its totals   (cells, bars)
//!   picture     the mesh
//!   figures     totals, with a histogram
//! explain     legend, numbers near the crosshair, bytes of each chunk
//! ```

mod bars;
mod cells;
mod chunks;
mod content;
mod controls;
mod explain;
mod figures;
mod histogram;
mod overlay;
mod picture;
mod section;

pub(super) use controls::{aim, close, control};
pub(super) use explain::{CutLegend, explain};
pub(super) use overlay::{CutOverlay, place, update};
