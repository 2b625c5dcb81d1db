//! Keeps the visible set up to date, and hides the chunks outside it.
//!
//! [`PvsCache`] keeps the sets. It is updated with every loaded, edited or unloaded chunk before
//! that frame is drawn, so that no set is ever too small.

use crate::game::drawing::chunk_drawing::ChunkScene;
use crate::game::drawing::culling::refine;
use crate::game::drawing::culling::state::{Culling, CullingMode, ShownSet};
use crate::game::drawing::meshing::ChunkMeshes;
use crate::game::map::streaming::ChunkStream;
use crate::game::state::cutaway::Cutaway;
use crate::game::state::frame::chunk_messages::{
    ChunkEdited, ChunkLoaded, ChunkRecordLost, ChunkUnloaded,
};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::picture_target::PictureTarget;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap};
use crate::game::state::settings::Settings;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use stonerun_engine::visibility::{ChunkOcclusion, PvsCache, SetSource, graph_walk};
use stonerun_engine::voxel::{Box3, ChunkPos};

/// Drops the state of the closed map.
pub fn reset(mut culling: ResMut<Culling>) {
    *culling = Culling { mode: culling.mode, ..Culling::default() };
}

/// Messages about chunks that culling reads.
#[derive(SystemParam)]
pub struct CullingMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
    record_lost: MessageReader<'w, 's, ChunkRecordLost>,
}

/// Resources that visible sets depend on.
#[derive(SystemParam)]
pub struct VisibleWorld<'w> {
    map: Res<'w, OpenMap>,
    edits: Res<'w, Edits>,
    player: Res<'w, Player>,
    settings: Res<'w, Settings>,
    stream: Res<'w, ChunkStream>,
    meshes: Res<'w, ChunkMeshes>,
    picture: Option<Res<'w, PictureTarget>>,
    cutaway: Res<'w, Cutaway>,
}

impl VisibleWorld<'_> {
    /// Occlusion of a loaded chunk.
    fn occlusion(&self, pos: ChunkPos) -> Option<ChunkOcclusion> {
        ChunkOcclusion::from_world(self.edits.world(), pos, &self.map.occluders)
    }

    /// The chunks whose occlusion depends on the voxels in `area`: with smooth ground also those
    /// within a voxel of it.
    fn affected_by(&self, area: Box3) -> impl Iterator<Item = ChunkPos> + use<> {
        let margin = i32::from(self.map.occluders.any_ground());
        Box3 { min: area.min - margin, max: area.max + margin }.chunks()
    }

    /// The loaded chunks whose occlusion depends on the chunk at `pos`, without itself: in maps
    /// with smooth ground those next to it.
    fn dependents(&self, pos: ChunkPos) -> impl Iterator<Item = ChunkPos> {
        let near = self.map.occluders.any_ground().then(|| pos.moore_neighbourhood());
        near.into_iter().flatten().filter(move |near| *near != pos && self.is_loaded(*near))
    }

    /// True if the chunk and its 26 neighbours are loaded.
    fn is_complete(&self, pos: ChunkPos) -> bool {
        pos.moore_neighbourhood().all(|near| self.is_loaded(near))
    }

    fn is_loaded(&self, pos: ChunkPos) -> bool {
        self.edits.world().is_loaded(pos)
    }
}

/// Brings the sets up to date with the world and the player.
pub fn update_visibility(
    world: VisibleWorld,
    mut messages: CullingMessages,
    mut culling: ResMut<Culling>,
    mut timings: ResMut<FrameTimings>,
) {
    let culling = &mut *culling;
    let eye = world.player.body().eyes().floor().as_ivec3();
    let analysis = ANALYSIS.min(timings.left());
    timings.time(FrameStage::Visibility, || {
        apply_chunk_events(&world, &mut messages, culling, ChunkPos::containing(eye), analysis);
        let settled = world.stream.waiting == 0
            && world.meshes.waiting() == 0
            && culling.unanalysed.is_empty();
        refine_sets(culling, &world, settled);
        select_visible_set(culling, eye, settled);
        // Eyes away from the player's body, or holes that are not in the world, invalidate the
        // visible set of the player's cell.
        let detached = world.player.drone.is_some() || world.cutaway.choice.is_some();
        if std::mem::replace(&mut culling.detached, detached) != detached {
            culling.filtered = None;
        }
    });
}

/// Updates the [`PvsCache`] with the chunks that were loaded, edited and unloaded.
fn apply_chunk_events(
    world: &VisibleWorld,
    messages: &mut CullingMessages,
    culling: &mut Culling,
    centre: ChunkPos,
    analysis: Duration,
) {
    let mut edited: FxHashSet<ChunkPos> =
        messages.edited.read().flat_map(|message| world.affected_by(message.area)).collect();
    let lost: Vec<ChunkPos> = messages.record_lost.read().map(|message| message.pos).collect();
    if !edited.is_empty() || !lost.is_empty() {
        Arc::make_mut(&mut culling.changed).extend(edited.iter().chain(&lost));
    }
    let is_known = Arc::ptr_eq(&culling.occluders, &world.map.occluders)
        || culling.occluders.agree_with(&world.map.occluders);
    culling.occluders = Arc::clone(&world.map.occluders);
    if !is_known && culling.pvs.is_some() {
        // A material hides more or less than before.
        culling.ignores_baked = true;
        edited.extend(world.edits.world().chunks().map(|(pos, _)| pos));
    }
    let loaded = messages.loaded.read();
    let unloaded = messages.unloaded.read();
    if let Some(pvs) = culling.pvs.as_mut() {
        for message in unloaded.filter(|message| !world.is_loaded(message.pos)) {
            pvs.set_chunk(message.pos, None);
            // Their ground may end here now.
            pvs.open_chunks(world.dependents(message.pos));
        }
        for message in loaded.filter(|message| world.is_loaded(message.pos)) {
            // Without the chunks around, only cubes hide.
            let occlusion = message.occlusion.clone().or_else(|| world.occlusion(message.pos));
            pvs.set_chunk(message.pos, occlusion);
            if world.map.occluders.any_ground() {
                let near = message.pos.moore_neighbourhood();
                culling.unanalysed.add(near.filter(|near| world.is_complete(*near)));
            }
        }
        culling.unanalysed.analyse(pvs, &edited, centre, analysis, |pos| world.occlusion(pos));
        for pos in lost {
            pvs.invalidate_baked(pos);
        }
        pvs.move_to(centre, |pos| world.occlusion(pos));
    }
    let view = world.map.view_distance(&world.settings);
    if culling.pvs.as_ref().is_none_or(|pvs| pvs.view() != view) {
        rebuild(world, culling, centre, view);
    }
}

