//! The render pipelines of chunk quads: opaque, cut-out, translucent.

use crate::game::render::shaders::CHUNK_SHADER;
use bevy::core_pipeline::core_3d::CORE_3D_DEPTH_FORMAT;
use bevy::pbr::MeshPipelineKey;
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{
    sampler, storage_buffer_read_only_sized, texture_2d_array, uniform_buffer_sized,
};
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendState, ColorTargetState, ColorWrites, CompareFunction,
    DepthBiasState, DepthStencilState, Face, FragmentState, MultisampleState, PrimitiveState, RenderPipelineDescriptor,
    SamplerBindingType, ShaderStages, SpecializedRenderPipeline, TextureSampleType, VertexState,
};
use bevy::shader::ShaderDefVal;

/// A list of a chunk's quads, drawn in one phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum Pass {
    /// Hides what is behind.
    Opaque,
    /// Texels are opaque or missing; drawn from both sides.
    CutOut,
    /// Blended with what is behind, after everything else; drawn from both sides.
    Translucent,
}

/// Builds pipelines for a pass and a view.
#[derive(Resource)]
pub(super) struct ChunkPipeline {
    /// Layout of the chunks' own bind group.
    pub(super) layout: BindGroupLayoutDescriptor,
}

/// Key of a pipeline: pass, view key and bind group layouts.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct ChunkPipelineKey {
    pub(super) pass: Pass,
    pub(super) view: MeshPipelineKey,
    /// Layout of the view's bind group.
    pub(super) view_layout: BindGroupLayoutDescriptor,
    /// Layout of the bind group that translucent quads read the depth behind them from.
    pub(super) water_depth: BindGroupLayoutDescriptor,
}

impl Default for ChunkPipeline {
    fn default() -> ChunkPipeline {
        let both = ShaderStages::VERTEX_FRAGMENT;
        let entries = BindGroupLayoutEntries::sequential(
            both,
            (
                uniform_buffer_sized(false, None),
                texture_2d_array(TextureSampleType::Float { filterable: true }),
                sampler(SamplerBindingType::Filtering),
                storage_buffer_read_only_sized(false, None),
                storage_buffer_read_only_sized(false, None),
            ),
        );
        ChunkPipeline { layout: BindGroupLayoutDescriptor::new("chunks", &entries) }
    }
}

impl SpecializedRenderPipeline for ChunkPipeline {
    type Key = ChunkPipelineKey;

    fn specialize(&self, key: ChunkPipelineKey) -> RenderPipelineDescriptor {
        let mut defs: Vec<ShaderDefVal> = match key.pass {
            Pass::Opaque => vec![],
            Pass::CutOut => vec!["CUT_OUT".into()],
            Pass::Translucent => vec!["TRANSLUCENT".into()],
        };
        if key.view.msaa_samples() > 1 {
            defs.push("MULTISAMPLED".into());
        }
        let is_translucent = key.pass == Pass::Translucent;
        let mut layout = vec![key.view_layout, self.layout.clone()];
        if is_translucent {
            layout.push(key.water_depth);
        }
        // Glass or leaves next to water share the water's plane: the water's face must be behind.
        let bias = DepthBiasState { constant: -8, slope_scale: -1.0, clamp: 0.0 };
        RenderPipelineDescriptor {
            label: Some(format!("chunks, {:?}", key.pass).into()),
            layout,
            vertex: VertexState {
                shader: CHUNK_SHADER,
                shader_defs: defs.clone(),
                entry_point: Some("vertex".into()),
                buffers: vec![],
            },
            fragment: Some(FragmentState {
                shader: CHUNK_SHADER,
                shader_defs: defs,
                entry_point: Some("fragment".into()),
                targets: vec![Some(ColorTargetState {
                    format: key.view.target_format(),
                    blend: is_translucent.then_some(BlendState::ALPHA_BLENDING),
                    write_mask: ColorWrites::ALL,
                })],
            }),
            primitive: PrimitiveState { cull_mode: (key.pass == Pass::Opaque).then_some(Face::Back), ..default() },
            depth_stencil: Some(DepthStencilState {
                format: CORE_3D_DEPTH_FORMAT,
                depth_write_enabled: Some(!is_translucent),
                depth_compare: Some(CompareFunction::GreaterEqual),
                stencil: default(),
                bias: if is_translucent { bias } else { default() },
            }),
            multisample: MultisampleState { count: key.view.msaa_samples(), ..default() },
            ..default()
        }
    }
}
