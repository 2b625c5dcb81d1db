//! Gives the open map the materials that were added in this frame: shapes that were first used,
//! materials of blueprints.

use crate::game::drawing::chunk_drawing::FaceMaterialWords;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::state::frame::chunk_messages::MaterialsAdded;
use crate::game::state::session::OpenMap;
use bevy::prelude::*;

/// Appends the materials by which [`OpenMap::growing`] has grown, and renews everything that
/// depends on the materials. Runs after all edits, and before everything that reads the materials
/// of chunks.
pub fn grow(
    mut map: ResMut<OpenMap>,
    mut lights: ResMut<ChunkLights>,
    mut words: ResMut<FaceMaterialWords>,
    textures: Res<BlockTextures>,
    mut added: MessageWriter<MaterialsAdded>,
) {
    let grown = map.growing.table();
    if grown.len() <= map.materials.len() {
        return;
    }
    map.set_materials((*grown).clone());
    lights.set_materials(&map.materials);
    *words = FaceMaterialWords::new(&textures, &map);
    added.write(MaterialsAdded);
}
