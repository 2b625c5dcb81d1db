// Light on what stands in the world, and the air in front of it: quads and surfaces are shaded
// alike.
#define_import_path stonerun::shading
#import bevy_pbr::mesh_view_bindings::{view, lights}
#ifdef SUN_SHADOWS
#import bevy_pbr::shadows::fetch_directional_shadow
#endif
#import stonerun::chunk_words::params
#import stonerun::lamps::{brightness, lamp_color, soft_hue}
#import stonerun::sky::{sky_color, sun_color, ambient_color, light_direction, grade}

// True if the rays of the view are parallel.
fn is_orthographic() -> bool {
    return view.clip_from_view[3].w == 1.0;
}

// Direction of the ray through a position.
fn ray_direction(world: vec3<f32>) -> vec3<f32> {
    let away = world - view.world_position.xyz;
    return select(away / max(length(away), 0.001), -view.world_from_view[2].xyz, is_orthographic());
}

#ifdef SUN_SHADOWS
// Part of the direct light that reaches a place: 0 in the shadow, 1 in the light. `zero` is 0, but
// not as a constant: see "Branches" in chunk.wgsl.
fn sun_shadow(world: vec3<f32>, normal: vec3<f32>, pixel: vec2<f32>, zero: u32) -> f32 {
    let depth = dot(vec4(
        view.view_from_world[0].z, view.view_from_world[1].z, view.view_from_world[2].z, view.view_from_world[3].z,
    ), vec4(world, 1.0));
    let shadow = fetch_directional_shadow(zero, vec4(world, 1.0), normal, depth, pixel);
    // Shadows fade out instead of ending at a line.
    let light = &lights.directional_lights[0];
    let end = (*light).cascades[max((*light).num_cascades, 1u) - 1u].far_bound;
    return mix(shadow, 1.0, smoothstep(0.75 * end, end, -depth));
}
#endif

// A place that is shaded.
struct Place {
    world: vec3<f32>,
    // The plane that hides the light.
    normal: vec3<f32>,
    // The plane that the light falls on.
    shade_normal: vec3<f32>,
    // Position on the screen, in pixels.
    pixel: vec2<f32>,
    // Levels of red, green, blue and the sun, 0 to 15.
    levels: vec4<f32>,
    // Light that the surrounding voxels leave, 0 to 1.
    occlusion: f32,
    // Always 0.
    zero: u32,
};

// Share of the light that each side keeps: those along x and z differ a little even in shade, so
// that edges read.
fn side_share(normal: vec3<f32>) -> f32 {
    return 1.0 - 0.12 * abs(normal.x) - 0.04 * abs(normal.z);
}

// Light on a place: of the sky, the sun, lamps, and what the player holds.
fn light_at(at: Place, distance: f32, dir: vec3<f32>) -> vec3<f32> {
    let sun = params.sun.xyz;
    let lambert = max(dot(at.shade_normal, light_direction(sun)), 0.0);
    let side = side_share(at.shade_normal);
    var direct = sun_color(sun) * lambert * 0.85;
#ifdef SUN_SHADOWS
    if lambert > 0.0 { direct *= sun_shadow(at.world, at.normal, at.pixel, at.zero); }
#endif
    let levels = brightness(at.levels);
    // The sun does not shine without sky straight above.
    direct *= smoothstep(9.0, 15.0, at.levels.w);
    var light = (ambient_color(at.shade_normal, sun) * side + direct) * levels.w;
    light += lamp_color(levels.rgb, light) * side;

    // Everywhere a very dim, even light, and the lamp that the player holds.
    let facing = 0.55 + 0.45 * max(dot(at.normal, -dir), 0.0);
    let reach = 1.0 / (1.0 + distance * distance * 0.006);
    let lamp = soft_hue(params.lamp.rgb) * facing * reach;
    light += vec3(0.029, 0.032, 0.041) * (0.7 + 0.3 * at.shade_normal.y) * (0.5 + 0.5 * facing) * side + lamp;
    // Brightness: keeps the hue, and leaves full light as it is.
    light *= pow(clamp(max(light.r, max(light.g, light.b)), 0.001, 1.0), params.reach.y);
    return light * at.occlusion;
}

// Distance through the air, which is thicker upwards.
fn air_distance(world: vec3<f32>) -> f32 {
    return length((world - view.world_position.xyz) * vec3(1.0, params.reach.x, 1.0));
}

// The colour that distant things fade into; `sun_level` is the light of the sky at them, 0 to 15.
fn distant_color(dir: vec3<f32>, sun_level: f32) -> vec3<f32> {
    // Faces in the light of the sky fade into the sky, also for eyes in a cave.
    let is_open = max(params.fog.z, smoothstep(0.5, 5.0, sun_level)) * (1.0 - params.veil.a);
    return mix(params.veil.rgb, sky_color(dir, params.sun.xyz), is_open);
}

// Share of a thin haze that shows distances, nearer than the fog that hides missing chunks.
fn haze(away: f32, glow: f32) -> f32 {
    return 0.20 * (1.0 - exp(-2.0 * away / params.fog.y)) * (1.0 - params.veil.a) * (1.0 - glow * 0.5);
}

// Share of the fog that hides missing chunks.
fn fog(away: f32) -> f32 {
    return smoothstep(params.fog.x, params.fog.y, away);
}
