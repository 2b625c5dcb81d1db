// Draws the quads of chunks, pulled from one buffer of words: a chunk's words are laid out in
// src/game/drawing/chunk_drawing/chunk_pool.rs, a quad's in crates/engine/src/mesh/quad.rs, the
// dark bricks in crates/engine/src/mesh/dark_bricks.rs.
//
// Branches: no branch or loop depends on uniforms alone. Mesa 22.3, the software driver of Debian
// 12, would compile such a shader again in each frame and never free it. Use `select`, or pass a
// bit from the vertex shader (docs/decisions/0024-branches-on-uniforms.md).
#import bevy_pbr::mesh_view_bindings::{view, lights, globals}
#ifdef SUN_SHADOWS
#import bevy_pbr::shadows::fetch_directional_shadow
#endif
#import bevy_pbr::view_transformations::position_world_to_clip
#import stonerun::faces::{corner_out, face_normal, face_uv, hash, turned}
#import stonerun::lamps::{brightness, lamp_color, soft_hue}
#import stonerun::lava::lava_color
#import stonerun::light_levels::{level_colour, srgb_to_linear}
#import stonerun::sky::{sky_color, sun_color, ambient_color, light_direction, grade}
#import stonerun::torch::{torch_mount, torch_corner, torch_uv}
#ifdef TRANSLUCENT
#import stonerun::water::water_surface
#endif

struct Params {
    // x: start of the fog, y: full fog (metres); z: share of the sky in the far distance, 0 to 1.
    fog: vec4<f32>,
    // rgb: replaces the sky's colour underground and under water; a: 1 under water.
    veil: vec4<f32>,
    // x: weight of vertical distance in the fog, relative to horizontal distance;
    // y: exponent of the light, less 1: the player's brightness; z: 1 draws the edges of quads;
    // w: 1 draws faces in the colours of their light.
    reach: vec4<f32>,
    // Direction to the sun.
    sun: vec4<f32>,
    // rgb: light of the block that the player holds.
    lamp: vec4<f32>,
    // xyz: normal of the cutaway's plane; w: positions whose product with it is larger are left
    // out.
    cut: vec4<f32>,
    // Render origin, in voxels.
    origin: vec3<i32>,
};
// A face material: texture layer, with bits for varied textures, torches and lava; tint and emitted
// light (bytes r, g, b, light * 17).
struct FaceMaterial { layer: u32, tint: u32 };

@group(1) @binding(0) var<uniform> params: Params;
@group(1) @binding(1) var tiles: texture_2d_array<f32>;
@group(1) @binding(2) var tiles_sampler: sampler;
@group(1) @binding(3) var<storage, read> face_materials: array<FaceMaterial>;
@group(1) @binding(4) var<storage, read> words: array<u32>;

#ifdef TRANSLUCENT
@group(2) @binding(0) var depth_behind: texture_depth_2d;
#endif

// Words of a unit: a draw's instance index counts units.
const UNIT: u32 = 16u;
// Index of the list's offset in the chunk's words.
#ifdef TRANSLUCENT
const LIST: u32 = 5u;
#else
#ifdef CUT_OUT
const LIST: u32 = 4u;
#else
const LIST: u32 = 3u;
#endif
#endif

// Bits of `Out.quad` that a quad leaves free: the edges of quads are shown, or the colours of their
// light.
const SHOWS_EDGES: u32 = 0x08000000u;
const SHOWS_LIGHT: u32 = 0x10000000u;

struct Out {
    // The prepass and the main pass must have the same position to the last bit.
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) uv: vec2<f32>,
    // Position in the chunk.
    @location(2) inside: vec3<f32>,
    @location(3) @interpolate(flat) layer: u32,
    // The quad's first word, with the bits of the overlays.
    @location(4) @interpolate(flat) quad: u32,
    @location(5) @interpolate(flat) tint: vec4<f32>,
    // Index of the first word of the chunk's dark bricks.
    @location(6) @interpolate(flat) dark: u32,
    // Position in the quad, and its size, in voxels along u and v.
    @location(7) in_quad: vec2<f32>,
    @location(8) @interpolate(flat) size: vec2<f32>,
    // Index of the first word of the chunk's light bricks; 0: all is sunlit, 1: all is dark.
    @location(9) @interpolate(flat) light: u32,
};

