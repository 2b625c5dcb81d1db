// Draws the surfaces of smooth ground, pulled from the same buffer as the quads (chunk_words.wgsl).
// A vertex is laid out in crates/engine/src/surface/vertex.rs, with the face materials of its
// material in place of it; quads in src/game/drawing/chunk_drawing/surface_words.rs.
//
// Branches: see chunk.wgsl.
#import bevy_pbr::mesh_view_bindings::view
#import bevy_pbr::view_transformations::position_world_to_clip
#import stonerun::chunk_words::{
    params, tiles, tiles_sampler, face_materials, words, UNIT, VARIED, is_dark, levels_at,
}
#import stonerun::faces::{hash, turned}
#import stonerun::light_levels::{level_colour, srgb_to_linear}
#import stonerun::shading::{
    Place, ray_direction, light_at, side_share, air_distance, distant_color, haze, fog,
}
#import stonerun::sky::grade

// Bits of `Out.bits`: the edges of triangles are shown, the colours of their light, or of the rules
// that shape them. Bits 0 to 3: the vertex of this number is shaded flat. Bits 8 to 19: the rules
// of the vertices, three bits each.
const SHOWS_EDGES: u32 = 0x10u;
const SHOWS_LIGHT: u32 = 0x20u;
const SHOWS_RULES: u32 = 0x40u;

// Colours of the rules: none, smooth, facet, rough, terrace (src/game/inspect/overlay/surface.rs).
const RULES: array<vec3<f32>, 5> = array<vec3<f32>, 5>(
    vec3(0.5, 0.5, 0.5), vec3(0.30, 0.72, 0.36), vec3(0.36, 0.60, 0.95), vec3(0.90, 0.48, 0.22),
    vec3(0.80, 0.42, 0.80),
);

struct Out {
    // The prepass and the main pass must have the same position to the last bit.
    @invariant @builtin(position) clip: vec4<f32>,
    @location(0) world: vec3<f32>,
    @location(1) normal: vec3<f32>,
    // Position in the chunk.
    @location(2) inside: vec3<f32>,
    // Share of each of the quad's vertices in the point.
    @location(3) shares: vec4<f32>,
    // Face materials of the vertices: top, and sides and bottom in the high half.
    @location(4) @interpolate(flat) materials: vec4<u32>,
    // Normals of the triangles 0 1 2 and 0 2 3, packed.
    @location(5) @interpolate(flat) planes: vec2<u32>,
    // Index of the first word of the chunk's dark bricks, 0 without; of its light bricks, as
    // `levels_at` takes it; the bits.
    @location(6) @interpolate(flat) dark: u32,
    @location(7) @interpolate(flat) light: u32,
    @location(8) @interpolate(flat) bits: u32,
};

// Words of a vertex.
const VERTEX_WORDS: u32 = 3u;

fn position(vertex: u32) -> vec3<f32> {
    let w = words[vertex];
    return vec3(f32(w & 0x3fffu), f32((w >> 14u) & 0x3fffu), f32(words[vertex + 1u] & 0x3fffu)) / 256.0 - 0.5;
}

fn normal_of(vertex: u32) -> vec3<f32> {
    let w = words[vertex + 1u];
    let p = vec2(f32((w >> 14u) & 511u), f32(w >> 23u)) / 255.0 - 1.0;
    let y = 1.0 - abs(p.x) - abs(p.y);
    let folded = (1.0 - abs(p.yx)) * select(vec2(-1.0), vec2(1.0), p >= vec2(0.0));
    let q = select(p, folded, y < 0.0);
    return normalize(vec3(q.x, y, q.y));
}

fn plane_of(a: vec3<f32>, b: vec3<f32>, c: vec3<f32>) -> u32 {
    let across = cross(b - a, c - a);
    return pack4x8snorm(vec4(across / max(length(across), 1e-9), 0.0));
}

