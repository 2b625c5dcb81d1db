// The words of chunks, and what quads and surfaces read of them alike: a chunk's words are laid out
// in src/game/drawing/chunk_drawing/chunk_pool.rs, the dark bricks in
// crates/engine/src/mesh/dark_bricks.rs.
#define_import_path stonerun::chunk_words

struct Params {
    // x: start of the fog, y: full fog (metres); z: share of the sky in the far distance, 0 to 1.
    fog: vec4<f32>,
    // rgb: replaces the sky's colour underground and under water; a: 1 under water.
    veil: vec4<f32>,
    // x: weight of vertical distance in the fog, relative to horizontal distance;
    // y: exponent of the light, less 1: the player's brightness; z: 1 draws the edges of quads, 2
    // the triangles of surfaces in the colours of their materials' rules;
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

// Words of a unit: a draw's instance index counts units.
const UNIT: u32 = 16u;

// Bit of a face material's layer: its texture is turned differently in each voxel.
const VARIED: u32 = 0x10000u;
// Bit of a face material's layer: it is lava.
const MOLTEN: u32 = 0x100000u;
// Bit of a face material's layer: its texture lies on its side.
const TURNED: u32 = 0x200000u;

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