/// Maximum time per frame for analysing edited chunks. It is less in a full frame.
const ANALYSIS: Duration = Duration::from_millis(2);

/// Rebuilds the sets for another view distance. Known occlusion of loaded chunks is reused.
fn rebuild(world: &VisibleWorld, culling: &mut Culling, centre: ChunkPos, view: i32) {
    let before = culling.pvs.take();
    let known = before.as_ref().map(PvsCache::occlusion);
    let occlusion = |pos| match known.and_then(|known| Some((known, known.index().slot(pos)?))) {
        Some((known, slot)) if world.edits.world().is_loaded(pos) => {
            Some(known.chunk(slot).clone())
        }
        Some(_) => None,
        None => world.occlusion(pos),
    };
    let pvs = PvsCache::new(centre, view, occlusion);
    culling.pvs = Some(match &before {
        Some(before) => pvs.replacing(before),
        None => pvs,
    });
    culling.looked_up = None;
    // Results of running refinements belong to the previous sets.
    let (sender, receiver) = mpsc::channel();
    culling.sender = sender;
    culling.receiver = Mutex::new(receiver);
}

/// Applies a finished refinement and starts the next one. Until all chunks in view are loaded, only
/// looks up the baked set of the player's cell. For a picture, refines only the player's cell.
fn refine_sets(culling: &mut Culling, world: &VisibleWorld, settled: bool) {
    let Some(pvs) = culling.pvs.as_mut() else { return };
    if let Some(done) = culling.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) {
        pvs.finish_job(done);
    }
    let here = pvs.current_cell();
    let due = match pvs.current_set().map(|set| set.source) {
        // Sets of cells in chunks that are not loaded cannot be looked up: a cell is part of a
        // room, and rooms are known only for loaded chunks.
        Some(SetSource::Swept) if !settled => {
            culling.looked_up != here
                && here.is_some_and(|cell| world.edits.world().is_loaded(cell.chunk))
        }
        Some(SetSource::Swept | SetSource::Baked) => settled,
        Some(SetSource::Refined) | None => settled && world.picture.is_none(),
    };
    if !due {
        return;
    }
    if let Some(job) = pvs.next_job() {
        culling.looked_up = here;
        let sender = culling.sender.clone();
        // Baked sets name cells by the occluders of a chunk alone.
        let reader = (!culling.ignores_baked && !world.map.occluders.any_ground())
            .then(|| world.map.reader.clone());
        let changed = Arc::clone(&culling.changed);
        // Sending fails only if the sets were rebuilt or the map was closed meanwhile.
        let task = async move {
            drop(sender.send(refine::run_job(job, reader.as_ref(), &changed, settled)));
        };
        AsyncComputeTaskPool::get().spawn(task).detach();
    }
}

/// Minimum time between two sweeps that only shrink a set. Without a limit, every frame would sweep
/// while chunks stream in.
const TIDY: Duration = Duration::from_millis(250);

/// Selects the set of the cell that holds the eyes.
fn select_visible_set(culling: &mut Culling, eye: IVec3, settled: bool) {
    let Some(pvs) = culling.pvs.as_mut() else { return };
    let tidy = settled || culling.tidied.elapsed() >= TIDY;
    if tidy {
        culling.tidied = Instant::now();
    }
    let cell_id = pvs.select(eye, tidy);
    let now = (culling.mode, pvs.revision());
    if culling.frozen && culling.shown_version.is_some() || culling.shown_version == Some(now) {
        return;
    }
    culling.shown_version = Some(now);
    culling.centre = ChunkPos::containing(eye);
    culling.view = pvs.view();
    let set = cell_id.zip(pvs.current_set());
    culling.shown = set.map(|(cell_id, set)| {
        let index = pvs.index();
        let view = pvs.view();
        let chunks = if culling.mode == CullingMode::GraphWalk {
            graph_walk(pvs.occlusion(), cell_id.chunk, &cell_id.cell, view)
        } else {
            set.chunks.to_vec()
        };
        ShownSet { index, chunks, cell_id, view, source: set.source }
    });
}

/// Passes the visible set to `ChunkScene` when it has changed.
pub(super) fn filter_drawn(mut culling: ResMut<Culling>, mut scene: ResMut<ChunkScene>) {
    if culling.filtered != culling.shown_version {
        culling.filtered = culling.shown_version;
        scene.set_filter(culling.filter());
    }
}
