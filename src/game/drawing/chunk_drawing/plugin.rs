//! The plugin of chunk drawing.

use crate::game::drawing::chunk_drawing::appearance::{self, ChunkParams, FaceMaterialWords};
use crate::game::drawing::chunk_drawing::depth_phases::{
    self, DrawCutOutDepth, DrawOpaqueDepth, DrawSurfaceDepth,
};
use crate::game::drawing::chunk_drawing::extract::{self, ExtractedScene};
use crate::game::drawing::chunk_drawing::phases::{
    self, DrawCutOut, DrawOpaque, DrawSurface, DrawTranslucent, ListEntities,
};
use crate::game::drawing::chunk_drawing::pipeline::ChunkPipeline;
use crate::game::drawing::chunk_drawing::scene::ChunkScene;
use crate::game::drawing::chunk_drawing::{gpu_buffers, view_draws, water_depth};
use bevy::core_pipeline::core_3d::{AlphaMask3d, Opaque3d, Transparent3d};
use bevy::core_pipeline::prepass::{AlphaMask3dPrepass, Opaque3dPrepass};
use bevy::pbr::Shadow;
use bevy::prelude::*;
use bevy::render::render_phase::AddRenderCommand;
use bevy::render::render_resource::SpecializedRenderPipelines;
use bevy::render::sync_world::MainEntity;
use bevy::render::{ExtractSchedule, Render, RenderApp, RenderStartup, RenderSystems};

/// Draws the chunks in Bevy's prepass, shadow maps and main pass.
pub struct ChunkDrawingPlugin;

impl Plugin for ChunkDrawingPlugin {
    fn build(&self, app: &mut App) {
        app.init_resource::<ChunkScene>()
            .init_resource::<ChunkParams>()
            .init_resource::<FaceMaterialWords>()
            .add_systems(Startup, appearance::create_tiles);
        let entities = [(); 4].map(|()| MainEntity::from(app.world_mut().spawn_empty().id()));
        let Some(render_app) = app.get_sub_app_mut(RenderApp) else { return };
        water_depth::add(render_app);
        render_app
            .insert_resource(ListEntities(entities))
            .init_resource::<ExtractedScene>()
            .init_resource::<ChunkPipeline>()
            .init_resource::<SpecializedRenderPipelines<ChunkPipeline>>()
            .add_render_command::<Opaque3d, DrawOpaque>()
            .add_render_command::<Opaque3d, DrawSurface>()
            .add_render_command::<AlphaMask3d, DrawCutOut>()
            .add_render_command::<Transparent3d, DrawTranslucent>()
            .add_render_command::<Opaque3dPrepass, DrawOpaqueDepth>()
            .add_render_command::<Opaque3dPrepass, DrawSurfaceDepth>()
            .add_render_command::<AlphaMask3dPrepass, DrawCutOutDepth>()
            .add_render_command::<Shadow, DrawOpaqueDepth>()
            .add_render_command::<Shadow, DrawSurfaceDepth>()
            .add_render_command::<Shadow, DrawCutOutDepth>()
            .add_systems(RenderStartup, (gpu_buffers::create, view_draws::create))
            .add_systems(ExtractSchedule, extract::extract)
            .add_systems(
                Render,
                (
                    (phases::queue, depth_phases::queue).in_set(RenderSystems::Queue),
                    (gpu_buffers::apply_changes, view_draws::collect)
                        .chain()
                        .in_set(RenderSystems::PrepareResources),
                    view_draws::bind.in_set(RenderSystems::PrepareBindGroups),
                ),
            );
    }
}
