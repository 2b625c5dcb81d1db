//! Chunks in the phases of Bevy's main pass: one item per view and list of quads.

use crate::game::drawing::chunk_drawing::draw_list::DrawRecord;
use crate::game::drawing::chunk_drawing::draw_method::DrawMethod;
use crate::game::drawing::chunk_drawing::extract::ExtractedScene;
use crate::game::drawing::chunk_drawing::pipeline::{
    ChunkPipeline, ChunkPipelineKey, Pass, PipelineTarget,
};
use crate::game::drawing::chunk_drawing::view_draws::ViewDraws;
use crate::game::drawing::chunk_drawing::water_depth::{SetWaterDepth, WaterDepthLayout};
use bevy::core_pipeline::core_3d::{
    AlphaMask3d, Opaque3d, Opaque3dBatchSetKey, Opaque3dBinKey, Transparent3d,
    TransparentSortingInfo3d,
};
use bevy::core_pipeline::prepass::{OpaqueNoLightmap3dBatchSetKey, OpaqueNoLightmap3dBinKey};
use bevy::ecs::query::ROQueryItem;
use bevy::ecs::system::SystemParamItem;
use bevy::ecs::system::lifetimeless::SRes;
use bevy::pbr::{MeshPipeline, SetMeshViewBindGroup, ViewKeyCache};
use bevy::prelude::*;
use bevy::render::mesh::allocator::MeshSlabs;
use bevy::render::render_phase::{
    BinnedRenderPhaseType, DrawFunctions, PhaseItem, PhaseItemExtraIndex, RenderCommand,
    RenderCommandResult, SetItemPipeline, TrackedRenderPass, ViewBinnedRenderPhases,
    ViewSortedRenderPhases,
};
use bevy::render::render_resource::{IndexFormat, PipelineCache, SpecializedRenderPipelines};
use bevy::render::sync_world::MainEntity;
use bevy::render::view::ExtractedView;

/// Main-world entities that stand for the opaque, cut-out, translucent and surface lists of all
/// chunks. Phases identify their items by these.
#[derive(Resource, Clone, Copy)]
pub(super) struct ListEntities(pub(super) [MainEntity; 4]);

/// The phases of the main pass.
#[derive(bevy::ecs::system::SystemParam)]
pub(super) struct Phases<'w> {
    opaque: ResMut<'w, ViewBinnedRenderPhases<Opaque3d>>,
    cutout: ResMut<'w, ViewBinnedRenderPhases<AlphaMask3d>>,
    translucent: ResMut<'w, ViewSortedRenderPhases<Transparent3d>>,
    draw_opaque: Res<'w, DrawFunctions<Opaque3d>>,
    draw_cutout: Res<'w, DrawFunctions<AlphaMask3d>>,
    draw_translucent: Res<'w, DrawFunctions<Transparent3d>>,
}

