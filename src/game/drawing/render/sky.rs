//! The sky dome, and the light of sun and moon, whose directions follow from the time of day.
//!
//! The shaders compute all colours from the sun's direction. It moves in steps too small to see.
//! The light that casts shadows moves in larger steps, because the edges of shadows would crawl if
//! their maps turned in every frame.

use crate::game::drawing::render::shaders::DOME_SHADER;
use crate::game::state::session::OpenMap;
use crate::game::state::settings::Settings;
use crate::game::state::settings::sun_shadows::SunShadows;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::light::{CascadeShadowConfigBuilder, DirectionalLightShadowMap, PointLightShadowMap};
use bevy::mesh::{MeshVertexBufferLayoutRef, PrimitiveTopology};
use bevy::pbr::{MaterialPipeline, MaterialPipelineKey};
use bevy::prelude::*;
use bevy::reflect::TypePath;
use bevy::render::render_resource::{
    AsBindGroup, RenderPipelineDescriptor, SpecializedMeshPipelineError,
};
use bevy::render::renderer::RenderAdapterInfo;
use bevy::shader::ShaderRef;

/// Steps of the sun in a day. Each is smaller than a pixel on any screen.
const SUN_STEPS: f64 = 28_800.0;
/// Steps of the shadows in a day: one per minute of game time, or a quarter of a degree.
const SHADOW_STEPS: f64 = 1440.0;
/// Height (y) of the sun's direction below which direct light comes from the moon instead of the
/// sun. At this height, neither gives any. `sky.wgsl` has the same value.
const MOONRISE: f32 = -0.03;
/// Heights (y) of the sun's direction between which neither sun nor moon gives direct light.
/// `sky.wgsl` has the same values.
const UNLIT: std::ops::Range<f32> = -0.05..0.002;
/// Side of the shadow maps while there are no shadows, in texels. Small, because the renderer
/// creates and binds them anyway.
const UNUSED_MAP: usize = 16;
/// Time of day behind the title screen without a map.
const TITLE_TIME: f64 = 0.4;

/// Material of the dome.
#[derive(Asset, TypePath, AsBindGroup, Clone)]
pub struct SkyMaterial {
    /// x: 1 shows the sky, 0 the colour that replaces it.
    #[uniform(0)]
    pub params: Vec4,
    /// Colour that replaces the sky.
    #[uniform(0)]
    pub veil: Vec4,
    /// Direction to the sun.
    #[uniform(0)]
    pub sun: Vec4,
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
        descriptor.vertex.buffers =
            vec![layout.0.get_layout(&[Mesh::ATTRIBUTE_POSITION.at_shader_location(0)])?];
        descriptor.primitive.cull_mode = None;
        if let Some(depth) = descriptor.depth_stencil.as_mut() {
            depth.depth_write_enabled = Some(false);
        }
        Ok(())
    }
}

/// Handle of the dome's material.
#[derive(Resource)]
pub struct Dome(pub Handle<SkyMaterial>);

/// Spawns the dome and the light of sun and moon.
pub fn spawn(
    mut commands: Commands,
    mut meshes: ResMut<Assets<Mesh>>,
    mut materials: ResMut<Assets<SkyMaterial>>,
) {
    let sun = drawn_sun(TITLE_TIME);
    let material = materials.add(SkyMaterial { params: Vec4::X, veil: Vec4::ZERO, sun });
    let mut cube =
        Mesh::new(PrimitiveTopology::TriangleList, bevy::asset::RenderAssetUsages::RENDER_WORLD);
    cube.insert_attribute(Mesh::ATTRIBUTE_POSITION, cube_triangles());
    commands.spawn((
        Mesh3d(meshes.add(cube)),
        MeshMaterial3d(material.clone()),
        NoFrustumCulling,
        Transform::default(),
    ));
    commands.insert_resource(Dome(material));
    commands.spawn((
        DirectionalLight { shadow_maps_enabled: false, ..default() },
        light_transform(TITLE_TIME),
    ));
    commands.insert_resource(DirectionalLightShadowMap { size: UNUSED_MAP });
    commands.insert_resource(PointLightShadowMap { size: UNUSED_MAP });
}

