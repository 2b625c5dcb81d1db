//! The material of creatures' boxes: lit like blocks, by the light of one voxel.

use crate::game::drawing::chunk_drawing::ChunkParams;
use crate::game::drawing::render::shaders::CREATURE_SHADER;
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::AsBindGroup;
use bevy::shader::ShaderRef;
use stonerun_engine::light::{Channel, LightLevels};

/// The material of creatures. All boxes share it, so that they are drawn with one call.
#[derive(Asset, TypePath, AsBindGroup, Clone)]
pub struct CreatureMaterial {
    /// Fog and light, as for chunks.
    #[uniform(0)]
    pub params: ChunkParams,
}

impl Material for CreatureMaterial {
    fn vertex_shader() -> ShaderRef {
        ShaderRef::Handle(CREATURE_SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(CREATURE_SHADER)
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }
}

/// The tag of a box. From the lowest bit: red (5 bits), green (6), blue (5), as square roots of
/// linear light; then, with 4 bits each, the level of the sun, the red level of lamps, the mean of
/// their green and blue levels, and the glow of the box.
#[must_use]
pub fn tag(colour: [u8; 3], light: LightLevels, glow: u8) -> u32 {
    let [red, green, blue] = colour.map(u32::from);
    let [red, green, blue] =
        [(red * 31 + 127) / 255, (green * 63 + 127) / 255, (blue * 31 + 127) / 255];
    let level = |channel| u32::from(light.get(channel));
    let others = (level(Channel::Green) + level(Channel::Blue)).div_ceil(2);
    let light = level(Channel::Sun) | level(Channel::Red) << 4 | others << 8;
    red | green << 5 | blue << 11 | light << 16 | u32::from(glow.min(15)) << 28
}