/// Adds the items. Binned phases keep items over frames, so each is removed and added again: its
/// pipeline may have changed, or Bevy may have dropped the phase meanwhile.
pub(super) fn queue(
    entities: Res<ListEntities>,
    scene: Res<ExtractedScene>,
    pipeline: Res<ChunkPipeline>,
    mesh: Res<MeshPipeline>,
    water_depth: Res<WaterDepthLayout>,
    cache: Res<PipelineCache>,
    mut pipelines: ResMut<SpecializedRenderPipelines<ChunkPipeline>>,
    keys: Res<ViewKeyCache>,
    mut phases: Phases,
    views: Query<&ExtractedView>,
) {
    let wants_cut = scene.params.cut != Vec4::ZERO;
    // Phases use the render entity for item queries only, and the draw command has none.
    let [opaque, cutout, translucent, surface] =
        entities.0.map(|entity| (Entity::PLACEHOLDER, entity));
    let asset_id = AssetId::<Mesh>::invalid().untyped();
    let material_bind_group_index = None;
    let lightmap_slab = None;
    let slabs = MeshSlabs::default();
    for view in &views {
        let id = view.retained_view_entity;
        let Some(&key) = keys.get(&id) else { continue };
        let view_layout = mesh.get_view_layout(key.into()).main_layout;
        let mut pipeline = |pass, is_cut| {
            let target = PipelineTarget::Colour { sun_shadows: scene.sun_shadows, is_cut };
            let water_depth = (pass == Pass::Translucent).then(|| water_depth.0.clone());
            let view_layout = view_layout.clone();
            let key = ChunkPipelineKey { pass, target, view: key, view_layout, water_depth };
            pipelines.specialize(&cache, &pipeline, key)
        };
        // Draws everything until the cutting shaders of all passes are compiled: a cut through the
        // trees alone would be wrong.
        let is_cut = wants_cut
            && Pass::ALL
                .map(|pass| cache.get_render_pipeline(pipeline(pass, true)).is_some())
                .iter()
                .all(|is_ready| *is_ready);
        let mut pipeline = |pass| pipeline(pass, is_cut);
        if let Some(phase) = phases.opaque.get_mut(&id) {
            let draw = phases.draw_opaque.read();
            let lists = [
                (opaque, Pass::Opaque, draw.id::<DrawOpaque>()),
                (surface, Pass::Surface, draw.id::<DrawSurface>()),
            ];
            for (entity, pass, draw_function) in lists {
                phase.remove(entity.1);
                phase.add(
                    Opaque3dBatchSetKey {
                        pipeline: pipeline(pass),
                        draw_function,
                        material_bind_group_index,
                        slabs,
                        lightmap_slab,
                    },
                    Opaque3dBinKey { asset_id },
                    entity,
                    default(),
                    BinnedRenderPhaseType::NonMesh,
                );
            }
        }
        if let Some(phase) = phases.cutout.get_mut(&id) {
            let draw_function = phases.draw_cutout.read().id::<DrawCutOut>();
            let pipeline = pipeline(Pass::CutOut);
            phase.remove(cutout.1);
            phase.add(
                OpaqueNoLightmap3dBatchSetKey {
                    pipeline,
                    draw_function,
                    material_bind_group_index,
                    slabs,
                },
                OpaqueNoLightmap3dBinKey { asset_id },
                cutout,
                default(),
                BinnedRenderPhaseType::NonMesh,
            );
        }
        if let Some(phase) = phases.translucent.get_mut(&id) {
            phase.add_transient(Transparent3d {
                // Sorted as farther away than all other translucent things, such as outlines, which
                // are therefore drawn over it.
                sorting_info: TransparentSortingInfo3d::Sorted {
                    mesh_center: Vec3::ZERO,
                    depth_bias: f32::NEG_INFINITY,
                },
                distance: 0.0,
                pipeline: pipeline(Pass::Translucent),
                entity: translucent,
                draw_function: phases.draw_translucent.read().id::<DrawTranslucent>(),
                batch_range: 0..1,
                extra_index: PhaseItemExtraIndex::None,
                indexed: false,
            });
        }
    }
}

/// Draws the opaque lists.
pub(super) type DrawOpaque = (SetItemPipeline, SetMeshViewBindGroup<0>, DrawChunks<0>);
/// Draws the surfaces.
pub(super) type DrawSurface = (SetItemPipeline, SetMeshViewBindGroup<0>, DrawChunks<3>);
/// Draws the cut-out lists.
pub(super) type DrawCutOut = (SetItemPipeline, SetMeshViewBindGroup<0>, DrawChunks<1>);
/// Draws the translucent lists.
pub(super) type DrawTranslucent =
    (SetItemPipeline, SetMeshViewBindGroup<0>, SetWaterDepth<2>, DrawChunks<2>);

/// Draws one list of all chunks of a view.
pub(super) struct DrawChunks<const LIST: usize>;

impl<P: PhaseItem, const LIST: usize> RenderCommand<P> for DrawChunks<LIST> {
    type Param = SRes<ViewDraws>;
    type ViewQuery = Entity;
    type ItemQuery = ();

    fn render<'w>(
        _: &P,
        view: ROQueryItem<'w, '_, Entity>,
        _: Option<()>,
        draws: SystemParamItem<'w, '_, Self::Param>,
        pass: &mut TrackedRenderPass<'w>,
    ) -> RenderCommandResult {
        let draws = draws.into_inner();
        let Some(bind_group) = &draws.bind_group else { return RenderCommandResult::Skip };
        let Some(ranges) = draws.ranges.get(&view) else { return RenderCommandResult::Skip };
        let range = &ranges[LIST];
        if range.len == 0 {
            return RenderCommandResult::Skip;
        }
        pass.set_bind_group(1, bind_group, &[]);
        pass.set_index_buffer(draws.indices.buffer.slice(..), IndexFormat::Uint32);
        let first = u64::from(range.first) * DrawRecord::BYTES as u64;
        let counter = u64::from(range.counter) * 4;
        match draws.method {
            DrawMethod::Direct => {
                for record in
                    &draws.records[range.first as usize..(range.first + range.len) as usize]
                {
                    pass.draw_indexed(0..record.indices, 0, record.chunk..record.chunk + 1);
                }
            }
            DrawMethod::Multi => {
                pass.multi_draw_indexed_indirect(&draws.arguments, first, range.len)
            }
            DrawMethod::Count => {
                pass.multi_draw_indexed_indirect_count(
                    &draws.arguments,
                    first,
                    &draws.counts,
                    counter,
                    range.len,
                );
            }
        }
        RenderCommandResult::Success
    }
}