// True if the rays of the view are parallel.
fn is_orthographic() -> bool {
    return view.clip_from_view[3].w == 1.0;
}

// Direction of the ray through a position.
fn ray_direction(world: vec3<f32>) -> vec3<f32> {
    let away = world - view.world_position.xyz;
    return select(away / max(length(away), 0.001), -view.world_from_view[2].xyz, is_orthographic());
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) unit: u32) -> Out {
    var out: Out;
    let chunk = unit * UNIT;
    let at = chunk + words[chunk + LIST] + index / 4u * 2u;
    let w = words[at];
    let size = words[at + 1u];
    let face = (w >> 22u) & 7u;
    let material = face_materials[size & 0xffffu];
    var corner = index % 4u;
    // The triangles turn the other way if u x v does not point along the normal.
    let is_outward = face == 1u || face == 3u || face == 4u;
    if !is_outward && (corner == 1u || corner == 2u) { corner = 3u - corner; }
    // In voxels.
    var quad_size = vec2(f32(((size >> 16u) & 31u) + 1u), f32(((size >> 21u) & 511u) + 1u));
    if face != 2u && face != 3u { quad_size.y /= 16.0; }
    // 0 or 1 along u and v.
    let end = vec2(f32(corner & 1u), f32(corner >> 1u));
    let in_quad = quad_size * end;
    let along = in_quad.x;
    let up = in_quad.y;
    let lowest = vec3(f32(w & 63u), f32((w >> 12u) & 1023u) / 16.0, f32((w >> 6u) & 63u));
    var p = lowest;
    switch face {
        case 0u, 1u: { p += vec3(0.0, up, along); }
        case 2u, 3u: { p += vec3(along, 0.0, up); }
        case 4u, 5u: { p += vec3(along, up, 0.0); }
        case 6u: { p += vec3(along, up, along); }
        default: { p += vec3(1.0 - along, up, along); }
    }
    let mount = torch_mount(material.layer);
    // A torch's faces come as those of a full block.
    let voxel = lowest - max(face_normal(face), vec3(0.0));
    if mount != 0u { p = voxel + torch_corner(mount, face, end); }
    let origin = vec3(i32(words[chunk]), i32(words[chunk + 1u]), i32(words[chunk + 2u]));
    var world = vec3<f32>(origin - params.origin) + p;
    // Long quads meet short ones halfway along an edge, where rounding could leave gaps: each quad
    // grows by a margin of a fraction of a pixel.
    let grow = select(
        distance(world, view.world_position.xyz) * 0.00022, 0.0003 / view.clip_from_view[1].y, is_orthographic(),
    );
    let margin = corner_out(face, corner) * grow;
    world += margin;
    // Varied textures continue in the margin, because the voxel that turns them is found by the
    // position there; other textures would show their opposite edge.
    out.uv = face_uv(face, select(p, p + margin, (material.layer & VARIED) != 0u));
    if face >= 6u {
        // Sheets are never merged. Inset, so that the bottom texel row does not show on top.
        out.uv = vec2(end.x, 0.98 - 0.96 * end.y);
    }
    if mount != 0u { out.uv = torch_uv(face, end); }
    // Not on the edge, where rounding could reach the next voxel.
    out.inside = p - corner_out(face, corner) * 0.001;
    // All of a torch is lit like the middle of its voxel.
    if mount != 0u { out.inside = voxel + 0.5; }
    out.world = world;
    out.clip = position_world_to_clip(world);
#ifdef CLAMP_DEPTH
    out.clip.z = min(out.clip.z, out.clip.w);
#endif
    out.layer = material.layer;
    out.quad = w | select(0u, SHOWS_EDGES, params.reach.z > 0.5) | select(0u, SHOWS_LIGHT, params.reach.w > 0.5);
    // With the margin, so that translucent quads can leave it out.
    out.in_quad = in_quad + (end * 2.0 - 1.0) * grow;
    out.size = quad_size;
    out.dark = chunk + words[chunk + 6u];
    let bricks = words[chunk + 7u];
    out.light = select(bricks, chunk + bricks, bricks > 1u);
    let t = unpack4x8unorm(material.tint);
    out.tint = vec4(srgb_to_linear(t.rgb), t.a);
    return out;
}

