//! The systems that let the creatures of the open map live.

use super::bodies;
use super::command::CreatureAnswer;
use super::kinds;
use super::life::CreatureLife;
use super::parts::{DrawnParts, Part};
use super::thread::{self, TickInput};
use crate::game::drawing::lighting::ChunkLights;
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::drawing::render::sky::sun_direction;
use crate::game::state::frame::chunk_messages::{
    ChunkEdited, ChunkLit, ChunkLoaded, ChunkUnloaded, MaterialsAdded, SurfacesChanged,
};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::overlay_kind::OverlayToDraw;
use crate::game::state::player::Player;
use crate::game::state::screens::Menu;
use crate::game::state::session::{Edits, OpenMap, SaveQueue};
use crate::game::state::settings::Settings;
use crate::views::OverlayKind;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use glam::DVec3;
use std::path::Path;
use std::sync::Arc;
use stonerun_engine::voxel::ChunkPos;

/// Gives an opened map its creatures.
pub(super) fn open(map: Res<OpenMap>, mut commands: Commands, mut notices: ResMut<Notices>) {
    let (kinds, problem) = kinds::read(Path::new(kinds::FILE), &map.materials);
    if let Some(problem) = problem {
        notices.warn(problem);
    }
    let kinds = match kinds {
        Ok(kinds) => kinds,
        Err(error) => return notices.warn(error.to_string()),
    };
    let (creatures, problem) =
        thread::creatures(map.creatures.as_deref(), kinds.clone(), map.header.seed);
    match thread::start(creatures, Arc::clone(&map.materials)) {
        Ok(thread) => {
            let mut life = CreatureLife::new(kinds, thread);
            if let Some(problem) = problem {
                notices.warn(format!(
                    "The creatures of the map cannot be read: {problem}. The map keeps them; others live here until \
                     you leave"
                ));
                life.keep_the_maps();
            }
            commands.insert_resource(life);
        }
        Err(error) => notices.warn(format!("Creatures: {error}")),
    }
}

/// Forgets the creatures of a map that is closed.
pub(super) fn close(
    mut commands: Commands,
    mut parts: ResMut<DrawnParts>,
    pool: Query<Entity, With<Part>>,
) {
    commands.remove_resource::<CreatureLife>();
    parts.0.clear();
    for part in pool.iter() {
        commands.entity(part).despawn();
    }
}

/// Messages about chunks that creatures read.
#[derive(SystemParam)]
pub struct CreatureMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
    lit: MessageReader<'w, 's, ChunkLit>,
    surfaces: MessageReader<'w, 's, SurfacesChanged>,
    materials: MessageReader<'w, 's, MaterialsAdded>,
}

/// Records changes in the chunks that creatures know, and of the surfaces of materials.
pub(super) fn notice(
    mut messages: CreatureMessages,
    map: Res<OpenMap>,
    mut life: ResMut<CreatureLife>,
) {
    let life = life.bypass_change_detection();
    if messages.surfaces.read().count() + messages.materials.read().count() > 0 {
        life.set_materials(Arc::clone(&map.materials));
    }
    let known = &mut life.known;
    for message in messages.loaded.read() {
        known.came_or_went(message.pos);
    }
    for message in messages.unloaded.read() {
        known.came_or_went(message.pos);
    }
    for message in messages.edited.read() {
        known.edited(message.pos, message.area);
    }
    for message in messages.lit.read() {
        if message.is_first {
            known.came_or_went(message.pos);
        } else {
            known.lit(message.pos);
        }
    }
}

/// Applies the results of finished ticks.
pub(super) fn take_in(
    mut life: ResMut<CreatureLife>,
    mut saves: ResMut<SaveQueue>,
    mut notices: ResMut<Notices>,
    mut answered: MessageWriter<CreatureAnswer>,
) {
    let (answers, encoded) = life.bypass_change_detection().take_in();
    for answer in answers {
        notices.info(&answer);
        answered.write(CreatureAnswer(answer));
    }
    if let Some(creatures) = encoded {
        saves.set_creatures(creatures.bytes, creatures.is_edit);
    }
}

/// Begins the ticks that are due. While a menu is open, no tick passes, but the creatures are
/// encoded, because the player may leave the map from the menu and it is saved then.
pub(super) fn begin(
    time: Res<Time<Real>>,
    settings: Res<Settings>,
    map: Res<OpenMap>,
    edits: Res<Edits>,
    lights: Res<ChunkLights>,
    player: Res<Player>,
    menu: Res<Menu>,
    to_draw: OverlayToDraw,
    mut life: ResMut<CreatureLife>,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Creatures, || {
        let life = life.bypass_change_detection();
        let is_in_view = *menu == Menu::None;
        let due = if is_in_view {
            life.pass(time.delta(), settings.creatures)
        } else {
            life.may_encode().then_some(0)
        };
        let Some(ticks) = due else { return };
        let feet = player.body().voxel();
        let pointed_at = || life.pointed_at(player.walker.eyes(), player.direction(), f64::MAX);
        let reach_from =
            (to_draw.kind() == Some(OverlayKind::Reach)).then(|| pointed_at().unwrap_or(feet));
        let news = life.known.take_news(ChunkPos::containing(feet), edits.world(), &lights);
        life.begin(TickInput {
            news,
            daylight: daylight(map.header.time_of_day),
            minutes: (map.header.time_of_day * 1440.0) as u32 % 1440,
            player: feet,
            materials: None,
            commands: Vec::new(),
            reach_from,
            shows_ways: to_draw.kind() == Some(OverlayKind::Paths),
            encodes: !is_in_view,
            ticks,
        });
    });
}

/// Light of the open sky at a time of day, 0 to 15.
fn daylight(time: f64) -> u8 {
    let height = sun_direction(time).y;
    // The same formula as in `sky.wgsl`.
    let part = ((height + 0.14) / 0.38).clamp(0.0, 1.0);
    (part * part * (3.0 - 2.0 * part) * 15.0).round() as u8
}

/// Makes the boxes of the creatures near the player. A creature whose ground has no mesh yet is
/// left out, because it would seem to float.
pub(super) fn pose(
    life: Res<CreatureLife>,
    settings: Res<Settings>,
    meshes: Res<ChunkMeshes>,
    mut parts: ResMut<DrawnParts>,
) {
    parts.0.clear();
    if !settings.creatures {
        return;
    }
    let part_of_tick = life.part_of_tick();
    for live in &life.poses {
        if !has_drawn_ground(live.pose.position, &meshes) {
            continue;
        }
        if let Some(kind) = life.kinds().get(usize::from(live.pose.kind)) {
            bodies::add(live, kind, part_of_tick, &mut parts.0);
        }
    }
}

/// True if the chunks of a creature's feet and of the ground below them have meshes.
fn has_drawn_ground(feet: DVec3, meshes: &ChunkMeshes) -> bool {
    [feet, feet - DVec3::Y].into_iter().all(|at| {
        let pos = ChunkPos::containing(at.floor().as_ivec3());
        meshes.of_chunk(pos).is_some()
    })
}
