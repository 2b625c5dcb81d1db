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
    /// Appends the materials that `materials` has beyond the end of the map's table. Both tables
    /// begin with the same names, so that indices in voxels keep their meaning. Surfaces that have
    /// changed since `materials` was made stay.
    pub fn grow(&mut self, materials: &MaterialTable) {
        if materials.len() <= self.map.materials.len() {
            return;
        }
        let mut grown = (*self.map.materials).clone();
        for (_, material) in materials.iter().skip(grown.len()) {
            // `add` fails only if the table is full, which the longer table shows it is not.
            let _ = grown.add(material.clone());
        }
        self.map.set_materials(grown);
        self.lights.set_materials(&self.map.materials);
        *self.words = FaceMaterialWords::new(&self.textures, &self.map);
    }
}