// 1 if the voxel darkens the corners next to it; coordinates in the chunk, from -1 to 32.
fn is_dark(dark: u32, voxel: vec3<i32>) -> u32 {
    let at = vec3<u32>(voxel + 1);
    let brick = at >> vec3(2u);
    let row = words[dark + brick.y + 9u * brick.z];
    if ((row >> brick.x) & 1u) == 0u { return (row >> (9u + brick.x)) & 1u; }
    let number = (row >> 18u) + countOneBits(row & ((1u << brick.x) - 1u));
    let in_brick = at & vec3(3u);
    let bit = in_brick.x + 4u * in_brick.z + 16u * in_brick.y;
    return (words[dark + 81u + 2u * number + (bit >> 5u)] >> (bit & 31u)) & 1u;
}

// Light at a corner: 3 without shade (0fps, "Ambient occlusion for Minecraft-like worlds").
fn corner_light(side_u: u32, side_v: u32, diagonal: u32) -> f32 {
    return f32(select(3u - side_u - side_v - diagonal, 0u, side_u + side_v == 2u));
}

// Four bits, by their number, of the words from `first` on.
fn level_at(first: u32, number: u32) -> f32 {
    return f32((words[first + (number >> 3u)] >> (4u * (number & 7u))) & 15u);
}

// Number of a mixed brick, or -1 for others, by the word of its row of bricks.
fn mixed_brick(row: u32, x: u32) -> i32 {
    if ((row >> x) & 1u) == 0u { return -1; }
    return i32((row >> 18u) + countOneBits(row & ((1u << x) - 1u)));
}

// Light in a voxel: levels of red, green, blue and the sun, 0 to 15. Coordinates in the chunk, from
// -1 to 32; `bricks` is the first word of the light bricks
// (crates/engine/src/light/light_bricks.rs), or 0 if all is sunlit, 1 if all is dark.
fn levels_at(bricks: u32, voxel: vec3<i32>) -> vec4<f32> {
    if bricks < 2u { return vec4(0.0, 0.0, 0.0, select(15.0, 0.0, bricks == 1u)); }
    let at = vec3<u32>(voxel + 1);
    let brick = at >> vec3(2u);
    let in_brick = at & vec3(3u);
    let number = in_brick.x + 4u * in_brick.z + 16u * in_brick.y;
    let place = brick.y + 9u * brick.z;
    let row = words[bricks + 1u + place];
    var sun = f32((row >> (9u + brick.x)) & 1u) * 15.0;
    let mixed = mixed_brick(row, brick.x);
    if mixed >= 0 { sun = level_at(bricks + 82u + 8u * u32(mixed), number); }
    var lamps = vec3(0.0);
    if words[bricks] != 0u {
        let colours = bricks + words[bricks];
        let coloured = mixed_brick(words[colours + place], brick.x);
        if coloured >= 0 {
            let first = colours + 81u + 24u * u32(coloured);
            lamps = vec3(level_at(first, number), level_at(first + 8u, number), level_at(first + 16u, number));
        }
    }
    return vec4(lamps, sun);
}

// Levels at a corner: the mean of the open voxels around it. The middle voxel is open; the diagonal
// voxel counts only next to an open side.
fn corner_levels(
    middle: vec4<f32>, side_u: vec4<f32>, side_v: vec4<f32>, diagonal: vec4<f32>, dark: vec3<u32>,
) -> vec4<f32> {
    let open = vec3<f32>(1u - dark) * vec3(1.0, 1.0, f32(dark.x + dark.y < 2u));
    return (middle + side_u * open.x + side_v * open.y + diagonal * open.z) / (1.0 + open.x + open.y + open.z);
}

struct Surroundings {
    // Levels of red, green, blue and the sun, 0 to 15.
    levels: vec4<f32>,
    // Light that the surrounding voxels leave, 0.42 to 1.
    occlusion: f32,
};

