//! Handles of the embedded shaders.

use bevy::asset::{Handle, uuid_handle};
use bevy::shader::Shader;

/// The shader of chunk quads.
pub const CHUNK_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e301");
/// The shader of surfaces of ground.
pub const SURFACE_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e30c");
/// The shader library of the words of chunks.
pub const CHUNK_WORDS_LIBRARY: Handle<Shader> =
    uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e30d");
/// The shader library of light and air.
pub const SHADING_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e30e");
/// The shader of the sky dome.
pub const DOME_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e302");
/// The shader of creatures.
pub const CREATURE_SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e309");
/// The shader library of the light of lamps.
pub const LAMPS_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e30a");
/// The shader library of faces.
pub const FACES_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e30b");
/// The shader library of lava.
pub const LAVA_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e308");
/// The shader library of torches.
pub const TORCH_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e306");
/// The shader library of the colours of light levels.
pub const LIGHT_LEVELS_LIBRARY: Handle<Shader> =
    uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e307");
/// The shader library of water.
pub const WATER_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e305");
/// The shader library of sky colours.
pub const SKY_LIBRARY: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e303");
