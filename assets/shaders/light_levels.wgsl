// Colours of light levels in the overlay of light.
#define_import_path stonerun::light_levels

// Colours of the sun's levels at level 0 and every third one above
// (src/game/inspect/overlay/light.rs).
const SUN_LEVELS: array<vec3<f32>, 6> = array<vec3<f32>, 6>(
    vec3(0.09, 0.07, 0.22), vec3(0.20, 0.20, 0.58), vec3(0.11, 0.46, 0.62),
    vec3(0.22, 0.66, 0.45), vec3(0.72, 0.80, 0.30), vec3(0.99, 0.93, 0.55),
);

// Decodes a colour, nearly as sRGB.
fn srgb_to_linear(c: vec3<f32>) -> vec3<f32> {
    return pow(c, vec3(2.2));
}

// Colour of levels of red, green, blue and the sun, 0 to 15: lamps cover the sun's level with their
// own colour, the more the brighter they are.
fn level_colour(levels: vec4<f32>) -> vec3<f32> {
    let step = u32(levels.w) / 3u;
    let colours = SUN_LEVELS;
    let sun = mix(colours[step], colours[min(step + 1u, 5u)], f32(u32(levels.w) % 3u) / 3.0);
    let lamp = max(levels.r, max(levels.g, levels.b)) / 15.0;
    let own = levels.rgb / max(15.0 * lamp, 1.0) * (0.35 + 0.65 * lamp);
    return srgb_to_linear(mix(sun, own, select(0.0, 0.3 + 0.7 * lamp, lamp > 0.0)));
}
