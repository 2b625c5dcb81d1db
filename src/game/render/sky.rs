//! The sky dome and the sun, whose position follows from the time of day.

use crate::game::common::settings::Settings;
use crate::game::common::sun_shadows::SunShadows;
use crate::game::render::shaders::DOME_SHADER;
use crate::game::session::OpenMap;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::CascadeShadowConfigBuilder;
use bevy::mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::{AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError};
use bevy::shader::ShaderRef;

/// Length of a day, in seconds of play.
pub const DAY_SECONDS: f64 = 1200.0;

/// Material of the dome.
#[derive(Asset, TypePath, AsBindGroup, Clone)]
pub struct SkyMaterial {
    /// x: 1 in the open, 0 underground.
    #[uniform(0)]
    pub params: Vec4,
    /// Colour that replaces the sky.
    #[uniform(0)]
    pub veil: Vec4,
}

impl Material for SkyMaterial {
    fn vertex_shader() -> ShaderRef {
        ShaderRef::Handle(DOME_SHADER)
    }

    fn fragment_shader() -> ShaderRef {
        ShaderRef::Handle(DOME_SHADER)
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
        _: MaterialPipelineKey<Self>,
    ) -> Result<(), SpecializedMeshPipelineError> {
        descriptor.vertex.buffers = vec![layout.0.get_layout(&[Mesh::ATTRIBUTE_POSITION.at_shader_location(0)])?];
        descriptor.primitive.cull_mode = None;
        if let Some(depth) = descriptor.depth_stencil.as_mut() {
            depth.depth_write_enabled = Some(false);
        }
        Ok(())
    }
}

/// Handle of the dome's material, updated in caves and under water.
#[derive(Resource)]
pub struct Dome(pub Handle<SkyMaterial>);

/// Spawns the dome and the sun.
pub fn spawn(mut commands: Commands, mut meshes: ResMut<Assets<Mesh>>, mut materials: ResMut<Assets<SkyMaterial>>) {
    let material = materials.add(SkyMaterial { params: Vec4::new(1.0, 0.0, 0.0, 0.0), veil: Vec4::ZERO });
    let mut cube = Mesh::new(PrimitiveTopology::TriangleList, bevy::asset::RenderAssetUsages::RENDER_WORLD);
    cube.insert_attribute(Mesh::ATTRIBUTE_POSITION, cube_triangles());
    commands.spawn((
        Mesh3d(meshes.add(cube)),
        MeshMaterial3d(material.clone()),
        NoFrustumCulling,
        Transform::default(),
    ));
    commands.insert_resource(Dome(material));
    commands.spawn((DirectionalLight { shadow_maps_enabled: false, ..default() }, sun_transform(0.4)));
}

/// The twelve triangles of a cube around the eye.
fn cube_triangles() -> Vec<[f32; 3]> {
    let mut out = Vec::with_capacity(36);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for (u, v) in [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)] {
                let mut corner = [side; 3];
                corner[(axis + 1) % 3] = u;
                corner[(axis + 2) % 3] = v;
                out.push(corner);
            }
        }
    }
    out
}

/// Direction to the sun at a time of day: 0 midnight, 0.25 sunrise, 0.5 noon.
#[must_use]
pub fn sun_direction(time: f64) -> Vec3 {
    let angle = ((time - 0.25) * std::f64::consts::TAU) as f32;
    Vec3::new(angle.cos(), angle.sin(), 0.38).normalize()
}

fn sun_transform(time: f64) -> Transform {
    Transform::default().looking_to(-sun_direction(time), Vec3::Y)
}

/// Time of day of the open map, or of the title screen.
fn time_of_day(map: Option<Res<OpenMap>>) -> f64 {
    map.map_or(0.4, |map| map.header.time_of_day)
}

/// Rotates the sun to the time of day.
pub fn follow_the_day(map: Option<Res<OpenMap>>, mut sun: Query<&mut Transform, With<DirectionalLight>>) {
    let wanted = sun_transform(time_of_day(map));
    for mut transform in &mut sun {
        transform.set_if_neq(wanted);
    }
}

/// Height of the sun's direction above which things throw shadows; `sky.wgsl` has the same.
const SHADOW_HEIGHT: f32 = -0.06;

/// Turns the sun's shadows on or off. By night there are none.
pub fn set_shadows(
    mut commands: Commands,
    settings: Res<Settings>,
    map: Option<Res<OpenMap>>,
    mut shown: Local<SunShadows>,
    mut sun: Query<(Entity, &mut DirectionalLight)>,
) {
    let is_up = sun_direction(time_of_day(map)).y > SHADOW_HEIGHT;
    let wanted = if is_up { settings.sun_shadows } else { SunShadows::Off };
    if *shown == wanted {
        return;
    }
    *shown = wanted;
    for (entity, mut light) in &mut sun {
        let reach = wanted.reach();
        light.shadow_maps_enabled = reach.is_some();
        if let Some((maximum_distance, num_cascades)) = reach {
            // The first map holds the nearest eighth, so that near shadows have sharp edges.
            let first_cascade_far_bound = maximum_distance / 8.0;
            let cascades =
                CascadeShadowConfigBuilder { num_cascades, maximum_distance, first_cascade_far_bound, ..default() };
            commands.entity(entity).insert(cascades.build());
        }
    }
}
