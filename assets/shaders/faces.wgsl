// Faces of voxels: their normals, corners and texture coordinates.
#define_import_path stonerun::faces

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

// Direction from the middle of a quad to a corner, in its plane (u and v:
// crates/engine/src/mesh/quad.rs).
fn corner_out(face: u32, corner: u32) -> vec3<f32> {
    let u = f32(corner & 1u) * 2.0 - 1.0;
    let v = f32(corner >> 1u) * 2.0 - 1.0;
    if face < 2u { return vec3(0.0, v, u); }
    if face < 4u { return vec3(u, 0.0, v); }
    if face < 6u { return vec3(u, v, 0.0); }
    return vec3(0.0);
}

// A number for a voxel of the world.
fn hash(voxel: vec3<i32>) -> u32 {
    var n = u32(voxel.x) * 0x9E3779B1u ^ u32(voxel.y) * 0x85EBCA77u ^ u32(voxel.z) * 0xC2B2AE3Du;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return n ^ (n >> 15u);
}

// Mirrors texture coordinates, and on level faces also swaps them, by three bits of `n`. Both keep
// the texels of a voxel within it.
fn turned(uv: vec2<f32>, n: u32, is_level: bool) -> vec2<f32> {
    var out = uv;
    if (n & 1u) != 0u { out.x = -out.x; }
    if is_level && (n & 2u) != 0u { out.y = -out.y; }
    if is_level && (n & 4u) != 0u { out = out.yx; }
    return out;
}
