//! The creatures of the open map: they live on a thread of their own, twenty ticks a second, and
//! are drawn between ticks.
//!
//! - [`life`]: [`CreatureLife`], what the game knows of them. `thread`: the thread, with what it
//!   gets and returns. `known_chunks`: the chunks that creatures know.
//! - [`command`]: what a builder does with them.
//! - `bodies`: bodies as boxes. [`parts`]: draws boxes; `material`: how they look.

mod bodies;
pub mod command;
mod kinds;
mod known_chunks;
pub mod life;
mod material;
pub mod parts;
mod plugin;
mod systems;
#[cfg(test)]
mod tests;
mod thread;

pub use life::{CreatureFigures, CreatureLife};
pub use plugin::CreaturesPlugin;
pub use thread::ReachShown;
