//! Drawing of the world: shaders, sky, textures, daylight.
//!
//! Sky and fog are a few lines in our own shaders instead of Bevy's atmosphere: they are cheap on
//! any driver, and the fog has the sky's colour, so the far edge of the world is invisible.

mod plugin;

pub mod shaders;
pub mod sky;
pub mod textures;

pub use plugin::RenderPlugin;