// Effect of the surrounding voxels on the light of a face with this normal at a place in the chunk,
// smooth between the corners of voxels.
fn surroundings(in: Out, face: u32, normal: vec3<f32>) -> Surroundings {
    let is_shaded = ((in.quad >> 25u) & 1u) == 1u;
    let place = in.inside;
    if face >= 6u || torch_mount(in.layer) != 0u {
        let voxel = clamp(vec3<i32>(floor(place)), vec3(0), vec3(31));
        return Surroundings(levels_at(in.light, voxel), 1.0);
    }
    if !is_shaded && in.light < 2u { return Surroundings(levels_at(in.light, vec3(0)), 1.0); }
    // The voxel in front of the face.
    let out = vec3<i32>(normal);
    let front = clamp(vec3<i32>(floor(place - normal * 0.5)), vec3(0), vec3(31)) + out;
    var u = vec3(1, 0, 0);
    var v = vec3(0, 1, 0);
    if face < 2u { u = vec3(0, 0, 1); }
    if face == 2u || face == 3u { v = vec3(0, 0, 1); }
    let inside = place - vec3<f32>(front);
    let t = clamp(vec2(dot(inside, vec3<f32>(u)), dot(inside, vec3<f32>(v))), vec2(0.0), vec2(1.0));
    // Around the voxel, from -u -v to +u +v.
    var dark: array<u32, 9>;
    var levels: array<vec4<f32>, 9>;
    for (var i = 0; i < 9; i++) {
        let at = front + u * (i % 3 - 1) + v * (i / 3 - 1);
        dark[i] = 0u;
        if is_shaded { dark[i] = is_dark(in.dark, at); }
        levels[i] = levels_at(in.light, at);
    }
    let low = mix(
        corner_levels(levels[4], levels[3], levels[1], levels[0], vec3(dark[3], dark[1], dark[0])),
        corner_levels(levels[4], levels[5], levels[1], levels[2], vec3(dark[5], dark[1], dark[2])),
        t.x,
    );
    let high = mix(
        corner_levels(levels[4], levels[3], levels[7], levels[6], vec3(dark[3], dark[7], dark[6])),
        corner_levels(levels[4], levels[5], levels[7], levels[8], vec3(dark[5], dark[7], dark[8])),
        t.x,
    );
    let low_corners = mix(corner_light(dark[3], dark[1], dark[0]), corner_light(dark[5], dark[1], dark[2]), t.x);
    let high_corners = mix(corner_light(dark[3], dark[7], dark[6]), corner_light(dark[5], dark[7], dark[8]), t.x);
    return Surroundings(mix(low, high, t.y), 0.42 + 0.58 * mix(low_corners, high_corners, t.y) / 3.0);
}

// The overlay of light on a face: its level, and lines between voxels.
fn light_overlay(in: Out, face: u32, normal: vec3<f32>) -> vec3<f32> {
    var front = vec3<i32>(floor(in.inside));
    if face < 6u && torch_mount(in.layer) == 0u {
        front = clamp(vec3<i32>(floor(in.inside - normal * 0.5)), vec3(0), vec3(31)) + vec3<i32>(normal);
    }
    // Distance from the middle of the voxel, in the plane of the face.
    let from_middle = abs(fract(in.inside) - 0.5) * (1.0 - abs(normal));
    let edge = select(max(from_middle.x, max(from_middle.y, from_middle.z)), 0.0, face >= 6u);
    return level_colour(levels_at(in.light, front)) * select(1.0, 0.72, edge > 0.47);
}

#ifdef SUN_SHADOWS
// Part of the direct light that reaches a face: 0 in the shadow, 1 in the light.
fn sun_shadow(in: Out, normal: vec3<f32>) -> f32 {
    let depth = dot(vec4(
        view.view_from_world[0].z, view.view_from_world[1].z, view.view_from_world[2].z, view.view_from_world[3].z,
    ), vec4(in.world, 1.0));
    // Number 0, but not as a constant: see "Branches" above.
    let shadow = fetch_directional_shadow(in.quad >> 31u, vec4(in.world, 1.0), normal, depth, in.clip.xy);
    // Shadows fade out instead of ending at a line.
    let light = &lights.directional_lights[0];
    let end = (*light).cascades[max((*light).num_cascades, 1u) - 1u].far_bound;
    return mix(shadow, 1.0, smoothstep(0.75 * end, end, -depth));
}
#endif

