//! Adds materials to the open map: a blueprint may have some that the map lacks.

use crate::game::drawing::chunk_drawing::FaceMaterialWords;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::render::textures::BlockTextures;
use crate::game::state::session::OpenMap;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use stonerun_engine::voxel::MaterialTable;

/// Everything that depends on the materials of the open map.
#[derive(SystemParam)]
pub struct MapMaterials<'w> {
    /// The open map.
    pub map: ResMut<'w, OpenMap>,
    lights: ResMut<'w, ChunkLights>,
    words: ResMut<'w, FaceMaterialWords>,
    textures: Res<'w, BlockTextures>,
}

impl MapMaterials<'_> {
    /// Replaces the map's material table with a longer one that begins with the same materials, so
    /// that indices in voxels keep their meaning. Does nothing if the table has not grown.
    pub fn grow(&mut self, materials: MaterialTable) {
        if materials.len() <= self.map.materials.len() {
            return;
        }
        self.map.set_materials(materials);
        self.lights.set_materials(&self.map.materials);
        *self.words = FaceMaterialWords::new(&self.textures, &self.map);
    }
}
