//! The ambience: open sky, a cave or a liquid around the eyes decides fog, lamp and the colour of
//! the far distance.

use crate::body::sky_exposure;
use crate::game::chunk_drawing::ChunkParams;
use crate::game::common::overlay_kind::{OverlayKind, OverlayToDraw};
use crate::game::common::picture_target::PictureTarget;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::render::sky;
use crate::game::session::{Edits, OpenMap, WorkCounters};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::terrain::TerrainKind;
use crate::voxel::{MAX_LIGHT, Matter};
use crate::world::view::{DrawnDistance, drawn_distance};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;

/// Start of the fog where there is none, in voxels: farther than any drawn chunk.
const CLEAR: f32 = 1e5;
/// Colour that replaces the sky underground; the last component is 1 in liquids.
const CAVE_VEIL: Vec4 = Vec4::new(0.012, 0.013, 0.018, 0.0);

/// The materials that show the ambience.
#[derive(SystemParam)]
pub struct AmbienceMaterials<'w> {
    chunks: ResMut<'w, ChunkParams>,
    dome: Res<'w, sky::Dome>,
    skies: ResMut<'w, Assets<sky::SkyMaterial>>,
}

/// State of the ambience between frames.
#[derive(Default)]
pub struct AmbienceMemory {
    /// View distance of `drawn`.
    view: i32,
    drawn: DrawnDistance,
    /// Part of the sky that is open, smoothed over time.
    open: Option<f32>,
}

/// Updates the materials when the ambience changes.
pub fn update(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    picture: Option<Res<PictureTarget>>,
    overlay: OverlayToDraw,
    mut work: ResMut<WorkCounters>,
    mut materials: AmbienceMaterials,
    mut memory: Local<AmbienceMemory>,
) {
    let eyes = player.walker.eyes();
    let target = if map.terrain == TerrainKind::Caverns {
        0.0
    } else {
        let exposure = sky_exposure::sky_exposure(edits.world(), &map.materials, eyes);
        work.add(VoxelTask::Picking, VoxelOps::reads(exposure.reads));
        exposure.open_fraction
    };
    // The view adapts slowly; a picture must not wait for that.
    let before = memory.open.filter(|_| picture.is_none());
    let open = before.map_or(target, |before| before + (target - before) * (time.delta_secs() * 2.0).min(1.0));
    memory.open = Some(open);
    // Quantised, so that the materials change rarely.
    let free = player.is_free();
    let sky_part = if free { 1.0 } else { (smoothstep(open) * 32.0).round() / 32.0 };
    let matter = map.materials.get(edits.world().get(eyes.floor().as_ivec3()).material());
    let in_liquid = matter.is_some_and(|m| m.matter == Matter::Liquid);
    let in_lava = in_liquid && matter.is_some_and(|m| m.light > 0);
    // The fog is full where the first chunk may be missing. Fewer chunks are drawn vertically than
    // horizontally.
    let view = map.view_distance(&settings);
    if memory.view != view {
        (memory.view, memory.drawn) = (view, drawn_distance(view));
    }
    let (far, far_up) = (memory.drawn.horizontal, memory.drawn.vertical);
    let day = sky::sun_direction(map.header.time_of_day).y.clamp(0.05, 1.0).sqrt();
    let (start, end, veil) = if in_lava {
        (0.0, 3.0, Vec4::new(0.9, 0.25, 0.04, 1.0))
    } else if in_liquid {
        let light = ((0.15 + 0.85 * day * (0.3 + 0.7 * sky_part)) * 32.0).round() / 32.0;
        (1.0, 38.0, Vec4::new(0.02 * light, 0.13 * light, 0.26 * light, 1.0))
    } else if free {
        // The free camera sees the drawn chunks from outside, by daylight; fog must not hide them.
        (CLEAR, 2.0 * CLEAR, CAVE_VEIL)
    } else {
        (far * 0.62, far, CAVE_VEIL)
    };
    let flatness = if in_liquid { 1.0 } else { (far / far_up).max(1.0) };
    // A glowing block in the hand is a lamp; in daylight it is hardly seen.
    let held = map.materials.get(player.hotbar[player.selected]).map_or(0, |material| material.light);
    let lamp = f32::from(held) / f32::from(MAX_LIGHT) * (1.0 - 0.9 * day * sky_part);
    let params = ChunkParams {
        fog: Vec4::new(start, end, sky_part, lamp),
        veil,
        reach: Vec4::new(
            flatness,
            light_exponent(settings.brightness),
            f32::from(u8::from(overlay.kind() == Some(OverlayKind::Quads))),
            f32::from(u8::from(overlay.kind() == Some(OverlayKind::Light))),
        ),
    };
    materials.chunks.set_if_neq(params);
    let shown = (Vec4::new(sky_part * (1.0 - veil.w), 0.0, 0.0, 0.0), veil);
    let is_old = |sky: &sky::SkyMaterial| (sky.params, sky.veil) != shown;
    // Write access uploads the material, so it is only taken for a change.
    if materials.skies.get(&materials.dome.0).is_some_and(is_old)
        && let Some(mut sky) = materials.skies.get_mut(&materials.dome.0)
    {
        (sky.params, sky.veil) = shown;
    }
}

/// Opens the sky behind the title screen, wherever the player was.
pub fn reset(dome: Option<Res<sky::Dome>>, mut skies: ResMut<Assets<sky::SkyMaterial>>) {
    if let Some(mut sky) = dome.and_then(|dome| skies.get_mut(&dome.0)) {
        sky.params = Vec4::X;
        sky.veil = Vec4::ZERO;
    }
}

/// Exponent of the light, less 1, for a brightness: light between 0 and 1 is raised to the power 1
/// / brightness. Full light stays as it is.
fn light_exponent(brightness: f32) -> f32 {
    1.0 / brightness - 1.0
}

fn smoothstep(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