// Bit of a face material's layer: its texture is turned differently in each voxel.
const VARIED: u32 = 0x10000u;
// Bit of a face material's layer: it is lava.
const MOLTEN: u32 = 0x100000u;

// The texture at a fragment.
fn texel_at(in: Out) -> vec4<f32> {
    let face = (in.quad >> 22u) & 7u;
    var uv = in.uv;
    if (in.layer & VARIED) != 0u {
        // The voxel of the face, in the world.
        let voxel = vec3<i32>(floor(in.world - face_normal(face) / 32.0)) + params.origin;
        uv = turned(in.uv, hash(voxel), face == 2u || face == 3u);
    }
    // The level of detail must not jump where the texture turns.
    return textureSampleGrad(tiles, tiles_sampler, uv, i32(in.layer & 0xffffu), dpdx(in.uv), dpdy(in.uv));
}

#ifdef TRANSLUCENT
// 1 for a low side between two levels of a liquid, 0 for other faces: a dark side would stand out
// as a bar in shallow water.
fn low_liquid_side(in: Out, face: u32) -> f32 {
    let is_side = face < 2u || face == 4u || face == 5u;
    let is_liquid = ((in.quad >> 26u) & 1u) == 1u;
    return select(0.0, 1.0 - smoothstep(0.25, 0.7, in.size.y), is_side && is_liquid);
}
#endif

#ifdef DEPTH_ONLY
// Leaves out the missing texels of cut-out quads.
fn leave_out(in: Out) {
#ifdef CUT_OUT
    if texel_at(in).a < 0.5 { discard; }
#endif
}

