//! The look of chunks: fog and light, textures, face materials.

use crate::game::drawing::render::textures::BlockTextures;
use crate::game::state::frame::chunk_messages::SurfacesChanged;
use crate::game::state::session::OpenMap;
use bevy::prelude::*;
use bevy::render::render_resource::ShaderType;
use std::sync::Arc;

/// Fog and light in the shader.
#[derive(Resource, Clone, Copy, PartialEq, Debug, ShaderType)]
pub struct ChunkParams {
    /// x: start of fog, y: full fog (metres); z: share of the sky in the colour of the far
    /// distance, 0 to 1.
    pub fog: Vec4,
    /// rgb: colour that replaces the sky underground and under water; a: 1 under water.
    pub veil: Vec4,
    /// x: weight of vertical distance for fog, relative to horizontal; above 1, because fewer
    /// chunks are drawn vertically. y: exponent of the light, less 1: below 0 lightens dark places.
    /// z: 1 draws edges of quads, 2 the triangles of surfaces. w: 1 draws faces in the colours of
    /// their light.
    pub reach: Vec4,
    /// Direction to the sun.
    pub sun: Vec4,
    /// rgb: light of the block that the player holds.
    pub lamp: Vec4,
    /// xyz: normal of the cutaway's plane, 0 without one; w: positions whose product with the
    /// normal is larger are not drawn.
    pub cut: Vec4,
}

impl Default for ChunkParams {
    fn default() -> ChunkParams {
        ChunkParams {
            fog: Vec4::new(100.0, 200.0, 1.0, 0.0),
            veil: Vec4::ZERO,
            reach: Vec4::X,
            sun: Vec4::Y,
            lamp: Vec4::ZERO,
            cut: Vec4::ZERO,
        }
    }
}

/// The array texture of the blocks.
#[derive(Resource)]
pub struct BlockTiles(pub Handle<Image>);

/// Words of the face materials of the open map, as the shader reads them.
#[derive(Resource, Default)]
pub struct FaceMaterialWords(pub Arc<Vec<[u32; 2]>>);

impl FaceMaterialWords {
    /// The words for a map.
    #[must_use]
    pub fn new(textures: &BlockTextures, map: &OpenMap) -> FaceMaterialWords {
        FaceMaterialWords(Arc::new(textures.face_material_words(&map.face_materials)))
    }
}

/// Renews the words of the face materials after surfaces of materials have changed.
pub fn renew_words(
    mut changed: MessageReader<SurfacesChanged>,
    map: Res<OpenMap>,
    textures: Res<BlockTextures>,
    mut words: ResMut<FaceMaterialWords>,
) {
    if changed.read().count() > 0 {
        *words = FaceMaterialWords::new(&textures, &map);
    }
}

/// Creates the array texture.
pub(super) fn create_tiles(
    mut commands: Commands,
    textures: Res<BlockTextures>,
    mut images: ResMut<Assets<Image>>,
) {
    commands.insert_resource(BlockTiles(images.add(textures.array())));
}
