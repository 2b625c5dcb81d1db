// Water: clear where it is shallow, foam along its shore, and a mirror at low angles.
#define_import_path stonerun::water

#import stonerun::sky::{sky_color, sun_color, light_direction}

// Result of a ray that enters water.
struct WaterSurface {
    color: vec3<f32>,
    alpha: f32,
};

// Slope of the waves along x and z. They are drawn, not modelled, so that quads of any size join
// without gaps. All waves, and the foam, repeat after 256 m:
// the caller may pass positions modulo that.
fn wave_slope(at: vec2<f32>, time: f32) -> vec2<f32> {
    let f = 6.2831853 / 256.0;
    var slope = vec2(0.0);
    slope += vec2(17.0, 9.0) * f * cos(dot(at, vec2(17.0, 9.0) * f) + time * 1.1) * 0.045;
    slope += vec2(-11.0, 23.0) * f * cos(dot(at, vec2(-11.0, 23.0) * f) + time * 1.4) * 0.035;
    slope += vec2(61.0, -37.0) * f * cos(dot(at, vec2(61.0, -37.0) * f) - time * 2.1) * 0.012;
    slope += vec2(53.0, 71.0) * f * cos(dot(at, vec2(53.0, 71.0) * f) + time * 2.7) * 0.010;
    return slope;
}

// Noise for foam: 0 to 1, in cells of an eighth of a metre.
fn cell_noise(at: vec2<f32>) -> f32 {
    let cell = vec2<i32>(floor(at * 8.0)) & vec2(2047);
    var n = u32(cell.x) * 0x9E3779B1u + u32(cell.y) * 0x85EBCA77u;
    n = (n ^ (n >> 15u)) * 0x2C1B3C6Du;
    return f32((n ^ (n >> 13u)) & 1023u) / 1023.0;
}

// `lit` is the water's own lit colour, `at` its position in metres, `dir` the direction of the ray,
// `depth` the metres that the ray travels in the water, `light` the brightness of lamps (red,
// green, blue) and of the sky above the surface, 0 to 1. `level` is 1 for the surface, 0 for sides;
// `low_side` is 1 for a low side between two surfaces, which looks like them.
fn water_surface(
    lit: vec3<f32>,
    at: vec2<f32>,
    time: f32,
    dir: vec3<f32>,
    depth: f32,
    sun: vec3<f32>,
    light: vec4<f32>,
    level: f32,
    low_side: f32,
    from_above: bool,
) -> WaterSurface {
    var out: WaterSurface;
    // Red light is absorbed first.
    out.color = lit * mix(vec3(1.25, 1.25, 1.0), vec3(0.55, 0.86, 0.74), 1.0 - exp(-depth * 0.12));
    out.alpha = 0.40 + 0.48 * (1.0 - exp(-depth * 0.16));
    if !from_above {
        // Seen from within the water, a step is not a surface.
        out.alpha = 0.55 * (1.0 - low_side);
    }
    let like_surface = max(level, low_side);
    if like_surface > 0.0 && from_above {
        let side = out;
        let slope = wave_slope(at, time);
        let normal = normalize(vec3(-slope.x, 1.0, -slope.y));
        let facing = clamp(dot(-dir, normal), 0.0, 1.0);
        let mirror = 0.04 + 0.96 * pow(1.0 - facing, 4.0);
        let mirrored = reflect(dir, normal);
        let sky = sky_color(normalize(vec3(mirrored.x, abs(mirrored.y) + 0.02, mirrored.z)), sun);
        // Without the sky, the water mirrors the lit walls around it.
        let image = sky * light.w + light.rgb * 0.12;
        let toward = light_direction(sun);
        let glitter = sun_color(sun) * pow(max(dot(mirrored, toward), 0.0), 220.0) * 2.2 * light.w;
        out.color = mix(out.color, image, mirror * 0.88) + glitter;
        // Foam where the bottom is close under the surface.
        let below = depth * max(-dir.y, 0.05);
        let drift = vec2(time * 0.05, time * 0.03);
        let band = 1.0 - smoothstep(0.04, 0.32 + 0.1 * sin(time * 0.8 + at.x * 0.4906 + at.y * 0.3436), below);
        let foam = band * step(0.45, cell_noise(at + drift)) * 0.55;
        out.color = mix(out.color, vec3(0.92, 0.96, 1.0) * max(max(lit.r, lit.g), lit.b) * 1.6, foam);
        out.alpha = mix(max(out.alpha, mirror), 0.85, foam);
        // Soft where it meets the shore.
        out.alpha *= smoothstep(0.0, 0.06, below) * 0.85 + 0.15;
        // A thin bright edge of broken water.
        out.color = mix(out.color, vec3(0.92, 0.96, 1.0) * max(max(lit.r, lit.g), lit.b) * 1.6, 0.12 * low_side);
        out.color = mix(side.color, out.color, like_surface);
        out.alpha = mix(side.alpha, out.alpha, like_surface);
    }
    return out;
}