#ifdef NORMALS
@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    leave_out(in);
    return vec4(face_normal((in.quad >> 22u) & 7u) * 0.5 + 0.5, 1.0);
}
#else
@fragment
fn fragment(in: Out) {
    leave_out(in);
}
#endif
#else
@fragment
fn fragment(in: Out, @builtin(front_facing) front: bool) -> @location(0) vec4<f32> {
    let face = (in.quad >> 22u) & 7u;
    let normal = face_normal(face);
    let texel = texel_at(in);
#ifdef CUTAWAY
    if dot(params.cut.xyz, in.world) > params.cut.w { discard; }
#endif
#ifdef CUT_OUT
    if texel.a < 0.5 { discard; }
#endif
#ifdef TRANSLUCENT
    // Overlapping quads would both be visible: each pixel of a common edge belongs to one quad.
    if any(in.in_quad < vec2(0.0)) || any(in.in_quad >= in.size) { discard; }
#endif
    let sun = params.sun.xyz;
    let toward = light_direction(sun);
    var shade_normal = normal;
#ifdef TRANSLUCENT
    let low_side = low_liquid_side(in, face);
    shade_normal = normalize(mix(normal, vec3(0.0, 1.0, 0.0), low_side));
#endif
    let lambert = max(dot(shade_normal, toward), 0.0);
    // Faces along x and z differ a little even in shade, so that edges read.
    let side = 1.0 - 0.12 * abs(shade_normal.x) - 0.04 * abs(shade_normal.z);
    var direct = sun_color(sun) * lambert * 0.85;
#ifdef SUN_SHADOWS
    if lambert > 0.0 { direct *= sun_shadow(in, normal); }
#endif
    let around = surroundings(in, face, normal);
    let levels = brightness(around.levels);
    // The sun does not shine without sky straight above.
    direct *= smoothstep(9.0, 15.0, around.levels.w);
    var light = (ambient_color(shade_normal, sun) * side + direct) * levels.w;
    light += lamp_color(levels.rgb, light) * side;
    let distance = distance(in.world, view.world_position.xyz);
    let dir = ray_direction(in.world);

    // Everywhere a very dim, even light, and the lamp that the player holds.
    let facing = 0.55 + 0.45 * max(dot(normal, -dir), 0.0);
    let reach = 1.0 / (1.0 + distance * distance * 0.006);
    let lamp = soft_hue(params.lamp.rgb) * facing * reach;
    light += vec3(0.029, 0.032, 0.041) * (0.7 + 0.3 * shade_normal.y) * (0.5 + 0.5 * facing) * side + lamp;
    // Brightness: keeps the hue, and leaves full light as it is.
    light *= pow(clamp(max(light.r, max(light.g, light.b)), 0.001, 1.0), params.reach.y);
    light *= around.occlusion;

    let glow = in.tint.a;
    // Glowing faces shine by themselves: no shade reaches them, and the brightest texels are hotter
    // than the screen can show.
    light = max(light, vec3(glow * 1.15));
    var albedo = texel.rgb * in.tint.rgb;
    if (in.layer & MOLTEN) != 0u {
        // Not the face's own plane: rounding would mix the texels of two layers.
        let at = in.world - normal / 64.0 + vec3<f32>(params.origin & vec3(255));
        albedo = lava_color(at, globals.time, distance);
    }
    var color = albedo * light;
    color += color * color * glow * 0.9;
    var alpha = 1.0;
#ifdef TRANSLUCENT
    alpha = texel.a;
    if ((in.quad >> 26u) & 1u) == 1u {
        // Depth is reversed: the near plane's distance over the distance along the view.
        let behind = textureLoad(depth_behind, vec2<i32>(in.clip.xy), 0);
        let perspective_depth = distance * (in.clip.z / max(behind, 1e-6) - 1.0);
        // Without perspective it is linear.
        let depth = select(perspective_depth, (in.clip.z - behind) / view.clip_from_view[2].z, is_orthographic());
        let at = (in.world + vec3<f32>(params.origin & vec3(255))).xz;
        let water = water_surface(
            color, at, globals.time, dir, max(depth, 0.0), sun, levels, select(0.0, 1.0, face == 2u), low_side,
            front && params.veil.a < 0.5,
        );
        color = water.color;
        alpha = water.alpha;
    }
#endif
    let away = length((in.world - view.world_position.xyz) * vec3(1.0, params.reach.x, 1.0));
    // Faces in the light of the sky fade into the sky, also for eyes in a cave.
    let is_open = max(params.fog.z, smoothstep(0.5, 5.0, around.levels.w)) * (1.0 - params.veil.a);
    let behind = mix(params.veil.rgb, sky_color(dir, sun), is_open);
    // A thin haze that shows distances, nearer than the fog that hides missing chunks.
    let haze = 0.20 * (1.0 - exp(-2.0 * away / params.fog.y)) * (1.0 - params.veil.a) * (1.0 - glow * 0.5);
    color = grade(mix(color, behind, haze));
    if (in.quad & SHOWS_LIGHT) != 0u {
        let shape = 0.7 + 0.3 * dot(texel.rgb, vec3(0.3, 0.6, 0.1));
        color = light_overlay(in, face, normal) * shape * side;
    }
    let pixel = fwidth(in.in_quad);
    if (in.quad & SHOWS_EDGES) != 0u {
        // A line along the edge, at least a pixel and a half wide.
        let edge = min(in.in_quad, in.size - in.in_quad);
        let wide = max(vec2(0.03), pixel * 1.3);
        // Quads of a few pixels would be all edge.
        let pixels = in.size / max(pixel, vec2(1e-6));
        let strength = smoothstep(2.0, 14.0, min(pixels.x, pixels.y));
        color *= 0.6;
        if edge.x < wide.x || edge.y < wide.y {
            let is_merged = max(in.size.x, in.size.y) > 1.0;
            let line = select(vec3(0.10, 0.47, 0.96), vec3(0.95, 0.79, 0.26), is_merged);
            color = mix(color, line, 0.15 + 0.85 * strength);
            alpha = 1.0;
        }
    }
    let fog = smoothstep(params.fog.x, params.fog.y, away);
    color = mix(color, grade(behind), fog * (1.0 - glow * 0.5));
    return vec4(color, mix(alpha, 1.0, fog));
}
#endif