@vertex
fn vertex(@builtin(vertex_index) index: u32, @builtin(instance_index) unit: u32) -> Out {
    var out: Out;
    let chunk = unit * UNIT;
    let quads = chunk + words[chunk + 8u];
    let where_vertices = words[chunk + 9u];
    let first = chunk + (where_vertices & 0x7fffffffu);
    let quad = index / 4u;
    // Numbers of the quad's vertices, 16 bits each, or a word each in meshes of many vertices.
    var numbers: vec4<u32>;
    if (where_vertices >> 31u) == 0u {
        let a = words[quads + 2u * quad];
        let b = words[quads + 2u * quad + 1u];
        numbers = vec4(a & 0xffffu, a >> 16u, b & 0xffffu, b >> 16u);
    } else {
        let at = quads + 4u * quad;
        numbers = vec4(words[at], words[at + 1u], words[at + 2u], words[at + 3u]);
    }
    let at = first + numbers * VERTEX_WORDS;
    // The index buffer makes the triangles 0 1 2 and 1 3 2 of a quad: they become 1 2 0 and 2 3 0.
    let corner = vec4(1u, 2u, 0u, 3u)[index % 4u];
    let p = array(position(at.x), position(at.y), position(at.z), position(at.w));
    let origin = vec3(i32(words[chunk]), i32(words[chunk + 1u]), i32(words[chunk + 2u]));
    out.inside = p[corner];
    out.world = vec3<f32>(origin - params.origin) + out.inside;
    out.clip = position_world_to_clip(out.world);
#ifdef CLAMP_DEPTH
    out.clip.z = min(out.clip.z, out.clip.w);
#endif
    out.normal = normal_of(at[corner]);
    out.planes = vec2(plane_of(p[0], p[1], p[2]), plane_of(p[0], p[2], p[3]));
    out.shares = select(vec4(0.0), vec4(1.0), vec4(0u, 1u, 2u, 3u) == vec4(corner));
    out.materials = vec4(words[at.x + 2u], words[at.y + 2u], words[at.z + 2u], words[at.w + 2u]);
    let firsts = vec4(words[at.x], words[at.y], words[at.z], words[at.w]);
    let flat_bits = (firsts >> vec4(28u)) & vec4(1u);
    let rules = firsts >> vec4(29u);
    out.bits = dot(flat_bits, vec4(1u, 2u, 4u, 8u)) | dot(rules, vec4(0x100u, 0x800u, 0x4000u, 0x20000u))
        | select(0u, SHOWS_EDGES, params.reach.z > 0.5) | select(0u, SHOWS_LIGHT, params.reach.w > 0.5)
        | select(0u, SHOWS_RULES, params.reach.z == 2.0);
    let dark = words[chunk + 6u];
    out.dark = select(0u, chunk + dark, dark != 0u);
    let bricks = words[chunk + 7u];
    out.light = select(bricks, chunk + bricks, bricks > 1u);
    return out;
}

// True in the triangle 0 2 3.
fn in_second(in: Out) -> bool {
    return in.shares.w > in.shares.y;
}

// Normal of the triangle.
fn plane(in: Out) -> vec3<f32> {
    return normalize(unpack4x8snorm(select(in.planes.x, in.planes.y, in_second(in))).xyz);
}

// Colour of the rules of the vertices, by their shares.
fn rules_color(in: Out) -> vec3<f32> {
    var color = vec3(0.0);
    for (var i = 0u; i < 4u; i++) {
        color += RULES[min((in.bits >> (8u + 3u * i)) & 7u, 4u)] * in.shares[i];
    }
    return color;
}

// Normal that the light falls on: of the triangle where the material is flat, smooth elsewhere.
fn shading_normal(in: Out, plane: vec3<f32>) -> vec3<f32> {
    let flat_share = dot(in.shares, vec4<f32>((vec4(in.bits) >> vec4(0u, 1u, 2u, 3u)) & vec4(1u)));
    return normalize(mix(normalize(in.normal), plane, flat_share));
}

#ifdef DEPTH_ONLY
#ifdef NORMALS
@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    return vec4(shading_normal(in, plane(in)) * 0.5 + 0.5, 1.0);
}
#endif
#else

