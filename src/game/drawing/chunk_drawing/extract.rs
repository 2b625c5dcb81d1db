//! Data that the render world gets from the main world each frame.

use crate::game::drawing::chunk_drawing::appearance::{BlockTiles, ChunkParams, FaceMaterialWords};
use crate::game::drawing::chunk_drawing::scene::{
    ChunkScene, DrawCounters, DrawFilter, SceneChange,
};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::settings::Settings;
use bevy::prelude::*;
use bevy::render::MainWorld;
use bevy::render::renderer::RenderAdapterInfo;
use std::sync::Arc;
use stonerun_engine::voxel::ChunkPos;
use wgpu::DeviceType;

/// The scene in the render world.
#[derive(Resource, Default)]
pub(super) struct ExtractedScene {
    /// Changes since the last frame.
    pub(super) changes: Vec<SceneChange>,
    /// The filter, if it changed.
    pub(super) filter: Option<DrawFilter>,
    pub(super) counters: Arc<DrawCounters>,
    /// Fog and light.
    pub(super) params: ChunkParams,
    /// Bytes that chunks may use; `None` for the default of the device.
    pub(super) budget: Option<u64>,
    /// True if the sun casts shadows.
    pub(super) sun_shadows: bool,
    /// The chunk of the player.
    pub(super) centre: ChunkPos,
    /// Origin of drawn positions, in voxels.
    pub(super) origin: IVec3,
    /// Array texture of the blocks.
    pub(super) tiles: Option<Handle<Image>>,
    /// Words of the face materials.
    pub(super) face_materials: Arc<Vec<[u32; 2]>>,
}

/// Takes the changes of a frame; they are moved, not copied.
pub(super) fn extract(mut main: ResMut<MainWorld>, mut scene: ResMut<ExtractedScene>) {
    let mut main_scene = main.resource_mut::<ChunkScene>();
    scene.changes.append(&mut main_scene.changes);
    if let Some(filter) = main_scene.filter.take() {
        scene.filter = Some(filter);
    }
    scene.counters = Arc::clone(&main_scene.counters);
    scene.centre = main_scene.centre;
    let settings = main.resource::<Settings>();
    let adapter =
        main.get_resource::<RenderAdapterInfo>().map_or(DeviceType::Other, |info| info.device_type);
    let shadows = settings.sun_shadows.on(adapter);
    scene.budget = settings.mesh_memory_bytes();
    scene.sun_shadows = shadows.reach().is_some();
    scene.params = *main.resource::<ChunkParams>();
    scene.origin = main.resource::<RenderOrigin>().0;
    scene.tiles = main.get_resource::<BlockTiles>().map(|tiles| tiles.0.clone());
    scene.face_materials = Arc::clone(&main.resource::<FaceMaterialWords>().0);
}
