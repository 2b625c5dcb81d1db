//! The render pipelines of chunk quads: opaque, cut-out, translucent, surface; in colour, or depth
//! only.

use crate::game::drawing::render::shaders::{CHUNK_SHADER, SURFACE_SHADER};
use bevy::core_pipeline::core_3d::CORE_3D_DEPTH_FORMAT;
use bevy::core_pipeline::prepass::prepass_target_descriptors;
use bevy::pbr::MeshPipelineKey;
use bevy::prelude::*;
use bevy::render::render_resource::binding_types::{
    sampler, storage_buffer_read_only_sized, texture_2d_array, uniform_buffer_sized,
};
use bevy::render::render_resource::{
    BindGroupLayoutDescriptor, BindGroupLayoutEntries, BlendState, ColorTargetState, ColorWrites,
    CompareFunction, DepthBiasState, DepthStencilState, Face, FragmentState, MultisampleState,
    PrimitiveState, RenderPipelineDescriptor, SamplerBindingType, ShaderStages,
    SpecializedRenderPipeline, TextureSampleType, VertexState,
};
use bevy::shader::ShaderDefVal;
use stonerun_engine::variants;
use strum::VariantArray;

/// A list of a chunk's quads, drawn in one phase.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub(super) enum Pass {
    /// Hides everything behind.
    Opaque,
    /// Texels are opaque or missing; drawn from both sides.
    CutOut,
    /// Blended with everything behind, after all other passes; drawn from both sides.
    Translucent,
    /// Surfaces of ground; they hide everything behind, too.
    Surface,
}

impl Pass {
    /// All passes.
    pub(super) const ALL: [Pass; 4] = variants::all();
}

/// Target into which a pipeline draws.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(super) enum PipelineTarget {
    /// Colour and depth of the main pass.
    Colour {
        /// True if the sun's shadow maps darken the quads.
        sun_shadows: bool,
        /// True if the quads in front of the cutaway's plane are left out.
        is_cut: bool,
    },
    /// Depth of a camera's prepass, and normals if it wants them.
    Prepass,
    /// A shadow map.
    ShadowMap {
        /// True if quads between the light and the map's near plane are kept, so that they cast
        /// shadows, too.
        unclipped: bool,
    },
}

/// Builds pipelines for a pass and a view.
#[derive(Resource)]
pub(super) struct ChunkPipeline {
    /// Layout of the chunks' own bind group.
    pub(super) layout: BindGroupLayoutDescriptor,
}

/// Key of a pipeline: pass, target, view key and bind group layouts.
#[derive(Clone, PartialEq, Eq, Hash)]
pub(super) struct ChunkPipelineKey {
    pub(super) pass: Pass,
    pub(super) target: PipelineTarget,
    /// Key of the camera; empty for a light.
    pub(super) view: MeshPipelineKey,
    /// Layout of the view's bind group.
    pub(super) view_layout: BindGroupLayoutDescriptor,
    /// Layout of the bind group with the depth behind translucent quads.
    pub(super) water_depth: Option<BindGroupLayoutDescriptor>,
}

impl ChunkPipelineKey {
    /// Definitions that the shader is compiled with.
    fn shader_defs(&self) -> Vec<ShaderDefVal> {
        let mut defs: Vec<ShaderDefVal> = match self.pass {
            Pass::Opaque | Pass::Surface => vec![],
            Pass::CutOut => vec!["CUT_OUT".into()],
            Pass::Translucent => vec!["TRANSLUCENT".into()],
        };
        if self.view.msaa_samples() > 1 {
            defs.push("MULTISAMPLED".into());
        }
        match self.target {
            PipelineTarget::Colour { sun_shadows: false, .. } => {}
            PipelineTarget::Colour { sun_shadows: true, .. } => {
                let filter =
                    self.view.intersection(MeshPipelineKey::SHADOW_FILTER_METHOD_RESERVED_BITS);
                let filter = match filter {
                    MeshPipelineKey::SHADOW_FILTER_METHOD_GAUSSIAN => {
                        "SHADOW_FILTER_METHOD_GAUSSIAN"
                    }
                    MeshPipelineKey::SHADOW_FILTER_METHOD_TEMPORAL => {
                        "SHADOW_FILTER_METHOD_TEMPORAL"
                    }
                    _ => "SHADOW_FILTER_METHOD_HARDWARE_2X2",
                };
                defs.extend(["SUN_SHADOWS".into(), filter.into()]);
            }
            PipelineTarget::Prepass | PipelineTarget::ShadowMap { unclipped: true } => {
                defs.push("DEPTH_ONLY".into())
            }
            // The shader moves faces in front of the near plane onto it, so that they still cast
            // shadows.
            PipelineTarget::ShadowMap { unclipped: false } => {
                defs.extend(["DEPTH_ONLY".into(), "CLAMP_DEPTH".into()])
            }
        }
        if self.wants_normals() {
            defs.push("NORMALS".into());
        }
        if matches!(self.target, PipelineTarget::Colour { is_cut: true, .. }) {
            defs.push("CUTAWAY".into());
        }
        defs
    }

    /// True if the prepass stores normals.
    fn wants_normals(&self) -> bool {
        self.target == PipelineTarget::Prepass
            && self.view.contains(MeshPipelineKey::NORMAL_PREPASS)
    }

    /// The colour targets.
    fn targets(&self) -> Vec<Option<ColorTargetState>> {
        let state =
            |format, blend| Some(ColorTargetState { format, blend, write_mask: ColorWrites::ALL });
        match self.target {
            PipelineTarget::Colour { .. } => {
                let blend = (self.pass == Pass::Translucent).then_some(BlendState::ALPHA_BLENDING);
                vec![state(self.view.target_format(), blend)]
            }
            PipelineTarget::Prepass if self.wants_normals() => {
                prepass_target_descriptors(true, false, false)
            }
            PipelineTarget::Prepass | PipelineTarget::ShadowMap { .. } => vec![],
        }
    }
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
        let defs = key.shader_defs();
        let targets = key.targets();
        let is_translucent = key.pass == Pass::Translucent;
        let is_surface = key.pass == Pass::Surface;
        let shader = if is_surface { SURFACE_SHADER } else { CHUNK_SHADER };
        // A fragment shader is needed only to leave out texels, or to write colours or normals.
        let needs_fragments = key.pass == Pass::CutOut || !targets.is_empty();
        let unclipped_depth = key.target == PipelineTarget::ShadowMap { unclipped: true };
        // Faces of glass or leaves next to water lie in the same plane as the water's face. The
        // bias puts the water's face behind them.
        let bias = DepthBiasState { constant: -8, slope_scale: -1.0, clamp: 0.0 };
        RenderPipelineDescriptor {
            label: Some(format!("chunks, {:?}, {:?}", key.pass, key.target).into()),
            layout: [key.view_layout, self.layout.clone()]
                .into_iter()
                .chain(key.water_depth)
                .collect(),
            vertex: VertexState {
                shader: shader.clone(),
                shader_defs: defs.clone(),
                entry_point: Some("vertex".into()),
                buffers: vec![],
            },
            fragment: needs_fragments.then_some(FragmentState {
                shader,
                shader_defs: defs,
                entry_point: Some("fragment".into()),
                targets,
            }),
            primitive: PrimitiveState {
                cull_mode: (key.pass == Pass::Opaque || is_surface).then_some(Face::Back),
                unclipped_depth,
                ..default()
            },
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
