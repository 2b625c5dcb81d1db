//! Keeping the visible set up to date, and showing and hiding chunks.
//!
//! [`PvsCache`] keeps the sets. It learns of every chunk that comes, changes or goes before the frame in which that is drawn, so
//! that no set is ever too small.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::picture_target::PictureTarget;
use crate::game::common::settings::Settings;
use crate::game::culling::refine;
use crate::game::culling::state::{Culling, CullingMode, VisibleSet};
use crate::game::meshing::{ChunkMeshes, ChunkPart};
use crate::game::player::Player;
use crate::game::session::Session;
use crate::game::streaming::ChunkStream;
use crate::visibility::{ChunkOcclusion, PvsCache, SetSource, graph_walk};
use crate::voxel::ChunkPos;
use bevy::camera::visibility::NoFrustumCulling;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Forgets the map that was closed.
pub(super) fn reset(mut culling: ResMut<Culling>) {
    *culling = Culling { mode: culling.mode, ..Culling::default() };
}

/// Brings the sets up to date with the world and the player.
pub(super) fn update_visibility(
    mut session: ResMut<Session>,
    mut stream: ResMut<ChunkStream>,
    mut culling: ResMut<Culling>,
    mut timings: ResMut<FrameTimings>,
    state: (Res<Player>, Res<Settings>, Res<ChunkMeshes>, Option<Res<PictureTarget>>),
) {
    let (session, stream, culling) = (&mut *session, &mut *stream, &mut *culling);
    let (player, settings, meshes, picture) = state;
    let eye = player.body().eyes().floor().as_ivec3();
    timings.time(FrameStage::Visibility, || {
        apply_chunk_events(session, stream, culling, ChunkPos::containing(eye), settings.view_distance);
        let settled = stream.waiting == 0 && meshes.waiting() == 0;
        refine_sets(culling, session, settled, picture.is_some());
        select_visible_set(culling, eye, settled);
    });
}

/// Tells [`PvsCache`] which chunks came, changed and went.
fn apply_chunk_events(
    session: &mut Session,
    stream: &mut ChunkStream,
    culling: &mut Culling,
    centre: ChunkPos,
    view: i32,
) {
    let (heard, changed) = (std::mem::take(&mut stream.sighted), std::mem::take(&mut session.changed));
    let remade = std::mem::take(&mut stream.remade);
    if !changed.is_empty() || !remade.is_empty() {
        Arc::make_mut(&mut culling.changed).extend(changed.iter().chain(&remade));
    }
    let looks = session.looks.clone();
    let sight =
        |pos| session.world.chunk(pos).map(|chunk| ChunkOcclusion::from_chunk(chunk, |voxel| looks.hides(voxel)));
    if let Some(around) = culling.around.as_mut() {
        heard.into_iter().for_each(|(pos, sight)| around.set_chunk(pos, sight));
        changed.into_iter().for_each(|pos| around.set_chunk(pos, sight(pos)));
        remade.into_iter().for_each(|pos| around.invalidate_baked(pos));
        around.move_to(centre, sight);
    }
    if culling.around.as_ref().is_none_or(|around| around.view() != view) {
        // What is known already need not be looked at again.
        let before = culling.around.take();
        let known = before.as_ref().map(PvsCache::occlusion);
        let again = |pos| match known.and_then(|known| Some((known, known.index().slot(pos)?))) {
            Some((known, index)) if session.world.is_loaded(pos) => Some(known.chunk(index).clone()),
            Some(_) => None,
            None => sight(pos),
        };
        let around = PvsCache::new(centre, view, again);
        culling.around = Some(match &before {
            Some(before) => around.replacing(before),
            None => around,
        });
        culling.looked_up = None;
        // What is being refined belongs to the one before.
        let (sender, receiver) = mpsc::channel();
        (culling.sender, culling.receiver) = (sender, Mutex::new(receiver));
    }
}

/// Takes better sets in, and has the next one made: once all chunks in view are there it is refined; until then the map is
/// asked for that of the player's cell. For a picture only that one is made.
fn refine_sets(culling: &mut Culling, session: &Session, settled: bool, only_here: bool) {
    let Some(around) = culling.around.as_mut() else { return };
    if let Some(done) = culling.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) {
        around.finish_job(done);
    }
    let here = around.current_cell();
    let due = match around.current_set().map(|set| set.source) {
        // Rooms, and with them cells, are known of chunks that are there only.
        Some(SetSource::Swept) if !settled => {
            culling.looked_up != here && here.is_some_and(|place| session.world.is_loaded(place.chunk))
        }
        Some(SetSource::Swept | SetSource::Baked) => settled,
        Some(SetSource::Refined) | None => settled && !only_here,
    };
    if !due {
        return;
    }
    if let Some(job) = around.next_job() {
        culling.looked_up = here;
        let (sender, reader, changed) = (culling.sender.clone(), session.reader.clone(), Arc::clone(&culling.changed));
        // Fails only when nobody wants it any more.
        let task = async move { drop(sender.send(refine::run_job(job, &reader, &changed, settled))) };
        AsyncComputeTaskPool::get().spawn(task).detach();
    }
}

/// Shortest time between two sweeps that only make a set smaller: while chunks stream in it could be smaller every frame.
const TIDY: Duration = Duration::from_millis(250);

/// Looks what can be seen from a voxel.
fn select_visible_set(culling: &mut Culling, eye: IVec3, settled: bool) {
    let Some(around) = culling.around.as_mut() else { return };
    let tidy = settled || culling.tidied.elapsed() >= TIDY;
    if tidy {
        culling.tidied = Instant::now();
    }
    let place = around.select(eye, tidy);
    let now = (culling.mode, around.revision());
    if culling.frozen && culling.shown_version.is_some() || culling.shown_version == Some(now) {
        return;
    }
    culling.shown_version = Some(now);
    (culling.centre, culling.view) = (ChunkPos::containing(eye), around.view());
    let set = place.zip(around.current_set());
    culling.shown = set.map(|(cell_id, set)| {
        let (index, view) = (around.index(), around.view());
        let chunks = if culling.mode == CullingMode::GraphWalk {
            graph_walk(around.occlusion(), cell_id.chunk, &cell_id.cell, view)
        } else {
            set.chunks.to_vec()
        };
        VisibleSet { index, chunks, cell_id, view, source: set.source }
    });
}

/// Shows and hides what is to be drawn of the chunks.
pub(super) fn show_and_hide(
    culling: Res<Culling>,
    mut before: Local<Option<(CullingMode, u64, bool)>>,
    mut parts: Query<(Entity, Ref<ChunkPart>, &mut Visibility, Has<NoFrustumCulling>)>,
    mut commands: Commands,
) {
    let now = culling.shown_version.map(|(mode, revision)| (mode, revision, culling.frozen));
    let all = *before != now;
    *before = now;
    for (entity, part, mut visibility, unculled) in &mut parts {
        if !all && !part.is_added() {
            continue;
        }
        let wanted = if culling.draws(part.pos) { Visibility::Inherited } else { Visibility::Hidden };
        visibility.set_if_neq(wanted);
        match (culling.mode == CullingMode::Nothing, unculled) {
            (true, false) => drop(commands.entity(entity).insert(NoFrustumCulling)),
            (false, true) => drop(commands.entity(entity).remove::<NoFrustumCulling>()),
            _ => (),
        }
    }
}
