//! What is around the eyes: open sky, a cave, water. It decides fog, lamp and the colour of the far distance.

use crate::body::sky_exposure;
use crate::game::common::picture_target::PictureTarget;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::render::chunk_material::{ChunkMaterial, ChunkMaterials, ChunkParams};
use crate::game::render::sky;
use crate::game::session::{Edits, OpenMap, WorkCounters};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::terrain::TerrainKind;
use crate::voxel::Matter;
use crate::world::view::{DrawnDistance, drawn_distance};
use bevy::prelude::*;

/// Where fog begins that nothing reaches, in voxels.
const CLEAR: f32 = 1e5;

/// Finds out what is around the eyes, and tells the shaders when it changes.
pub fn update(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    mut work: ResMut<WorkCounters>,
    player: Res<Player>,
    settings: Res<Settings>,
    time: Res<Time<Real>>,
    picture: Option<Res<PictureTarget>>,
    handles: Res<ChunkMaterials>,
    dome: Res<sky::Dome>,
    mut materials: ResMut<Assets<ChunkMaterial>>,
    mut skies: ResMut<Assets<sky::SkyMaterial>>,
    mut drawn: Local<(i32, DrawnDistance)>,
    mut open: Local<Option<f32>>,
    mut told: Local<Option<(ChunkParams, Handle<ChunkMaterial>)>>,
) {
    let eyes = player.walker.eyes();
    let target = if map.terrain == TerrainKind::Caverns {
        0.0
    } else {
        let exposure = sky_exposure::sky_exposure(edits.world(), &map.materials, eyes);
        work.add(VoxelTask::Picking, VoxelOps::reads(exposure.reads));
        exposure.open_fraction
    };
    // A picture does not wait until eyes have got used to the dark.
    let before = open.filter(|_| picture.is_none());
    let now = before.map_or(target, |before| before + (target - before) * (time.delta_secs() * 2.0).min(1.0));
    *open = Some(now);
    // In steps, so that the materials change seldom.
    let free = player.is_free();
    let sky_part = if free { 1.0 } else { (smoothstep(now) * 32.0).round() / 32.0 };
    let matter = map.materials.get(edits.world().get(eyes.floor().as_ivec3()).material());
    let wet = matter.is_some_and(|m| m.matter == Matter::Liquid);
    let hot = matter.is_some_and(|m| m.light > 0);
    // The fog is full where the first chunk may be missing. Less is drawn up and down than along.
    if drawn.0 != settings.view_distance {
        *drawn = (settings.view_distance, drawn_distance(settings.view_distance));
    }
    let (far, far_up) = (drawn.1.horizontal, drawn.1.vertical);
    let day = sky::sun_direction(map.header.time_of_day).y.clamp(0.05, 1.0).sqrt();
    let (start, end, veil) = match (wet, hot) {
        (true, true) => (0.0, 3.0, Vec4::new(0.9, 0.25, 0.04, 1.0)),
        (true, false) => {
            let light = ((0.15 + 0.85 * day * (0.3 + 0.7 * sky_part)) * 32.0).round() / 32.0;
            (1.0, 38.0, Vec4::new(0.02 * light, 0.13 * light, 0.26 * light, 1.0))
        }
        // Who has left the body looks from outside at what is drawn: by daylight, and nothing may hide it.
        _ if free => (CLEAR, 2.0 * CLEAR, Vec4::new(0.012, 0.013, 0.018, 0.0)),
        _ => (far * 0.62, far, Vec4::new(0.012, 0.013, 0.018, 0.0)),
    };
    let flatness = if wet { 1.0 } else { (far / far_up).max(1.0) };
    let lamp = (1.0 - sky_part) * 0.85;
    let params =
        ChunkParams { fog: Vec4::new(start, end, sky_part, lamp), veil, reach: Vec4::new(flatness, 0.0, 0.0, 0.0) };
    let state = (params, handles.opaque.clone());
    if told.as_ref() == Some(&state) {
        return;
    }
    for handle in handles.all() {
        if let Some(mut material) = materials.get_mut(handle) {
            material.params = params;
        }
    }
    if let Some(mut sky) = skies.get_mut(&dome.0) {
        sky.params = Vec4::new(sky_part * (1.0 - veil.w), 0.0, 0.0, 0.0);
        sky.veil = veil;
    }
    *told = Some(state);
}

/// Behind the title screen the sky is open, wherever the player was.
pub fn reset(dome: Option<Res<sky::Dome>>, mut skies: ResMut<Assets<sky::SkyMaterial>>) {
    if let Some(mut sky) = dome.and_then(|dome| skies.get_mut(&dome.0)) {
        sky.params = Vec4::X;
        sky.veil = Vec4::ZERO;
    }
}

fn smoothstep(x: f32) -> f32 {
    let x = x.clamp(0.0, 1.0);
    x * x * (3.0 - 2.0 * x)
}