struct Surroundings {
    // Levels of red, green, blue and the sun, 0 to 15.
    levels: vec4<f32>,
    // Light that the surrounding voxels leave, 0.42 to 1.
    occlusion: f32,
};

// Light around a place of the surface, smooth between the centres of voxels: half a voxel to a
// voxel in front of it, so that level ground does not darken itself.
fn surroundings(in: Out, normal: vec3<f32>) -> Surroundings {
    let front = clamp(in.inside + normal, vec3(-0.4995), vec3(32.4995)) - 0.5;
    let lowest = vec3<i32>(floor(front));
    let t = front - vec3<f32>(lowest);
    var levels = vec4(0.0);
    var brightest = vec4(0.0);
    var open = 0.0;
    var dark = 0.0;
    for (var i = 0; i < 8; i++) {
        let step = vec3(i & 1, (i >> 1u) & 1, i >> 2u);
        let part = select(1.0 - t, t, step == vec3(1));
        let share = part.x * part.y * part.z;
        let at = clamp(lowest + step, vec3(-1), vec3(32));
        var is_closed = 0u;
        if in.dark != 0u { is_closed = is_dark(in.dark, at); }
        let here = levels_at(in.light, at);
        brightest = max(brightest, here);
        if is_closed == 1u { dark += share; } else { levels += here * share; open += share; }
    }
    let mean = select(brightest, levels / max(open, 0.001), open > 0.05);
    return Surroundings(mean, 1.0 - 0.58 * clamp(dark, 0.0, 1.0));
}

// Texel of a face material at texture coordinates, tinted; alpha: glow.
fn texel(number: u32, uv: vec2<f32>, dx: vec2<f32>, dy: vec2<f32>, is_level: bool) -> vec4<f32> {
    let material = face_materials[number];
    var at = uv;
    if (material.layer & VARIED) != 0u {
        let tile = vec2<i32>(floor(uv));
        at = turned(uv, hash(vec3(tile.x, select(1, 0, is_level), tile.y)), is_level);
    }
    let tint = unpack4x8unorm(material.tint);
    let color = textureSampleGrad(tiles, tiles_sampler, at, i32(material.layer & 0xffffu), dx, dy).rgb;
    return vec4(color * srgb_to_linear(tint.rgb), tint.a);
}

// Colour of a material at a place: its textures along the three axes, blended by the normal.
fn material_color(word: u32, p: vec3<f32>, dx: vec3<f32>, dy: vec3<f32>, normal: vec3<f32>) -> vec4<f32> {
    let top = word & 0xffffu;
    let side = word >> 16u;
    // Grass ends where the ground is steep.
    var axes = pow(abs(normal), vec3(6.0));
    axes /= axes.x + axes.y + axes.z;
    var color = vec4(0.0);
    if axes.y > 0.02 {
        color += axes.y * texel(select(side, top, normal.y > 0.0), p.xz, dx.xz, dy.xz, true);
    }
    if axes.x > 0.02 { color += axes.x * texel(side, -p.zy, dx.zy, dy.zy, false); }
    if axes.z > 0.02 { color += axes.z * texel(side, vec2(p.x, -p.y), dx.xy, dy.xy, false); }
    return color / (step(0.02, axes.x) * axes.x + step(0.02, axes.y) * axes.y + step(0.02, axes.z) * axes.z);
}

// Smooth noise of a place in the world, -1 to 1, with features of 2^`shift` voxels, at most 32.
fn noise(in: Out, shift: u32) -> f32 {
    let chunk = vec3<i32>(round(in.world - in.inside)) + params.origin;
    let p = in.inside / f32(1u << shift);
    let lowest = floor(p);
    let part = p - lowest;
    let t = part * part * (3.0 - 2.0 * part);
    let first = (chunk >> vec3(shift)) + vec3<i32>(lowest);
    var sum = 0.0;
    for (var i = 0; i < 8; i++) {
        let step = vec3(i & 1, (i >> 1u) & 1, i >> 2u);
        let share = select(1.0 - t, t, step == vec3(1));
        sum += share.x * share.y * share.z * f32(hash(first + step) & 0xffffu);
    }
    return sum / 32767.5 - 1.0;
}

