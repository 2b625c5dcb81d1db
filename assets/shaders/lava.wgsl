// Lava: a dark crust that drifts and opens over glowing melt.
#define_import_path stonerun::lava

// A number from 0 to 1 for a cell of space.
fn cell_value(cell: vec3<i32>) -> f32 {
    var n = u32(cell.x) * 0x9E3779B1u ^ u32(cell.y) * 0x85EBCA77u ^ u32(cell.z) * 0xC2B2AE3Du;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    n = (n ^ (n >> 12u)) * 0x297A2D39u;
    return f32((n ^ (n >> 15u)) & 0xffffu) / 65535.0;
}

// Numbers of the cells around a position, mixed smoothly.
fn smooth_noise(at: vec3<f32>) -> f32 {
    let cell = vec3<i32>(floor(at));
    let f = smoothstep(vec3(0.0), vec3(1.0), fract(at));
    var layers = vec2(0.0);
    for (var y = 0; y < 2; y++) {
        let low = cell + vec3(0, y, 0);
        let north = mix(cell_value(low), cell_value(low + vec3(1, 0, 0)), f.x);
        let south = mix(cell_value(low + vec3(0, 0, 1)), cell_value(low + vec3(1, 0, 1)), f.x);
        layers[y] = mix(north, south, f.z);
    }
    return mix(layers.x, layers.y, f.y);
}

// Colour of lava at a position in metres, in texels of a sixteenth of a metre, seen from
// `distance`.
fn lava_color(at: vec3<f32>, time: f32, distance: f32) -> vec3<f32> {
    let texel = (floor(at * 16.0) + 0.5) / 16.0;
    let drift = vec3(0.11, -0.04, 0.07) * time;
    let broad = smooth_noise(texel * 0.35 + drift * 0.4);
    var fine = smooth_noise(texel * 1.3 - drift.zyx + broad * 2.0);
    fine = 0.65 * fine + 0.35 * smooth_noise(texel * 4.0 + drift);
    // Details smaller than a pixel would flicker.
    fine = mix(fine, 0.5, smoothstep(24.0, 90.0, distance));
    let grain = cell_value(vec3<i32>(floor(at * 16.0))) * (1.0 - smoothstep(10.0, 30.0, distance));
    let heat = 0.45 * broad + 0.55 * fine + 0.06 * (grain - 0.5);
    let crust = mix(vec3(0.055, 0.010, 0.005), vec3(0.80, 0.130, 0.008), smoothstep(0.33, 0.50, heat));
    return mix(crust, vec3(1.0, 0.43, 0.05), smoothstep(0.54, 0.80, heat));
}
