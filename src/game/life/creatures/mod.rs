//! The creatures of the open map. They live on a thread of their own, twenty ticks a second, and
//! are drawn between ticks.
//!
//! - [`life`]: [`CreatureLife`], their state in the game. `thread`: the thread with its input and
//!   result. `known_chunks`: the chunks that creatures know.
//! - [`command`]: commands of builders to creatures.
//! - `bodies`: bodies as boxes. [`parts`]: draws boxes; `material`: their colour and light.

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