// Colour of the materials of the quad's vertices, by their shares; alpha: glow.
fn blended(in: Out, normal: vec3<f32>) -> vec4<f32> {
    let dx = dpdx(in.inside);
    let dy = dpdy(in.inside);
    let fine = noise(in, 1u);
    // Large fields of one material would be flat.
    let field = 1.0 + 0.11 * noise(in, 4u) + 0.07 * fine;
    if all(in.materials == in.materials.xxxx) {
        let color = material_color(in.materials.x, in.inside, dx, dy, normal);
        return vec4(color.rgb * field, color.a);
    }
    var sum = vec4(0.0);
    var total = 0.0;
    for (var i = 0; i < 4; i++) {
        let material = in.materials[i];
        // All vertices of a material at once, by the first of them.
        var share = 0.0;
        var is_first = true;
        for (var j = 0; j < 4; j++) {
            let same = in.materials[j] == material;
            share += select(0.0, in.shares[j], same);
            is_first = is_first && !(same && j < i);
        }
        if is_first && share > 0.02 {
            let color = material_color(material, in.inside, dx, dy, normal);
            // The brighter texels of a material reach farther into the other. The noise moves each
            // material by an amount of its own, the same in all quads, so that borders wind about
            // the cells and go on in the next quad.
            let height = dot(color.rgb, vec3(0.3, 0.6, 0.1));
            let amount = f32(hash(vec3(i32(material), 0, 0)) & 255u) / 127.5 - 1.0;
            let weight = pow(share, 3.0) * (0.3 + height) * exp2(3.0 * amount * fine);
            sum += color * weight;
            total += weight;
        }
    }
    let color = sum / max(total, 1e-6);
    return vec4(color.rgb * field, color.a);
}

@fragment
fn fragment(in: Out) -> @location(0) vec4<f32> {
    let plane = plane(in);
    let normal = shading_normal(in, plane);
    let albedo = blended(in, normal);
#ifdef CUTAWAY
    if dot(params.cut.xyz, in.world) > params.cut.w { discard; }
#endif
    let around = surroundings(in, normal);
    let distance = distance(in.world, view.world_position.xyz);
    let dir = ray_direction(in.world);
    let place = Place(in.world, plane, normal, in.clip.xy, around.levels, around.occlusion, in.bits >> 31u);
    let glow = albedo.a;
    let light = max(light_at(place, distance, dir), vec3(glow * 1.15));
    var color = albedo.rgb * light;
    color += color * color * glow * 0.9;
    let away = air_distance(in.world);
    let behind = distant_color(dir, around.levels.w);
    color = grade(mix(color, behind, haze(away, glow)));
    if (in.bits & SHOWS_LIGHT) != 0u {
        let shape = 0.7 + 0.3 * dot(albedo.rgb, vec3(0.3, 0.6, 0.1));
        color = level_colour(around.levels) * shape * side_share(normal);
    }
    if (in.bits & SHOWS_RULES) != 0u {
        let shape = 0.35 + 0.65 * dot(color, vec3(0.3, 0.6, 0.1));
        color = srgb_to_linear(rules_color(in)) * shape * 1.9;
    }
    let corners = vec3(in.shares.x, max(in.shares.y, in.shares.w), in.shares.z);
    let pixel = fwidth(corners);
    if (in.bits & SHOWS_EDGES) != 0u {
        let near = corners / max(pixel, vec3(1e-6));
        // Triangles of a few pixels would be all edge.
        let strength = smoothstep(4.0, 16.0, 1.0 / max(max(pixel.x, pixel.y), max(pixel.z, 1e-6)));
        color *= 0.6;
        if min(near.x, min(near.y, near.z)) < 1.2 { color = mix(color, vec3(0.10, 0.47, 0.96), 0.15 + 0.85 * strength); }
    }
    return vec4(mix(color, grade(behind), fog(away) * (1.0 - glow * 0.5)), 1.0);
}
#endif
