// Colours of the sky and of daylight, from the sun's direction alone. The sky and the fog on the
// terrain call the same function, so that the far edge of the world fades into the sky behind it.
#define_import_path stonerun::sky

// Amount of daylight: 0 at night, 1 with the sun well above the horizon.
fn daylight(sun: vec3<f32>) -> f32 {
    return smoothstep(-0.12, 0.22, sun.y);
}

// Linear colour of the clear sky in direction `dir` (unit length).
fn sky_color(dir: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let day = daylight(sun);
    let up = max(dir.y, 0.0);
    let zenith = mix(vec3(0.006, 0.009, 0.022), vec3(0.085, 0.24, 0.62), day);
    let horizon = mix(vec3(0.018, 0.024, 0.048), vec3(0.52, 0.69, 0.87), day);
    var color = mix(horizon, zenith, 1.0 - pow(1.0 - up, 2.6));
    // Slightly darker below the horizon, for views without ground.
    color *= mix(1.0, 0.72, smoothstep(0.0, -0.6, dir.y));
    // Dusk and dawn: warm light around the low sun.
    let low = exp(-pow(sun.y / 0.2, 2.0)) * smoothstep(-0.25, 0.0, sun.y);
    let toward = max(dot(normalize(vec3(dir.x, 0.0, dir.z) + vec3(1e-4)), normalize(vec3(sun.x, 0.0, sun.z) + vec3(1e-4))), 0.0);
    let band = exp(-abs(dir.y) * 5.0);
    color = mix(color, vec3(0.93, 0.42, 0.17), low * band * (0.25 + 0.6 * toward * toward));
    // Haze around the sun.
    let glow = pow(max(dot(dir, sun), 0.0), 24.0);
    color += vec3(0.5, 0.4, 0.26) * glow * 0.35 * smoothstep(-0.1, 0.1, sun.y);
    return color;
}

// Linear colour of direct light: the sun by day, a little moonlight by night.
fn sun_color(sun: vec3<f32>) -> vec3<f32> {
    let high = smoothstep(-0.04, 0.3, sun.y);
    let day = mix(vec3(1.0, 0.5, 0.24), vec3(1.0, 0.94, 0.83), high) * smoothstep(-0.08, 0.08, sun.y);
    let moon = vec3(0.05, 0.06, 0.1) * smoothstep(0.02, -0.2, sun.y);
    return day + moon;
}

// Direction towards the direct light: the sun, or at night the moon opposite to it.
fn light_direction(sun: vec3<f32>) -> vec3<f32> {
    return select(-sun, sun, sun.y > -0.06);
}

// Linear colour of ambient light on a face with this `normal`.
fn ambient_color(normal: vec3<f32>, sun: vec3<f32>) -> vec3<f32> {
    let day = daylight(sun);
    let above = mix(vec3(0.035, 0.042, 0.07), vec3(0.50, 0.58, 0.70), day);
    let below = mix(vec3(0.018, 0.02, 0.03), vec3(0.27, 0.26, 0.25), day);
    return mix(below, above, normal.y * 0.5 + 0.5);
}
