// The sky behind everything: gradient, sun, moon, stars and drifting clouds.
#import bevy_pbr::{
    mesh_functions::get_world_from_local,
    mesh_view_bindings::{view, lights, globals},
    view_transformations::position_world_to_clip,
}
#import stonerun::sky::{sky_color, daylight}

struct Sky {
    // x: 1 shows the sky, 0 is underground: a plain dark colour.
    params: vec4<f32>,
    // Replaces the sky's colour underground or under water.
    veil: vec4<f32>,
};
@group(#{MATERIAL_BIND_GROUP}) @binding(0) var<uniform> sky: Sky;

struct Out {
    @builtin(position) clip: vec4<f32>,
    @location(0) dir: vec3<f32>,
};

@vertex
fn vertex(@builtin(instance_index) instance: u32, @location(0) position: vec3<f32>) -> Out {
    var out: Out;
    let world = position * 100.0 + view.world_position.xyz;
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

@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    let dir = normalize(in.dir);
    let sun = lights.directional_lights[0].direction_to_light;
    var color = sky_color(dir, sun);
    let day = daylight(sun);

    // Square sun and moon: this is a world of cubes.
    let side = normalize(cross(sun, vec3(0.0, 0.0, 1.0)));
    let top = cross(side, sun);
    let s = vec2(dot(dir, side), dot(dir, top));
    let disc = max(abs(s.x), abs(s.y));
    if dot(dir, sun) > 0.0 {
        color = mix(color, vec3(1.0, 0.93, 0.74), smoothstep(0.040, 0.036, disc));
    } else {
        color = mix(color, vec3(0.62, 0.66, 0.76), smoothstep(0.030, 0.027, disc));
    }

    if day < 0.6 && dir.y > 0.0 {
        let cell = floor(dir.xz / (dir.y + 0.35) * 90.0);
        let star = step(0.9965, hash(cell)) * hash(cell + 7.0);
        color += vec3(star) * (0.6 - day) * smoothstep(0.0, 0.2, dir.y);
    }

    // Clouds: flat, square-edged, high up.
    if dir.y > 0.03 {
        let at = floor((dir.xz / dir.y * 34.0 + vec2(globals.time * 0.25, 0.0)) * 1.0);
        let n = value_noise(at * 0.13) * 0.65 + value_noise(at * 0.41) * 0.35;
        let cover = smoothstep(0.56, 0.60, n) * smoothstep(0.03, 0.17, dir.y) * 0.62;
        let lit = mix(vec3(0.03, 0.035, 0.055), vec3(0.95, 0.96, 1.0), day);
        color = mix(color, lit, cover);
    }
    color = mix(sky.veil.rgb, color, sky.params.x);
    return vec4(color, 1.0);
}
