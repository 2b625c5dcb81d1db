//! The ambience: fog, lamp and the colour of the far distance, which follow from the light and the
//! liquid at the eyes.
//!
//! - `fog`: where the fog begins, and where it is full.

mod fog;

use crate::game::drawing::chunk_drawing::ChunkParams;
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::drawing::render::sky;
use crate::game::map::streaming::ChunkStream;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use crate::views::OverlayKind;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use fog::{Fog, FogMemory};
use stonerun_engine::light::{Channel, LightLevels};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{ChunkPos, MAX_LIGHT, Voxel};

/// Colour of the far distance where no light reaches the eyes.
const DARKNESS: Vec3 = Vec3::new(0.006, 0.007, 0.010);
/// Part of the light of lamps at the eyes that the fog scatters.
const SCATTERED: f32 = 0.05;
/// Sun level at the eyes at which the far distance has the sky's colour alone.
const OPEN_LEVEL: f32 = 7.0;
/// Speed at which the view adapts, per second.
const ADAPTATION: f32 = 2.5;
/// Colour behind an orthographic view.
const PAPER: Vec3 = Vec3::new(0.055, 0.065, 0.08);
/// Colour of water that is lit by full daylight.
const WATER: Vec3 = Vec3::new(0.02, 0.13, 0.26);

/// The materials that show the ambience.
#[derive(SystemParam)]
pub struct AmbienceMaterials<'w> {
    chunks: ResMut<'w, ChunkParams>,
    dome: Res<'w, sky::Dome>,
    skies: ResMut<'w, Assets<sky::SkyMaterial>>,
}

/// The light at the eyes.
#[derive(Clone, Copy, PartialEq, Debug, Default)]
struct EyeLight {
    /// Brightness of the sun, 0 to 1, as the shader computes it.
    sun: f32,
    /// Share of the sky in the colour of the far distance, 0 to 1.
    open: f32,
    /// 1 if the sky may be in view, 0 deep under ground.
    sky: f32,
    /// Brightness of lamps by colour, 0 to 1 each.
    lamps: Vec3,
}

impl EyeLight {
    /// The light of these levels. `has_sky` is true if the sun shines somewhere near.
    fn new(levels: LightLevels, has_sky: bool) -> EyeLight {
        let brightness = |channel| brightness(f32::from(levels.get(channel)));
        EyeLight {
            sun: brightness(Channel::Sun),
            open: smoothstep(f32::from(levels.get(Channel::Sun)) / OPEN_LEVEL),
            sky: f32::from(u8::from(has_sky)),
            lamps: Vec3::new(
                brightness(Channel::Red),
                brightness(Channel::Green),
                brightness(Channel::Blue),
            ),
        }
    }

    /// An estimate of the light in a chunk that is not lit yet, from its height in the terrain.
    fn before_known(terrain: TerrainKind, pos: ChunkPos) -> EyeLight {
        if pos.y < terrain.lowest_sky_chunk() {
            EyeLight::new(LightLevels::DARK, false)
        } else {
            EyeLight::new(LightLevels::SUNLIT, true)
        }
    }

    /// Mix of this light and `other`: 0 for `part` is this light, 1 is `other`.
    fn towards(self, other: EyeLight, part: f32) -> EyeLight {
        EyeLight {
            sun: self.sun.lerp(other.sun, part),
            open: self.open.lerp(other.open, part),
            sky: self.sky.lerp(other.sky, part),
            lamps: self.lamps.lerp(other.lamps, part),
        }
    }
}

/// State of the ambience between frames.
#[derive(Default)]
pub struct AmbienceMemory {
    /// The light at the eyes, smoothed over time; `None` until it is known.
    light: Option<EyeLight>,
    /// The fog in front of missing chunks.
    fog: FogMemory,
}