/// The twelve triangles of a cube around the eye.
fn cube_triangles() -> Vec<[f32; 3]> {
    let mut out = Vec::with_capacity(36);
    for axis in 0..3 {
        for side in [-1.0, 1.0] {
            for (u, v) in
                [(-1.0, -1.0), (1.0, -1.0), (1.0, 1.0), (-1.0, -1.0), (1.0, 1.0), (-1.0, 1.0)]
            {
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

/// Direction to the sun as passed to the shaders, in steps of the day.
#[must_use]
pub fn drawn_sun(time: f64) -> Vec4 {
    sun_direction(stepped(time, SUN_STEPS)).extend(0.0)
}

/// Direction to the light that casts shadows: the sun, or at night the moon opposite to it.
#[must_use]
pub fn light_direction(time: f64) -> Vec3 {
    let sun = sun_direction(time);
    if sun.y > MOONRISE { sun } else { -sun }
}

/// True if sun or moon gives direct light.
fn has_direct_light(time: f64) -> bool {
    !UNLIT.contains(&sun_direction(time).y)
}

/// The time of day, rounded down to one of `steps` steps.
fn stepped(time: f64, steps: f64) -> f64 {
    // The addend keeps rounding errors from moving a time that is exactly a step to the step
    // before.
    (time * steps + 1e-6).floor() / steps
}

fn light_transform(time: f64) -> Transform {
    Transform::default().looking_to(-light_direction(time), Vec3::Y)
}

/// Time of day of the open map, or behind the title screen.
fn time_of_day(map: Option<Res<OpenMap>>) -> f64 {
    map.map_or(TITLE_TIME, |map| map.header.time_of_day)
}

/// Moves sun and moon to the time of day.
pub fn follow_the_day(
    map: Option<Res<OpenMap>>,
    dome: Option<Res<Dome>>,
    mut skies: ResMut<Assets<SkyMaterial>>,
    mut light: Query<&mut Transform, With<DirectionalLight>>,
) {
    let time = time_of_day(map);
    let sun = drawn_sun(time);
    // Write access uploads the material, so it is only taken for a change.
    if let Some(dome) = dome
        && skies.get(&dome.0).is_some_and(|sky| sky.sun != sun)
        && let Some(mut sky) = skies.get_mut(&dome.0)
    {
        sky.sun = sun;
    }
    let wanted = light_transform(stepped(time, SHADOW_STEPS));
    for mut transform in &mut light {
        transform.set_if_neq(wanted);
    }
}

/// Turns the shadows on or off. They are off while neither sun nor moon gives direct light.
pub fn set_shadows(
    mut commands: Commands,
    settings: Res<Settings>,
    adapter: Res<RenderAdapterInfo>,
    map: Option<Res<OpenMap>>,
    mut shown: Local<SunShadows>,
    mut shadow_map: ResMut<DirectionalLightShadowMap>,
    mut sun: Query<(Entity, &mut DirectionalLight)>,
) {
    let chosen = settings.sun_shadows.on(adapter.device_type);
    let wanted = if has_direct_light(time_of_day(map)) { chosen } else { SunShadows::Off };
    if *shown == wanted {
        return;
    }
    *shown = wanted;
    shadow_map.size = if wanted == SunShadows::Off {
        UNUSED_MAP
    } else {
        DirectionalLightShadowMap::default().size
    };
    for (entity, mut light) in &mut sun {
        let reach = wanted.reach();
        light.shadow_maps_enabled = reach.is_some();
        if let Some((maximum_distance, num_cascades)) = reach {
            // The first cascade covers the nearest eighth, so that near shadows have sharp edges.
            let first_cascade_far_bound = maximum_distance / 8.0;
            let cascades = CascadeShadowConfigBuilder {
                num_cascades,
                maximum_distance,
                first_cascade_far_bound,
                ..default()
            };
            commands.entity(entity).insert(cascades.build());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn light_changes_between_sun_and_moon_where_neither_shines() {
        for minute in 0..1440 {
            let time = f64::from(minute) / 1440.0;
            let next = f64::from(minute + 1) / 1440.0;
            let turn = light_direction(time).angle_between(light_direction(next));
            assert!(
                turn < 0.01 || !has_direct_light(time) || !has_direct_light(next),
                "{minute}: {turn}"
            );
            assert!(
                !has_direct_light(time) || light_direction(time).y > 0.0,
                "{minute}: light from below"
            );
        }
    }

    #[test]
    fn shadows_turn_once_a_minute_of_the_day() {
        for minute in 0..1440 {
            let time = f64::from(minute) / 1440.0;
            assert!((stepped(time, SHADOW_STEPS) - time).abs() < 1e-9, "{minute}");
            assert_eq!(
                stepped(time + 0.99 / 1440.0, SHADOW_STEPS),
                stepped(time, SHADOW_STEPS),
                "{minute}"
            );
        }
    }
}
