// Light of lamps and of the sky at a place, from levels of 0 to 15.
#define_import_path stonerun::lamps

// Brightness of levels from 0 to 15: 0 to 1.
fn brightness(levels: vec4<f32>) -> vec4<f32> {
    let part = levels / 15.0;
    return part * mix(vec4(0.25), vec4(1.0), part);
}

// Coloured light, mixed with a little grey: pure hues would turn blocks of other hues black or
// neon.
fn soft_hue(light: vec3<f32>) -> vec3<f32> {
    return mix(vec3(dot(light, vec3(0.35, 0.5, 0.15))), light, 0.8);
}

// Colour of the light of lamps with these brightnesses, in addition to light of the sky. Eyes that
// are used to daylight hardly see it.
fn lamp_color(brightness: vec3<f32>, sky: vec3<f32>) -> vec3<f32> {
    return soft_hue(brightness) * 1.45 * (1.0 - 0.75 * clamp(dot(sky, vec3(0.35, 0.5, 0.15)), 0.0, 1.0));
}
