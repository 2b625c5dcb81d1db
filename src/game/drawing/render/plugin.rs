//! The plugin of rendering.

use crate::game::drawing::render::shaders::{
    CHUNK_SHADER, CHUNK_WORDS_LIBRARY, CREATURE_SHADER, DOME_SHADER, FACES_LIBRARY, LAMPS_LIBRARY,
    LAVA_LIBRARY, LIGHT_LEVELS_LIBRARY, SHADING_LIBRARY, SKY_LIBRARY, SURFACE_SHADER,
    TORCH_LIBRARY, WATER_LIBRARY,
};
use crate::game::drawing::render::sky;
use crate::game::drawing::render::textures::BlockTextures;
use bevy::prelude::*;
use bevy::shader::Shader;

/// Adds the materials and their embedded shaders.
pub struct RenderPlugin;

impl Plugin for RenderPlugin {
    fn build(&self, app: &mut App) {
        let mut shaders = app.world_mut().resource_mut::<Assets<Shader>>();
        let sources = [
            (SKY_LIBRARY, include_str!("../../../../assets/shaders/sky.wgsl"), "sky.wgsl"),
            (WATER_LIBRARY, include_str!("../../../../assets/shaders/water.wgsl"), "water.wgsl"),
            (FACES_LIBRARY, include_str!("../../../../assets/shaders/faces.wgsl"), "faces.wgsl"),
            (LAVA_LIBRARY, include_str!("../../../../assets/shaders/lava.wgsl"), "lava.wgsl"),
            (TORCH_LIBRARY, include_str!("../../../../assets/shaders/torch.wgsl"), "torch.wgsl"),
            (
                LIGHT_LEVELS_LIBRARY,
                include_str!("../../../../assets/shaders/light_levels.wgsl"),
                "light_levels.wgsl",
            ),
            (LAMPS_LIBRARY, include_str!("../../../../assets/shaders/lamps.wgsl"), "lamps.wgsl"),
            (
                CREATURE_SHADER,
                include_str!("../../../../assets/shaders/creature.wgsl"),
                "creature.wgsl",
            ),
            (
                CHUNK_WORDS_LIBRARY,
                include_str!("../../../../assets/shaders/chunk_words.wgsl"),
                "chunk_words.wgsl",
            ),
            (
                SHADING_LIBRARY,
                include_str!("../../../../assets/shaders/shading.wgsl"),
                "shading.wgsl",
            ),
            (CHUNK_SHADER, include_str!("../../../../assets/shaders/chunk.wgsl"), "chunk.wgsl"),
            (
                SURFACE_SHADER,
                include_str!("../../../../assets/shaders/surface.wgsl"),
                "surface.wgsl",
            ),
            (
                DOME_SHADER,
                include_str!("../../../../assets/shaders/sky_dome.wgsl"),
                "sky_dome.wgsl",
            ),
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
            // The strip is embedded, so a broken one cannot be replaced at run time.
            Err(error) => {
                error!("{error}");
                std::process::exit(1);
            }
        }
        app.add_plugins(MaterialPlugin::<sky::SkyMaterial>::default())
            .add_systems(Startup, sky::spawn)
            .add_systems(Update, (sky::follow_the_day, sky::set_shadows));
    }
}
