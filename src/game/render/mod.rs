//! What draws the world: the chunk material, the sky, the textures, the light of the day.
//!
//! Sky and fog are a few lines of our own shaders instead of the engine's atmosphere: they cost little on any driver, and
//! the fog has the sky's colour, so that the far edge of the world cannot be seen.

mod plugin;
mod shaders;

pub mod chunk_material;
pub mod sky;
pub mod textures;

pub use plugin::RenderPlugin;
