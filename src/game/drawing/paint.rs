//! The material of overlays: unlit vertex colours, drawn after the world and its water, either
//! hidden by the world or through it.

use bevy::asset::uuid_handle;
use bevy::mesh::MeshVertexBufferLayoutRef;
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::{
    AsBindGroup, CompareFunction, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy::shader::ShaderRef;
use stonerun_engine::variants;
use strum::VariantArray;

/// The shader of overlays.
const SHADER: Handle<Shader> = uuid_handle!("5d0f8a52-3a0a-4f2e-9d1a-61c9b0a4e304");

/// The way an overlay is drawn over the world.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, VariantArray)]
pub enum Paint {
    /// Drawn only where nothing solid is in front.
    Over,
    /// Drawn everywhere, through the ground.
    Through,
    /// Drawn like `Over`, but fades close to the eye, where an edge next to the player would cross
    /// the whole picture.
    Frame,
    /// Drawn like `Over`, with lines along the edges of voxels.
    Ghost,
    /// Drawn like `Through`, but faint: the part of a ghost behind the ground.
    GhostBehind,
}

impl Paint {
    /// All variants, by number.
    const ALL: [Paint; 5] = variants::all();
}

/// Bevy material of overlays, selections and ghosts, which its [`Paint`] distinguishes.
#[derive(Asset, TypePath, AsBindGroup, Clone, Copy, Debug)]
#[bind_group_data(Paint)]
pub struct OverlayMaterial {
    paint: Paint,
}

impl From<&OverlayMaterial> for Paint {
    fn from(material: &OverlayMaterial) -> Paint {
        material.paint
    }
}

impl Material for OverlayMaterial {
    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(SHADER)
    }

    fn alpha_mode(&self) -> AlphaMode {
        AlphaMode::Blend
    }

    /// Depth bias that decides the order of blended overlays, in voxels towards the eye.
    fn depth_bias(&self) -> f32 {
        match self.paint {
            Paint::GhostBehind => 0.8e5,
            Paint::Ghost => 0.9e5,
            Paint::Over | Paint::Frame => 1e5,
            Paint::Through => 2e5,
        }
    }

    fn enable_prepass() -> bool {
        false
    }

    fn enable_shadows() -> bool {
        false
    }

    fn specialize(
        _: &MaterialPipeline,
        descriptor: &mut RenderPipelineDescriptor,
        _: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        if let (Paint::Through | Paint::GhostBehind, Some(depth)) =
            (key.bind_group_data, &mut descriptor.depth_stencil)
        {
            depth.depth_compare = Some(CompareFunction::Always);
        }
        let definition = match key.bind_group_data {
            Paint::Over | Paint::Through => None,
            Paint::Frame => Some("FADES_BEFORE_THE_EYE"),
            Paint::Ghost => Some("VOXEL_EDGES"),
            Paint::GhostBehind => Some("FAINT"),
        };
        if let (Some(definition), Some(fragment)) = (definition, &mut descriptor.fragment) {
            fragment.shader_defs.push(definition.into());
        }
        Ok(())
    }
}

/// The materials, by paint.
#[derive(Resource)]
pub struct Paints([Handle<OverlayMaterial>; Paint::ALL.len()]);

impl Paints {
    /// The material for `paint`.
    #[must_use]
    pub fn get(&self, paint: Paint) -> Handle<OverlayMaterial> {
        self.0[paint as usize].clone()
    }
}

/// Adds the material.
pub fn add(app: &mut App) {
    let shader =
        Shader::from_wgsl(include_str!("../../../assets/shaders/overlay.wgsl"), "overlay.wgsl");
    if let Err(error) = app.world_mut().resource_mut::<Assets<Shader>>().insert(&SHADER, shader) {
        error!("shader overlay.wgsl: {error}");
    }
    app.add_plugins(MaterialPlugin::<OverlayMaterial>::default());
    let mut materials = app.world_mut().resource_mut::<Assets<OverlayMaterial>>();
    let paints = Paint::ALL.map(|paint| materials.add(OverlayMaterial { paint }));
    app.insert_resource(Paints(paints));
}