/// Updates the materials when the ambience changes.
pub fn update(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    lights: Res<ChunkLights>,
    stream: Res<ChunkStream>,
    meshes: Res<ChunkMeshes>,
    player: Res<Player>,
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    picture: Option<Res<PictureTarget>>,
    overlay: OverlayToDraw,
    cutaway: Res<Cutaway>,
    origin: Res<RenderOrigin>,
    mut materials: AmbienceMaterials,
    mut memory: Local<AmbienceMemory>,
) {
    if map.is_added() {
        *memory = AmbienceMemory::default();
    }
    let eyes = player.walker.eyes().floor().as_ivec3();
    // The view adapts over several frames. A picture is taken at once, so it skips that.
    let before = memory.light.filter(|_| picture.is_none());
    let now = lights
        .at(eyes)
        .map(|levels| EyeLight::new(levels, lights.has_sun_near(ChunkPos::containing(eyes))));
    let part = 1.0 - (-time.delta_secs() * ADAPTATION).exp();
    memory.light =
        now.map(|now| before.map_or(now, |before| before.towards(now, part))).or(memory.light);
    let mut light = memory.light.unwrap_or(EyeLight::before_known(map.terrain, player.chunk()));
    let free = player.is_free();
    if free {
        light.open = 1.0;
        light.sky = 1.0;
    }
    let around = edits.world().get(eyes);
    // The eyes of an orthographic view are far in front of the visible voxels, so a liquid around
    // them does not count.
    let orthographic = player.is_orthographic();
    let in_liquid = !orthographic && map.materials.is_in_liquid(around, player.walker.eyes().y);
    let in_lava = in_liquid && map.materials.get(around.material()).is_some_and(|m| m.light > 0);
    let view = map.view_distance(&settings);
    let extent = memory.fog.extent(&map, player.chunk(), view, &stream, &meshes);
    let fog = memory.fog.follow(extent, if picture.is_some() { 1.0 } else { part });
    let day = daylight(sky::sun_direction(map.header.time_of_day).y);
    let dark = (DARKNESS + SCATTERED * light.lamps).extend(0.0);
    let (fog, veil) = if in_lava {
        (Fog { start: 0.0, end: 3.0 }, Vec4::new(0.9, 0.25, 0.04, 1.0))
    } else if in_liquid {
        // Deep water is dark, but never black.
        let brightness =
            Vec3::splat(0.12 + 0.88 * day * (0.25 + 0.75 * light.sun)) + 0.5 * light.lamps;
        (Fog { start: 1.0, end: 38.0 }, (WATER * brightness).extend(1.0))
    } else if free {
        // The free camera sees the drawn chunks from outside, by daylight; fog must not hide them.
        (Fog::NONE, dark)
    } else {
        (fog, dark)
    };
    let flatness = if in_liquid { 1.0 } else { memory.fog.flatness() };
    // A glowing block in hand lights the surroundings. In daylight, this is hardly visible.
    let held =
        EyeLight::new(lights.traits.emitted(Voxel::full(player.hotbar[player.selected])), false)
            .lamps;
    let lamp = held * (1.0 - 0.9 * day * light.sun);
    let params = ChunkParams {
        fog: Vec4::new(fog.start, fog.end, light.open, 0.0),
        veil,
        reach: Vec4::new(
            flatness,
            light_exponent(settings.brightness),
            match overlay.kind() {
                Some(OverlayKind::Quads) => 1.0,
                Some(OverlayKind::Surface) => 2.0,
                _ => 0.0,
            },
            f32::from(u8::from(overlay.kind() == Some(OverlayKind::Light))),
        ),
        sun: sky::drawn_sun(map.header.time_of_day),
        lamp: lamp.extend(0.0),
        cut: cutaway.clip(origin.0.as_dvec3()),
    };
    materials.chunks.set_if_neq(params);
    let shown = if orthographic {
        (Vec4::ZERO, PAPER.extend(1.0))
    } else {
        (Vec4::new(light.sky * (1.0 - veil.w), 0.0, 0.0, 0.0), veil)
    };
    let is_old = |sky: &sky::SkyMaterial| (sky.params, sky.veil) != shown;
    // Write access uploads the material, so it is only taken for a change.
    if materials.skies.get(&materials.dome.0).is_some_and(is_old)
        && let Some(mut sky) = materials.skies.get_mut(&materials.dome.0)
    {
        (sky.params, sky.veil) = shown;
    }
}

/// Shows the sky behind the title screen, even if the player was last underground.
pub fn reset(dome: Option<Res<sky::Dome>>, mut skies: ResMut<Assets<sky::SkyMaterial>>) {
    if let Some(mut sky) = dome.and_then(|dome| skies.get_mut(&dome.0)) {
        sky.params = Vec4::X;
        sky.veil = Vec4::ZERO;
    }
}

/// Exponent of the light, less 1, for a brightness setting: light between 0 and 1 is raised to the
/// power 1 / brightness. Full light stays as it is.
fn light_exponent(brightness: f32) -> f32 {
    1.0 / brightness - 1.0
}

/// Brightness of a light level, 0 to 1. `chunk.wgsl` uses the same formula.
fn brightness(level: f32) -> f32 {
    let part = level / f32::from(MAX_LIGHT);
    part * (0.25 + 0.75 * part)
}

/// Amount of daylight, 0 to 1, for the height (y) of the sun's direction. The moon gives a little
/// at night.
fn daylight(height: f32) -> f32 {
    0.08 + 0.92 * smoothstep((height + 0.14) / 0.38)
}

fn smoothstep(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn distance_is_the_sky_in_the_open_and_takes_the_colour_of_lamps_in_caves() {
        let open = EyeLight::new(LightLevels::SUNLIT, true);
        assert_eq!((open.sun, open.open, open.sky, open.lamps), (1.0, 1.0, 1.0, Vec3::ZERO));
        let cave =
            EyeLight::new(LightLevels::DARK.with(Channel::Red, 14).with(Channel::Blue, 3), false);
        assert_eq!((cave.sun, cave.open, cave.sky), (0.0, 0.0, 0.0));
        assert!(cave.lamps.x > 0.8 && cave.lamps.y == 0.0 && cave.lamps.z < 0.1, "{cave:?}");
        let half = open.towards(cave, 0.5);
        assert_eq!((half.sun, half.open, half.lamps), (0.5, 0.5, cave.lamps / 2.0));
    }

    #[test]
    fn view_of_a_cave_that_is_not_lit_yet_is_dark() {
        let sky = |terrain, y| EyeLight::before_known(terrain, ChunkPos::new(0, y, 0)).sky;
        let skies = [
            (TerrainKind::Caverns, 2),
            (TerrainKind::Continents, -1),
            (TerrainKind::Continents, 0),
        ];
        assert_eq!(skies.map(|(terrain, y)| sky(terrain, y)), [0.0, 0.0, 1.0]);
    }
}
