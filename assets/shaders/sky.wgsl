// Colours of the sky and of its light, from the sun's direction alone. The sky and the fog on the
// terrain call the same function, so that the far edge of the world fades into the sky behind it.
// All colours are linear, and may be brighter than 1 until `grade`.
#define_import_path stonerun::sky

// Amount of daylight: 0 at night, 1 with the sun well above the horizon.
fn daylight(sun: vec3<f32>) -> f32 {
    return smoothstep(-0.14, 0.24, sun.y);
}

// Amount of dusk or dawn: 1 with the sun on the horizon. It lasts longer below the horizon.
fn dusk(sun: vec3<f32>) -> f32 {
    return exp(-pow(sun.y / select(0.13, 0.19, sun.y > 0.0), 2.0));
}

// Component of `dir` towards the side of the sun: -1 to 1, and 0 straight up.
fn toward_sun(dir: vec3<f32>, sun: vec3<f32>) -> f32 {
    return dot(dir.xz, normalize(sun.xz));
}

// Colour of the clear sky in direction `dir` (unit length).
fn sky_color(dir: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let day = daylight(sun);
    let up = max(dir.y, 0.0);
    let zenith = mix(vec3(0.0030, 0.0065, 0.024), vec3(0.060, 0.19, 0.56), day);
    let horizon = mix(vec3(0.011, 0.022, 0.058), vec3(0.50, 0.68, 0.88), day);
    var color = mix(zenith, horizon, pow(1.0 - up, 3.4));
    // Dusk and dawn: red and orange low on the side of the sun, rose and violet opposite.
    let warm = dusk(sun);
    let side = toward_sun(dir, sun) * 0.5 + 0.5;
    let near = side * side;
    let high = mix(vec3(0.30, 0.20, 0.34), vec3(0.78, 0.36, 0.26), near);
    color = mix(color, high, warm * exp(-up * 4.2) * (0.30 + 0.40 * near));
    let low = mix(vec3(0.34, 0.24, 0.36), vec3(1.15, 0.46, 0.11), near);
    color = mix(color, low, warm * exp(-up * 11.0) * (0.20 + 0.65 * near * near));
    // Haze around the sun, and a little around the moon.
    let facing = dot(dir, sun);
    let is_up = smoothstep(-0.16, 0.03, sun.y) * smoothstep(-0.25, 0.02, dir.y);
    let tint = mix(vec3(1.0, 0.48, 0.18), vec3(1.0, 0.88, 0.68), smoothstep(0.0, 0.4, sun.y));
    let glow = 0.20 * pow(max(facing, 0.0), 14.0) + 0.42 * pow(max(facing, 0.0), 140.0);
    color += tint * glow * is_up;
    let moonlit = smoothstep(0.03, -0.16, sun.y) * smoothstep(-0.25, 0.02, dir.y);
    color += vec3(0.030, 0.042, 0.075) * (0.5 * pow(max(-facing, 0.0), 10.0) + pow(max(-facing, 0.0), 120.0)) * moonlit;
    // A little darker below the horizon, for views without ground.
    return color * mix(1.0, 0.7, smoothstep(-0.02, -0.7, dir.y));
}

// Colour of direct light: the sun by day, a little moonlight by night. Neither shines while the sun
// is close to the horizon, where `light_direction` changes from one to the other.
fn sun_color(sun: vec3<f32>) -> vec3<f32> {
    let height = smoothstep(0.0, 0.42, sun.y);
    let day = mix(vec3(1.0, 0.46, 0.17), vec3(1.0, 0.93, 0.81), sqrt(height)) * smoothstep(0.002, 0.17, sun.y);
    let moon = vec3(0.082, 0.112, 0.190) * smoothstep(-0.05, -0.24, sun.y);
    return day + moon;
}

// Direction towards the direct light: the sun, or at night the moon opposite to it. The same as in
// src/game/drawing/render/sky.rs.
fn light_direction(sun: vec3<f32>) -> vec3<f32> {
    return select(-sun, sun, sun.y > -0.03);
}

// Colour of ambient light on a face with this `normal`.
fn ambient_color(normal: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let day = daylight(sun);
    let warm = dusk(sun);
    var above = mix(vec3(0.042, 0.057, 0.105), vec3(0.43, 0.53, 0.69), day);
    var below = mix(vec3(0.020, 0.024, 0.040), vec3(0.23, 0.23, 0.23), day);
    // The side of the low sun is lit by the glow above the horizon.
    let side = toward_sun(normal, sun) * 0.5 + 0.5;
    above += vec3(0.055, 0.025, 0.020) * warm;
    below += vec3(0.10, 0.040, 0.012) * warm * side;
    return mix(below, above, normal.y * 0.5 + 0.5);
}

// The colour on the screen: a little more saturated, and bright light rolls off smoothly instead of
// being cut off.
fn grade(color: vec3<f32>) -> vec3<f32> {
    let grey = dot(color, vec3(0.2126, 0.7152, 0.0722));
    let rich = max(mix(vec3(grey), color, 1.06), vec3(0.0));
    const KNEE: f32 = 0.55;
    let over = max(rich - KNEE, vec3(0.0)) / (1.0 - KNEE);
    return min(rich, vec3(KNEE)) + (1.0 - KNEE) * (1.0 - exp(-over));
}
