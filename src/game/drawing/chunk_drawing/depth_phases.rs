//! Chunks in the phases that draw depth only: the prepass of a camera and the shadow maps of
//! lights.
//!
//! A camera with a prepass of motion vectors gets no chunks in it; no camera of the game has one.

use crate::game::drawing::chunk_drawing::phases::{DrawChunks, ListEntities};
use crate::game::drawing::chunk_drawing::pipeline::{
    ChunkPipeline, ChunkPipelineKey, Pass, PipelineTarget,
};
use bevy::core_pipeline::prepass::{
    AlphaMask3dPrepass, Opaque3dPrepass, OpaqueNoLightmap3dBatchSetKey, OpaqueNoLightmap3dBinKey,
};
use bevy::ecs::system::SystemParam;
use bevy::pbr::{
    MeshPipelineKey, PrepassPipeline, SetPrepassViewBindGroup, Shadow, ShadowBatchSetKey,
    ShadowBinKey, ViewKeyCache,
};
use bevy::prelude::*;
use bevy::render::mesh::allocator::MeshSlabs;
use bevy::render::render_phase::{
    BinnedRenderPhaseType, DrawFunctions, SetItemPipeline, ViewBinnedRenderPhases,
};
use bevy::render::render_resource::{
    CachedRenderPipelineId, PipelineCache, SpecializedRenderPipelines,
};
use bevy::render::view::ExtractedView;

/// Draws the opaque lists, depth only.
pub(super) type DrawOpaqueDepth = (SetItemPipeline, SetPrepassViewBindGroup<0>, DrawChunks<0>);
/// Draws the surfaces, depth only.
pub(super) type DrawSurfaceDepth = (SetItemPipeline, SetPrepassViewBindGroup<0>, DrawChunks<3>);
/// Draws the cut-out lists, depth only.
pub(super) type DrawCutOutDepth = (SetItemPipeline, SetPrepassViewBindGroup<0>, DrawChunks<1>);

/// The phases that draw depth only.
#[derive(SystemParam)]
pub(super) struct DepthPhases<'w> {
    opaque: ResMut<'w, ViewBinnedRenderPhases<Opaque3dPrepass>>,
    cutout: ResMut<'w, ViewBinnedRenderPhases<AlphaMask3dPrepass>>,
    shadow: ResMut<'w, ViewBinnedRenderPhases<Shadow>>,
    draw_opaque: Res<'w, DrawFunctions<Opaque3dPrepass>>,
    draw_cutout: Res<'w, DrawFunctions<AlphaMask3dPrepass>>,
    draw_shadow: Res<'w, DrawFunctions<Shadow>>,
}

/// Pipelines that draw depth only.
#[derive(SystemParam)]
pub(super) struct DepthPipelines<'w> {
    chunks: Res<'w, ChunkPipeline>,
    prepass: Res<'w, PrepassPipeline>,
    cache: Res<'w, PipelineCache>,
    specialized: ResMut<'w, SpecializedRenderPipelines<ChunkPipeline>>,
}

impl DepthPipelines<'_> {
    /// The pipeline for a list of quads, a target and the key of a view.
    fn get(
        &mut self,
        pass: Pass,
        target: PipelineTarget,
        view: MeshPipelineKey,
    ) -> CachedRenderPipelineId {
        let view_layout = self.prepass.view_layout_no_motion_vectors.clone();
        let key = ChunkPipelineKey { pass, target, view, view_layout, water_depth: None };
        self.specialized.specialize(&self.cache, &self.chunks, key)
    }
}

/// Adds the items, as [`phases::queue`](super::phases::queue) does.
pub(super) fn queue(
    entities: Res<ListEntities>,
    mut pipelines: DepthPipelines,
    keys: Res<ViewKeyCache>,
    mut phases: DepthPhases,
    views: Query<&ExtractedView>,
) {
    let [opaque, cutout, _, surface] = entities.0;
    let asset_id = AssetId::<Mesh>::invalid().untyped();
    let material_bind_group_index = None;
    let slabs = MeshSlabs::default();
    let item = |entity| (Entity::PLACEHOLDER, entity);
    for view in &views {
        let id = view.retained_view_entity;
        if let Some(phase) = phases.shadow.get_mut(&id) {
            let target = PipelineTarget::ShadowMap {
                unclipped: pipelines.prepass.depth_clip_control_supported,
            };
            let draw = phases.draw_shadow.read();
            let draws = [
                (opaque, Pass::Opaque, draw.id::<DrawOpaqueDepth>()),
                (surface, Pass::Surface, draw.id::<DrawSurfaceDepth>()),
                (cutout, Pass::CutOut, draw.id::<DrawCutOutDepth>()),
            ];
            for (entity, pass, draw_function) in draws {
                let pipeline = pipelines.get(pass, target, MeshPipelineKey::NONE);
                phase.remove(entity);
                phase.add(
                    ShadowBatchSetKey { pipeline, draw_function, material_bind_group_index, slabs },
                    ShadowBinKey { asset_id },
                    item(entity),
                    default(),
                    BinnedRenderPhaseType::NonMesh,
                );
            }
        }
        let Some(&key) =
            keys.get(&id).filter(|key| !key.contains(MeshPipelineKey::MOTION_VECTOR_PREPASS))
        else {
            continue;
        };
        let bin_key = || OpaqueNoLightmap3dBinKey { asset_id };
        if let Some(phase) = phases.opaque.get_mut(&id) {
            let draw = phases.draw_opaque.read();
            let lists = [
                (opaque, Pass::Opaque, draw.id::<DrawOpaqueDepth>()),
                (surface, Pass::Surface, draw.id::<DrawSurfaceDepth>()),
            ];
            for (entity, pass, draw_function) in lists {
                let pipeline = pipelines.get(pass, PipelineTarget::Prepass, key);
                let key = OpaqueNoLightmap3dBatchSetKey {
                    pipeline,
                    draw_function,
                    material_bind_group_index,
                    slabs,
                };
                phase.remove(entity);
                phase.add(key, bin_key(), item(entity), default(), BinnedRenderPhaseType::NonMesh);
            }
        }
        if let Some(phase) = phases.cutout.get_mut(&id) {
            let pipeline = pipelines.get(Pass::CutOut, PipelineTarget::Prepass, key);
            let draw_function = phases.draw_cutout.read().id::<DrawCutOutDepth>();
            let key = OpaqueNoLightmap3dBatchSetKey {
                pipeline,
                draw_function,
                material_bind_group_index,
                slabs,
            };
            phase.remove(cutout);
            phase.add(key, bin_key(), item(cutout), default(), BinnedRenderPhaseType::NonMesh);
        }
    }
}
