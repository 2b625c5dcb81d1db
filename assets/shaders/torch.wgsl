// Torches: the corners of their faces, computed from the corners of a full block, and their
// texture.
#define_import_path stonerun::torch

// Mount of the torch that a face material belongs to, from its layer: 1 on the floor, 2 to 5 on the
// wall to the east, west, south or north; 0 for other shapes.
fn torch_mount(layer: u32) -> u32 {
    return (layer >> 17u) & 7u;
}

// Direction to the wall that carries a torch with this mount.
fn torch_wall(mount: u32) -> vec3<f32> {
    switch mount {
        case 2u: { return vec3(1.0, 0.0, 0.0); }
        case 3u: { return vec3(-1.0, 0.0, 0.0); }
        case 4u: { return vec3(0.0, 0.0, 1.0); }
        default: { return vec3(0.0, 0.0, -1.0); }
    }
}

// Position of a corner of a torch's face in its voxel, as in
// crates/engine/src/voxel/shape/torch/corners.rs; `t` is 0 or 1 along u and v.
fn torch_corner(mount: u32, face: u32, t: vec2<f32>) -> vec3<f32> {
    var p = vec3(0.4375 + 0.125 * t.x, 0.625, 0.4375 + 0.125 * t.y);
    switch face {
        case 0u: { p = vec3(0.5625, t.y, t.x); }
        case 1u: { p = vec3(0.4375, t.y, t.x); }
        case 4u: { p = vec3(t.x, t.y, 0.5625); }
        case 5u: { p = vec3(t.x, t.y, 0.4375); }
        default: {}
    }
    if mount == 1u { return p; }
    return p + torch_wall(mount) * (0.4375 - 0.4 * p.y) + vec3(0.0, 0.1875, 0.0);
}

// Texture coordinates at that corner.
fn torch_uv(face: u32, t: vec2<f32>) -> vec2<f32> {
    // The flame's core.
    if face == 2u { return (vec2(7.0, 6.0) + 2.0 * t) / 16.0; }
    // Inset, so that the bottom texel row does not show on top.
    return vec2(select(t.x, 1.0 - t.x, face == 0u || face == 5u), 0.98 - 0.96 * t.y);
}
