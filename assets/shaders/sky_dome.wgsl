// The sky behind everything: gradient, sun, moon, stars and drifting clouds.
#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{view, globals},
    view_transformations::position_world_to_clip,
}
#import stonerun::sky::{sky_color, daylight, dusk, toward_sun, grade}

struct Sky {
    // x: 1 shows the sky, 0 the veil.
    params: vec4<f32>,
    // Replaces the sky's colour underground or under water.
    veil: vec4<f32>,
    // Direction to the sun.
    sun: vec4<f32>,
};
@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> sky: Sky;

struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) dir: vec3<f32>,
};

@vertex
fn vertex(@builtin(vertex_index) index: u32, @location(0) position: vec3<f32>) -> Out {
    var out: Out;
    // Larger than every orthographic view.
    let world = position * 1e4 + view.world_position.xyz;
    out.clip = position_world_to_clip(world);
    // On the far plane (depth 0): everything else is in front.
    out.clip.z = 0.0;
    out.dir = position;
    return out;
}

fn hash(p: vec2<f32>) -> f32 {
    let q = fract(p * vec2(0.1031, 0.1137));
    let r = q + dot(q, q.yx + 33.33);
    return fract((r.x + r.y) * r.x);
}

fn value_noise(p: vec2<f32>) -> f32 {
    let i = floor(p);
    let f = fract(p);
    let s = f * f * (3.0 - 2.0 * f);
    return mix(mix(hash(i), hash(i + vec2(1.0, 0.0)), s.x),
               mix(hash(i + vec2(0.0, 1.0)), hash(i + vec2(1.0, 1.0)), s.x), s.y);
}

// Position on the square disc of sun or moon in direction `centre`: its sides are at -1 and 1.
fn on_disc(dir: vec3<f32>, centre: vec3<f32>, half_side: f32) -> vec2<f32> {
    let side = normalize(cross(centre, vec3(0.0, 0.0, 1.0)));
    let top = cross(side, centre);
    // Behind the eye there is another place with the same coordinates.
    return select(vec2(9.0), vec2(dot(dir, side), dot(dir, top)) / half_side, dot(dir, centre) > 0.0);
}

// 1 within the square, with a soft edge of `blur`.
fn square(at: vec2<f32>, blur: f32) -> f32 {
    return smoothstep(1.0 + blur, 1.0 - blur, max(abs(at.x), abs(at.y)));
}

// The seas of the moon: 8 x 8 cells, a bit each, from the bottom left.
const SEAS: vec2<u32> = vec2(0x18040000u, 0x0020763cu);

fn moon_color(at: vec2<f32>) -> vec3<f32> {
    let cell = vec2<u32>(clamp(floor((at * 0.5 + 0.5) * 8.0), vec2(0.0), vec2(7.0)));
    let bit = cell.x + 8u * (cell.y & 3u);
    let is_sea = ((select(SEAS.x, SEAS.y, cell.y >= 4u) >> bit) & 1u) == 1u;
    return select(vec3(0.80, 0.86, 0.98), vec3(0.50, 0.56, 0.68), is_sea);
}

// Brightness of the stars in a direction of the night sky, which turns with the sun. They lie in
// cells on the sides of a cube.
fn stars(dir: vec3<f32>) -> vec3<f32> {
    let size = abs(dir);
    let largest = max(size.x, max(size.y, size.z));
    var uv = dir.yz / dir.x;
    var face = select(11.0, 29.0, dir.x > 0.0);
    if size.y == largest { uv = dir.xz / dir.y; face = select(43.0, 59.0, dir.y > 0.0); }
    if size.z == largest { uv = dir.xy / dir.z; face = select(71.0, 89.0, dir.z > 0.0); }
    let cell = floor(uv * 56.0);
    let at = fract(uv * 56.0) - 0.5;
    let seed = cell + face * vec2(3.7, 9.1);
    // Many stars are faint, few are bright.
    let chance = hash(seed);
    let bright = pow(hash(seed + 17.3), 5.0);
    let centre = (vec2(hash(seed + 31.7), hash(seed + 47.1)) - 0.5) * 0.7;
    let off = abs(at - centre);
    let half_side = 0.045 + 0.05 * bright;
    let star = f32(chance > 0.86) * step(max(off.x, off.y), half_side) * (0.10 + 0.90 * bright);
    return star * mix(vec3(1.0, 0.86, 0.72), vec3(0.75, 0.86, 1.0), hash(seed + 5.9));
}

@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    let dir = normalize(in.dir);
    let sun = sky.sun.xyz;
    var color = sky_color(dir, sun);
    let day = daylight(sun);
    // Sun, moon and stars set behind the haze above the horizon.
    let above = smoothstep(-0.03, 0.05, dir.y);

    let night = (1.0 - smoothstep(0.05, 0.75, day)) * smoothstep(0.0, 0.25, dir.y);
    if night > 0.0 {
        // The sun moves on a circle around the z axis.
        let turn = normalize(sun.xy);
        let turned = vec3(dot(dir.xy, turn), dot(dir.xy, vec2(-turn.y, turn.x)), dir.z);
        color += stars(turned) * night;
    }
    // Square sun and moon: this is a world of cubes.
    let low = smoothstep(0.35, 0.0, sun.y);
    let at_sun = on_disc(dir, sun, 0.037);
    color = mix(color, mix(vec3(2.2, 2.0, 1.6), vec3(2.0, 0.95, 0.36), low), square(at_sun, 0.05) * above);
    let at_moon = on_disc(dir, -sun, 0.030);
    let shown = above * (1.0 - 0.75 * day);
    color = mix(color, moon_color(at_moon), square(at_moon, 0.05) * shown);

    // Clouds: flat, square-edged, high up.
    if dir.y > 0.03 {
        let at = floor(dir.xz / dir.y * 34.0 + vec2(globals.time * 0.25, 0.0));
        let n = value_noise(at * 0.13) * 0.65 + value_noise(at * 0.41) * 0.35;
        let cover = smoothstep(0.56, 0.60, n) * smoothstep(0.03, 0.20, dir.y) * 0.66;
        // Their middle is thicker, so less light comes through.
        let thick = smoothstep(0.58, 0.80, n);
        let side = toward_sun(dir, sun) * 0.5 + 0.5;
        let white = mix(vec3(0.020, 0.026, 0.048), vec3(0.96, 0.98, 1.02), day) * (1.0 - 0.16 * thick);
        let red = mix(vec3(0.40, 0.25, 0.34), vec3(1.10, 0.50, 0.26), side * side) * (1.0 - 0.35 * thick);
        color = mix(color, mix(white, red, dusk(sun) * 0.85), cover);
    }
    color = mix(sky.veil.rgb, color, sky.params.x);
    return vec4(grade(color), 1.0);
}
