// Draws the boxes of creatures: one colour each, lit like blocks, by the light of one voxel. A
// box's tag holds its colour and light: src/game/life/creatures/material.rs.
#import bevy_pbr::forward_io::Vertex
#import bevy_pbr::mesh_functions
#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::position_world_to_clip
#import stonerun::lamps::{brightness, lamp_color, soft_hue}
#import stonerun::sky::{sky_color, sun_color, ambient_color, light_direction, grade}

// The parameters of chunk.wgsl, without the origin.
struct Params {
    fog: vec4<f32>,
    veil: vec4<f32>,
    reach: vec4<f32>,
    sun: vec4<f32>,
    lamp: vec4<f32>,
    cut: vec4<f32>,
};

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: Params;

struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    @location(2) @interpolate(flat) tag: u32,
};

@vertex
fn vertex(in: Vertex) -> Out {
    let world_from_local = mesh_functions::get_world_from_local(in.instance_index);
    var out: Out;
    out.world = mesh_functions::mesh_position_local_to_world(world_from_local, vec4(in.position, 1.0)).xyz;
    out.clip = position_world_to_clip(out.world);
    out.normal = mesh_functions::mesh_normal_local_to_world(in.normal, in.instance_index);
    out.tag = mesh_functions::get_tag(in.instance_index);
    return out;
}

@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    if dot(params.cut.xyz, in.world) > params.cut.w { discard; }
    let albedo = vec3(f32(in.tag & 31u) / 31.0, f32((in.tag >> 5u) & 63u) / 63.0, f32((in.tag >> 11u) & 31u) / 31.0);
    let levels = brightness(vec4(
        f32((in.tag >> 20u) & 15u), f32((in.tag >> 24u) & 15u), f32((in.tag >> 24u) & 15u) * 0.8,
        f32((in.tag >> 16u) & 15u),
    ));
    let glow = f32((in.tag >> 28u) & 15u) / 15.0;
    let normal = normalize(in.normal);
    let sun = params.sun.xyz;
    let side = 1.0 - 0.12 * abs(normal.x) - 0.04 * abs(normal.z);
    let direct = sun_color(sun) * max(dot(normal, light_direction(sun)), 0.0) * 0.85
        * smoothstep(9.0, 15.0, f32((in.tag >> 16u) & 15u));
    var light = (ambient_color(normal, sun) * side + direct) * levels.w;
    light += lamp_color(levels.rgb, light) * side;
    let away = in.world - view.world_position.xyz;
    let distance = length(away);
    let dir = away / max(distance, 0.001);
    let facing = 0.55 + 0.45 * max(dot(normal, -dir), 0.0);
    let lamp = soft_hue(params.lamp.rgb) * facing / (1.0 + distance * distance * 0.006);
    light += vec3(0.029, 0.032, 0.041) * (0.7 + 0.3 * normal.y) * (0.5 + 0.5 * facing) * side + lamp;
    light *= pow(clamp(max(light.r, max(light.g, light.b)), 0.001, 1.0), params.reach.y);
    light = max(light, vec3(glow * 1.15));
    var color = albedo * albedo * light;
    color += color * glow * 0.9;
    let is_open = max(params.fog.z, smoothstep(0.5, 5.0, f32((in.tag >> 16u) & 15u))) * (1.0 - params.veil.a);
    let behind = mix(params.veil.rgb, sky_color(dir, sun), is_open);
    let far = length(away * vec3(1.0, params.reach.x, 1.0));
    let haze = 0.20 * (1.0 - exp(-2.0 * far / params.fog.y)) * (1.0 - params.veil.a) * (1.0 - glow * 0.5);
    color = grade(mix(color, behind, haze));
    let fog = smoothstep(params.fog.x, params.fog.y, far);
    return vec4(mix(color, grade(behind), fog * (1.0 - glow * 0.5)), 1.0);
}
