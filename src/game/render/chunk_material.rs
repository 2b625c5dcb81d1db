//! The material of chunk meshes, in three passes: opaque, cut-out, translucent (water, drawn after
//! the rest).

use crate::game::render::shaders::CHUNK_SHADER;
use crate::game::render::textures::BlockTextures;
use crate::game::session::OpenMap;
use bevy::mesh::{MeshVertexAttribute, MeshVertexBufferLayoutRef, VertexFormat};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, ShaderType, SpecializedMeshPipelineError};
use bevy::render::storage::ShaderBuffer;
use bevy::shader::ShaderRef;

/// A vertex of a chunk mesh: two packed words, see `mesh::vertex`.
pub const ATTRIBUTE_PACKED: MeshVertexAttribute =
    MeshVertexAttribute::new("StonerunPacked", 742_118_053, VertexFormat::Uint32x2);

/// Uniforms of the shader.
#[derive(Clone, Copy, PartialEq, Debug, ShaderType)]
pub struct ChunkParams {
    /// x: start of fog, y: full fog (metres); z: 1 in the open, 0 underground; w: strength of the
    /// lamp.
    pub fog: Vec4,
    /// rgb: colour that replaces the sky underground and under water; a: 1 under water.
    pub veil: Vec4,
    /// x: weight of vertical distance for fog, relative to horizontal; less is drawn vertically.
    /// y: exponent of the light, less 1: below 0 lightens dark places.
    pub reach: Vec4,
}

/// The three passes a chunk is drawn in.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Pass {
    /// Opaque quads.
    Opaque,
    /// Cut-out quads: texels are opaque or missing; drawn from both sides.
    CutOut,
    /// Translucent quads: blended, after everything else.
    Translucent,
}

/// Material of chunk meshes.
#[derive(Asset, TypePath, AsBindGroup, Clone)]
#[bind_group_data(Pass)]
pub struct ChunkMaterial {
    /// Fog and light.
    #[uniform(0)]
    pub params: ChunkParams,
    /// The array of block textures.
    #[texture(1, dimension = "2d_array")]
    #[sampler(2)]
    pub tiles: Handle<Image>,
    /// Texture layer and tint of each face material.
    #[storage(3, read_only, visibility(vertex))]
    pub face_materials: Handle<ShaderBuffer>,
    /// The pass.
    pub pass: Pass,
}

impl From<&ChunkMaterial> for Pass {
    fn from(material: &ChunkMaterial) -> Pass {
        material.pass
    }
}

impl Material for ChunkMaterial {
    fn vertex_shader() -> ShaderRef {
        ShaderRef::Handle(CHUNK_SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(CHUNK_SHADER)
    }

    fn alpha_mode(&self) -> AlphaMode {
        match self.pass {
            Pass::Opaque => AlphaMode::Opaque,
            Pass::CutOut => AlphaMode::Mask(0.5),
            Pass::Translucent => AlphaMode::Blend,
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
        layout: &MeshVertexBufferLayoutRef,
        key: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[ATTRIBUTE_PACKED.at_shader_location(0)])?];
        let def = match key.bind_group_data {
            Pass::Opaque => return Ok(()),
            Pass::CutOut => "CUT_OUT",
            Pass::Translucent => "TRANSLUCENT",
        };
        descriptor.primitive.cull_mode = None;
        if key.bind_group_data == Pass::Translucent
            && let Some(depth) = &mut descriptor.depth_stencil
        {
            // Glass or leaves next to water share the water's plane: the water's face must be
            // behind.
            depth.bias.constant = -8;
            depth.bias.slope_scale = -1.0;
        }
        if let Some(fragment) = descriptor.fragment.as_mut() {
            fragment.shader_defs.push(def.into());
        }
        Ok(())
    }
}

/// The three materials of the open map, shared by all its chunks.
#[derive(Resource, Clone)]
pub struct ChunkMaterials {
    /// For opaque quads.
    pub opaque: Handle<ChunkMaterial>,
    /// For cut-out quads.
    pub cutout: Handle<ChunkMaterial>,
    /// For translucent quads.
    pub translucent: Handle<ChunkMaterial>,
}

impl ChunkMaterials {
    /// The three materials, in drawing order.
    #[must_use]
    pub fn all(&self) -> [&Handle<ChunkMaterial>; 3] {
        [&self.opaque, &self.cutout, &self.translucent]
    }
}

/// Makes the chunk materials of a map.
#[derive(bevy::ecs::system::SystemParam)]
pub struct MaterialMaker<'w, 's> {
    textures: Res<'w, BlockTextures>,
    images: ResMut<'w, Assets<Image>>,
    buffers: ResMut<'w, Assets<ShaderBuffer>>,
    materials: ResMut<'w, Assets<ChunkMaterial>>,
    tiles: Local<'s, Option<Handle<Image>>>,
}

impl MaterialMaker<'_, '_> {
    /// The chunk materials of an open map.
    pub fn materials(&mut self, map: &OpenMap) -> ChunkMaterials {
        let tiles = self.tiles.get_or_insert_with(|| self.images.add(self.textures.array())).clone();
        let face_materials =
            self.buffers.add(ShaderBuffer::from(self.textures.face_material_words(&map.face_materials)));
        let params = ChunkParams { fog: Vec4::new(100.0, 200.0, 1.0, 0.0), veil: Vec4::ZERO, reach: Vec4::X };
        let mut make = |pass| {
            self.materials.add(ChunkMaterial {
                params,
                tiles: tiles.clone(),
                face_materials: face_materials.clone(),
                pass,
            })
        };
        ChunkMaterials { opaque: make(Pass::Opaque), cutout: make(Pass::CutOut), translucent: make(Pass::Translucent) }
    }
}
