//! What draws the world: the chunk material, the sky, the textures, the light of the day.
//!
//! Sky and fog are our own few lines of shader rather than the engine's atmosphere: they cost little on any
//! driver, and the fog's colour is the sky's, so that the far edge of the world cannot be seen.

pub mod chunk_material;
pub mod sky;
pub mod textures;

use bevy::asset::{Handle, uuid_handle};
use bevy::prelude::*;
use bevy::shader::Shader;
pub use chunk_material::{ATTRIBUTE_PACKED, ChunkMaterial, ChunkMaterials, ChunkParams, MaterialMaker, Pass};
pub use textures::BlockTextures;

/// The shader of chunk quads.
pub const CHUNK_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e301");
/// The shader of the sky dome.
pub const DOME_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e302");
/// The shader library of sky colours.
pub const SKY_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e303");

/// Adds the materials and their embedded shaders.
pub struct RenderPlugin;

impl Plugin for RenderPlugin {
    fn build(&self, app: &mut App) {
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        let sources = [
            (SKY_LIBRARY, include_str!("../../../assets/shaders/sky.wgsl"), "sky.wgsl"),
            (CHUNK_SHADER, include_str!("../../../assets/shaders/chunk.wgsl"), "chunk.wgsl"),
            (DOME_SHADER, include_str!("../../../assets/shaders/sky_dome.wgsl"), "sky_dome.wgsl"),
        ];
        for (handle, source, path) in sources {
            if let Err(error) = shaders.insert(&handle, Shader::from_wgsl(source, path)) {
                error!("shader {path}: {error}");
            }
        }
        match BlockTextures::embedded() {
            Ok(textures) => {
                app.insert_resource(textures);
            }
            // A program built with a broken picture cannot draw a world.
            Err(error) => {
                error!("{error}");
                std::process::exit(1);
            }
        }
        app.add_plugins((MaterialPlugin::<ChunkMaterial>::default(), MaterialPlugin::<sky::SkyMaterial>::default()))
            .add_systems(Startup, sky::spawn)
            .add_systems(Update, sky::follow_the_day);
    }
}
