// Draws the quads of a chunk from two packed words per vertex (see src/mesh/vertex.rs).
#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{view, lights, globals},
    view_transformations::position_world_to_clip,
}
#import stonerun::sky::{sky_color, sun_color, ambient_color, light_direction}

struct Params {
    // x: fog starts, y: fog is full (metres); z: 1 in the open, 0 underground;
    // w: strength of the player's lamp.
    fog: vec4<f32>,
    // rgb: replaces the sky's colour underground and under water; a: 1 under water.
    veil: vec4<f32>,
    // x: weight of vertical distance in the fog, relative to horizontal distance;
    // y: exponent of the light, less 1: the player's brightness.
    reach: vec4<f32>,
};
// A face material: texture layer; tint and emitted light (bytes r, g, b, light * 17).
struct FaceMaterial { layer: u32, tint: u32 };

@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> params: Params;
@group(#{MATERIAL_BIND_GROUP}) @binding(1) var tiles: texture_2d_array<f32>;
@group(#{MATERIAL_BIND_GROUP}) @binding(2) var tiles_sampler: sampler;
@group(#{MATERIAL_BIND_GROUP}) @binding(3) var<storage, read> face_materials: array<FaceMaterial>;

struct Vertex {
    @builtin(instance_index) instance: u32,
    @location(0) packed: vec2<u32>,
};

struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) uv: vec2<f32>,
    @location(2) light: f32,
    @location(3) @interpolate(flat) layer: u32,
    @location(4) @interpolate(flat) face: u32,
    @location(5) @interpolate(flat) tint: vec4<f32>,
};

// Face numbers: 0 east, 1 west, 2 up, 3 down, 4 south, 5 north, 6 and 7 the crossed sheets.
fn face_normal(face: u32) -> vec3<f32> {
    switch face {
        case 0u: { return vec3(1.0, 0.0, 0.0); }
        case 1u: { return vec3(-1.0, 0.0, 0.0); }
        case 2u: { return vec3(0.0, 1.0, 0.0); }
        case 3u: { return vec3(0.0, -1.0, 0.0); }
        case 4u: { return vec3(0.0, 0.0, 1.0); }
        case 5u: { return vec3(0.0, 0.0, -1.0); }
        default: { return vec3(0.0, 1.0, 0.0); }
    }
}

fn face_uv(face: u32, p: vec3<f32>) -> vec2<f32> {
    switch face {
        case 0u: { return vec2(-p.z, -p.y); }
        case 1u: { return vec2(p.z, -p.y); }
        case 2u, 3u: { return p.xz; }
        case 4u: { return vec2(p.x, -p.y); }
        case 5u: { return vec2(-p.x, -p.y); }
        default: { return vec2(p.x, -p.y); }
    }
}

// Direction from the middle of a quad to a corner, in its plane (u and v: src/mesh/vertex.rs).
fn corner_out(face: u32, corner: u32) -> vec3<f32> {
    let u = f32(corner & 1u) * 2.0 - 1.0;
    let v = f32(corner >> 1u) * 2.0 - 1.0;
    if face < 2u { return vec3(0.0, v, u); }
    if face < 4u { return vec3(u, 0.0, v); }
    if face < 6u { return vec3(u, v, 0.0); }
    return vec3(0.0);
}

fn srgb_to_linear(c: vec3<f32>) -> vec3<f32> {
    return pow(c, vec3(2.2));
}

@vertex
fn vertex(v: Vertex) -> Out {
    var out: Out;
    let w = v.packed.x;
    let face = (w >> 22u) & 7u;
    let ao = f32((w >> 25u) & 3u);
    let material = face_materials[v.packed.y & 0xffffu];
    var p = vec3(f32(w & 63u), f32((w >> 12u) & 1023u) / 16.0, f32((w >> 6u) & 63u));
    let corner = (w >> 27u) & 3u;
    out.uv = face_uv(face, p);
    if face >= 6u {
        // Sheets are never merged. Inset, so that the bottom texel row does not show on top.
        out.uv = vec2(f32(corner & 1u), 0.98 - 0.96 * f32(corner >> 1u));
    }
    let liquid = (v.packed.y >> 16u) & 1u;
    var world = (get_world_from_local(v.instance) * vec4(p, 1.0)).xyz;
    if liquid == 1u && face == 2u {
        // A slow swell that depends only on position, so that neighbouring quads stay joined.
        world.y += 0.035 * sin(globals.time * 1.3 + world.x * 0.7) * cos(globals.time * 0.9 + world.z * 0.6) - 0.02;
    }
    // Long quads meet short ones halfway along an edge, where rounding could leave gaps: each quad
    // grows by a fraction of a pixel.
    let grow = distance(world, view.world_position.xyz) * 0.00022;
    world += corner_out(face, corner) * grow;
    out.world = world;
    out.clip = position_world_to_clip(world);
    out.light = 0.42 + 0.58 * ao / 3.0;
    out.layer = material.layer;
    out.face = face;
    let t = unpack4x8unorm(material.tint);
    out.tint = vec4(srgb_to_linear(t.rgb), t.a);
    return out;
}

@fragment
fn fragment(in: Out, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let texel = textureSample(tiles, tiles_sampler, in.uv, i32(in.layer));
#ifdef CUT_OUT
    if texel.a < 0.5 { discard; }
#endif
    let sun = lights.directional_lights[0].direction_to_light;
    let normal = face_normal(in.face);
    let toward = light_direction(sun);
    let lambert = max(dot(normal, toward), 0.0);
    // Faces along x and z differ a little even in shade, so that edges read.
    let side = 1.0 - 0.12 * abs(normal.x) - 0.04 * abs(normal.z);
    var light = ambient_color(normal, sun) * side + sun_color(sun) * lambert * 0.85;
    let distance = distance(in.world, view.world_position.xyz);
    let dir = (in.world - view.world_position.xyz) / max(distance, 0.001);

    // Underground: a dim, even light, and the lamp that the player carries.
    let facing = 0.55 + 0.45 * max(dot(normal, -dir), 0.0);
    let reach = 1.0 / (1.0 + distance * distance * 0.006);
    let lamp = vec3(1.0, 0.82, 0.58) * params.fog.w * facing * reach;
    let dark = vec3(0.09, 0.10, 0.135) * (0.7 + 0.3 * normal.y) * side;
    light = mix(dark, light, params.fog.z) + lamp;
    // Brightness: keeps the hue, and leaves full light as it is.
    light *= pow(clamp(max(light.r, max(light.g, light.b)), 0.001, 1.0), params.reach.y);
    light *= in.light;

    let glow = in.tint.a;
    light = max(light, vec3(glow * 1.15));
    var color = texel.rgb * in.tint.rgb * light;
    // Fresnel, cheaply: water mirrors the sky at low angles.
    var alpha = 1.0;
#ifdef TRANSLUCENT
    alpha = texel.a;
    if in.face == 2u {
        let mirror = pow(1.0 - abs(dir.y), 4.0) * params.fog.z;
        color = mix(color, sky_color(vec3(dir.x, abs(dir.y), dir.z), sun), mirror * 0.55);
        alpha = mix(alpha, 1.0, mirror);
    }
#endif
    let away = length((in.world - view.world_position.xyz) * vec3(1.0, params.reach.x, 1.0));
    let fog = smoothstep(params.fog.x, params.fog.y, away);
    let behind = mix(params.veil.rgb, sky_color(dir, sun), params.fog.z * (1.0 - params.veil.a));
    color = mix(color, behind, fog * (1.0 - glow * 0.5));
    return vec4(color, mix(alpha, 1.0, fog));
}
