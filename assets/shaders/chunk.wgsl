// Draws the quads of chunks, pulled from one buffer of words (chunk_words.wgsl); a quad's are laid
// out in crates/engine/src/mesh/quad.rs.
//
// Branches: no branch or loop depends on uniforms alone. Mesa 22.3, the software driver of Debian
// 12, would compile such a shader again in each frame and never free it. Use `select`, or pass a
// bit from the vertex shader (docs/decisions/0024-branches-on-uniforms.md).
#import bevy_pbr::mesh_view_bindings::{view, globals}
#import bevy_pbr::view_transformations::position_world_to_clip
#import stonerun::chunk_words::{
    params, tiles, tiles_sampler, face_materials, words, UNIT, VARIED, MOLTEN, TURNED, is_dark,
    levels_at,
}
#import stonerun::faces::{corner_out, face_normal, face_uv, hash, turned}
#import stonerun::lamps::brightness
#import stonerun::lava::lava_color
#import stonerun::light_levels::{level_colour, srgb_to_linear}
#import stonerun::shading::{
    Place, is_orthographic, ray_direction, light_at, side_share, air_distance, distant_color, haze, fog,
}
#import stonerun::sky::grade
#import stonerun::torch::{torch_mount, torch_corner, torch_uv}
#ifdef TRANSLUCENT
#import stonerun::water::water_surface
#endif

#ifdef TRANSLUCENT
@group(2) @binding(0) var depth_behind: texture_depth_2d;
#endif

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
// Bit of a quad's first word: it lies on the grid of sixteenths of voxels.
const FINE: u32 = 0x20000000u;

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
    let is_fine = (w & FINE) != 0u;
    var quad_size = vec2(f32(((size >> 16u) & 31u) + 1u), f32(((size >> 21u) & 511u) + 1u) / 16.0);
    // What the halved sides of level quads leave out: west, east, north, south.
    var halved = vec4(0.0);
    if face == 2u || face == 3u {
        halved = vec4<f32>((vec4(size) >> vec4(26u, 27u, 28u, 29u)) & vec4(1u)) * 0.5;
        quad_size.y = f32(((size >> 21u) & 31u) + 1u);
        quad_size -= halved.xz + halved.yw;
    }
    // Place of a fine quad's corner beyond whole voxels.
    var beyond = vec3(halved.x, 0.0, halved.z);
    if is_fine {
        quad_size = vec2(f32(((size >> 16u) & 15u) + 1u), f32(((size >> 20u) & 15u) + 1u)) / 16.0;
        beyond = vec3(f32((size >> 24u) & 15u), 0.0, f32(size >> 28u)) / 16.0;
    }
    // 0 or 1 along u and v.
    let end = vec2(f32(corner & 1u), f32(corner >> 1u));
    let in_quad = quad_size * end;
    let along = in_quad.x;
    let up = in_quad.y;
    let lowest = vec3(f32(w & 63u), f32((w >> 12u) & 1023u) / 16.0 - 1.0, f32((w >> 6u) & 63u))
        + beyond;
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
    if (material.layer & TURNED) != 0u { out.uv = out.uv.yx; }
    // Not on the edge, where rounding could reach the next voxel.
    out.inside = p - corner_out(face, corner) * 0.001;
    // All of a model is lit like the middle of its voxel. It may stand up to half a voxel lower or
    // higher, on smooth ground.
    if mount != 0u { out.inside = voxel + 0.5; }
    if face >= 6u { out.inside = floor(lowest + vec3(0.0, 0.5, 0.0)) + 0.5; }
    out.world = world;
    out.clip = position_world_to_clip(world);
#ifdef CLAMP_DEPTH
    out.clip.z = min(out.clip.z, out.clip.w);
#endif
    out.layer = material.layer;
    out.quad = w | select(0u, SHOWS_EDGES, params.reach.z == 1.0) | select(0u, SHOWS_LIGHT, params.reach.w > 0.5);
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

// Light at a corner: 3 without shade (0fps, "Ambient occlusion for Minecraft-like worlds").
fn corner_light(side_u: u32, side_v: u32, diagonal: u32) -> f32 {
    return f32(select(3u - side_u - side_v - diagonal, 0u, side_u + side_v == 2u));
}

// Levels at a corner: the mean of the open voxels around it. The middle voxel is open; the diagonal
// voxel counts only next to an open side.
fn corner_levels(
    middle: vec4<f32>, side_u: vec4<f32>, side_v: vec4<f32>, diagonal: vec4<f32>, dark: vec3<u32>,
) -> vec4<f32> {
    let open = vec3<f32>(1u - dark) * vec3(1.0, 1.0, f32(dark.x + dark.y < 2u));
    return (middle + side_u * open.x + side_v * open.y + diagonal * open.z) / (1.0 + open.x + open.y + open.z);
}

// The voxel in front of a face, at a place on it.
fn voxel_in_front(quad: u32, place: vec3<f32>, normal: vec3<f32>) -> vec3<i32> {
    let out = vec3<i32>(normal);
    if (quad & FINE) != 0u {
        // A face within its voxel is open to the voxel itself.
        let own = clamp(vec3<i32>(floor(place - normal / 32.0)), vec3(0), vec3(31));
        let depth = fract(dot(place, abs(normal)));
        return own + select(out, vec3(0), abs(depth - 0.5) < 0.47);
    }
    return clamp(vec3<i32>(floor(place - normal * 0.5)), vec3(0), vec3(31)) + out;
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
    let front = voxel_in_front(in.quad, place, normal);
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
        front = voxel_in_front(in.quad, in.inside, normal);
    }
    // Distance from the middle of the voxel, in the plane of the face.
    let from_middle = abs(fract(in.inside) - 0.5) * (1.0 - abs(normal));
    let edge = select(max(from_middle.x, max(from_middle.y, from_middle.z)), 0.0, face >= 6u);
    return level_colour(levels_at(in.light, front)) * select(1.0, 0.72, edge > 0.47);
}

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
    var shade_normal = normal;
#ifdef TRANSLUCENT
    let low_side = low_liquid_side(in, face);
    shade_normal = normalize(mix(normal, vec3(0.0, 1.0, 0.0), low_side));
#endif
    let around = surroundings(in, face, normal);
    let distance = distance(in.world, view.world_position.xyz);
    let dir = ray_direction(in.world);
    let place = Place(in.world, normal, shade_normal, in.clip.xy, around.levels, around.occlusion, in.quad >> 31u);
    var light = light_at(place, distance, dir);

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
            color, at, globals.time, dir, max(depth, 0.0), params.sun.xyz, brightness(around.levels),
            select(0.0, 1.0, face == 2u), low_side,
            front && params.veil.a < 0.5,
        );
        color = water.color;
        alpha = water.alpha;
    }
#endif
    let away = air_distance(in.world);
    let behind = distant_color(dir, around.levels.w);
    color = grade(mix(color, behind, haze(away, glow)));
    if (in.quad & SHOWS_LIGHT) != 0u {
        let shape = 0.7 + 0.3 * dot(texel.rgb, vec3(0.3, 0.6, 0.1));
        color = light_overlay(in, face, normal) * shape * side_share(shade_normal);
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
    let fogged = fog(away);
    color = mix(color, grade(behind), fogged * (1.0 - glow * 0.5));
    return vec4(color, mix(alpha, 1.0, fogged));
}
#endif
