//! Meshes: made in the background from snapshots, or at once for chunks that the player edits.
//!
//! A chunk is meshed when all its 26 neighbours are loaded and lit, so faces, shades and light at
//! its border are correct from the start. When its light changes, only its light bricks are
//! rebuilt. A voxel edit remeshes the one to eight affected chunks before the same frame is drawn.
//! A larger edit, or a change by rules, remeshes the nearest chunks in that frame, for a few
//! milliseconds, and the others in the background. Results have versions: if the chunk was edited
//! after a job began, the job's result is dropped.
//!
//! Background workers take the nearest job from a queue (`mesh_queue`) themselves. The number of
//! jobs under way, and of results that a frame accepts, grows with the length of frames.

mod chunk_meshes;
mod mesh_job;
mod mesh_queue;
mod snapshot;
mod times;

pub use chunk_meshes::{ChunkMeshes, MeshSize, SurfaceSize, WaitingMeshes};
pub use times::MeshTimes;

use crate::game::drawing::chunk_drawing::{ChunkScene, DrawnMesh};
use crate::game::drawing::lighting::ChunkLights;
use crate::game::state::frame::background_workers::BackgroundWorkers;
use crate::game::state::frame::chunk_messages::{
    ChunkEdited, ChunkLit, ChunkUnloaded, SurfacesChanged,
};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::frame::render_origin::RenderOrigin;
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap, WorkCounters};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use mesh_job::{FinishedMesh, MeshJob, Remake};
use rustc_hash::FxHashSet;
use snapshot::MeshSources;
use std::sync::Arc;
use std::time::{Duration, Instant};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::voxel::{Box3, ChunkPos, neighbour_offsets};

/// Maximum number of edited chunks that are always meshed in the frame of the player's edit: as
/// many as a change of one voxel can affect.
const MAX_EDITED_AT_ONCE: usize = 8;
/// Time limit for meshing further edited chunks in the frame of the edit, less if the frame is
/// full. The rest are meshed in the background.
const EDIT_TIME: Duration = Duration::from_millis(3);
/// Deadline in a short frame, from the start of meshing, for handing finished meshes to the
/// renderer.
const MIN_DEADLINE: Duration = Duration::from_micros(3500);
/// Deadline in a longer frame, as a share of its length.
const DEADLINE_SHARE: f64 = 0.1;
/// Minimum time for handing finished meshes to the renderer, even after the deadline.
const MIN_INTAKE: Duration = Duration::from_micros(500);
/// Number of quads after which a frame of up to 1/60 s hands over no more meshes: the renderer
/// copies each of them. Longer frames hand over more in proportion.
const INTAKE_QUADS: usize = 60_000;
/// Time that a short frame may spend queueing chunks whose light has changed.
const MIN_QUEUEING: Duration = Duration::from_micros(1000);
/// Share of a longer frame for queueing chunks whose light has changed.
const QUEUEING_SHARE: f64 = 0.05;
/// Maximum number of jobs under way for each background thread, in the shortest frames.
const JOBS_PER_THREAD: usize = 12;
/// Further jobs per thread for each millisecond of a frame: about as many as a thread finishes in
/// it.
const JOBS_PER_MS: f64 = 4.0;
/// Distance of the player from the render origin at which the origin moves, in voxels.
const REBASE_DISTANCE: i32 = 1024;

/// Messages about chunks that meshing reads.
#[derive(SystemParam)]
pub struct MeshMessages<'w, 's> {
    lit: MessageReader<'w, 's, ChunkLit>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
    surfaces: MessageReader<'w, 's, SurfacesChanged>,
}

/// Meshes edited chunks at once, shows finished meshes, and starts jobs that are due.
pub fn mesh(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    lights: Res<ChunkLights>,
    mut messages: MeshMessages,
    mut meshes: ResMut<ChunkMeshes>,
    mut work: ResMut<WorkCounters>,
    mut timings: ResMut<FrameTimings>,
    mut notices: ResMut<Notices>,
    mut scene: ResMut<ChunkScene>,
) {
    let meshes = &mut *meshes;
    let scene = &mut *scene;
    let centre = player.chunk();
    let sources = MeshSources {
        map: &map,
        world: edits.world(),
        lights: &lights,
        eyes: player.walker.eyes(),
    };
    meshes.unlit = lights.waiting();
    let budgets = MeshBudgets::new(&timings);
    timings.time(FrameStage::Mesh, || {
        let start = Instant::now();
        for message in messages.unloaded.read() {
            meshes.remove(scene, message.pos);
        }
        if messages.surfaces.read().count() > 0 {
            meshes.remake_all();
        }
        // A vertex of a surface depends on the surfaces of all cells next to its own.
        let reach = if map.face_materials.contour().any_ground() { 2 } else { 1 };
        let edited = seen_edits(&mut messages.edited, centre, reach);
        mesh_edited(&sources, meshes, scene, &edited, start + budgets.edits, &mut work);
        let is_at_once = |lit: &ChunkLit| lit.at_once && !lit.is_first;
        let (at_once, later): (Vec<ChunkLit>, Vec<ChunkLit>) =
            messages.lit.read().copied().partition(is_at_once);
        relight_edited(
            &sources,
            meshes,
            scene,
            &at_once,
            &edited.chunks,
            centre,
            start + budgets.edits,
        );
        meshes.lit.extend(later);
        let end = (start + budgets.deadline).max(Instant::now() + MIN_INTAKE);
        show_finished(meshes, &mut work, scene, &mut notices, end, budgets.quads);
        scene.centre = centre;
        meshes.remake_outgrown(scene);
        meshes.restore_dropped(scene, centre);
        queue_lit(&sources, meshes, budgets.queueing);
        start_jobs(&sources, meshes, centre, budgets.jobs);
    });
}

/// Limits of a frame's meshing. Except for edits, they grow with the length of the last frame.
struct MeshBudgets {
    /// Maximum time for meshing edited chunks at once.
    edits: Duration,
    /// Time from the start of meshing until which meshes are handed over.
    deadline: Duration,
    /// Maximum number of quads that are handed over.
    quads: usize,
    /// Maximum time for queueing chunks with new light.
    queueing: Duration,
    /// Maximum number of jobs under way.
    jobs: usize,
}

impl MeshBudgets {
    fn new(timings: &FrameTimings) -> MeshBudgets {
        let frame = timings.last_frame();
        let threads = BackgroundWorkers::max_useful();
        let per_thread = JOBS_PER_THREAD + (frame.as_secs_f64() * 1000.0 * JOBS_PER_MS) as usize;
        MeshBudgets {
            edits: EDIT_TIME.min(timings.left()),
            deadline: timings.budget(MIN_DEADLINE, DEADLINE_SHARE),
            quads: (INTAKE_QUADS as f64 * (frame.as_secs_f64() * 60.0).max(1.0)) as usize,
            queueing: timings.budget(MIN_QUEUEING, QUEUEING_SHARE),
            jobs: threads * per_thread,
        }
    }
}

/// The chunks whose meshes depend on edited voxels: all chunks within `reach` voxels of the edits.
struct SeenEdits {
    /// The chunks to mesh at once, then the others; each part sorted by distance from the player.
    chunks: Vec<ChunkPos>,
    /// Number of chunks to mesh at once.
    at_once: usize,
}

fn seen_edits(edited: &mut MessageReader<ChunkEdited>, centre: ChunkPos, reach: i32) -> SeenEdits {
    let near = |area: Box3| Box3 { min: area.min - reach, max: area.max + reach };
    let mut asked = FxHashSet::default();
    let mut others = FxHashSet::default();
    for message in edited.read() {
        let seen = if message.is_asked { &mut asked } else { &mut others };
        seen.extend(near(message.area).chunks());
    }
    if asked.len() > MAX_EDITED_AT_ONCE {
        others.extend(asked.drain());
    }
    others.retain(|pos| !asked.contains(pos));
    let at_once = asked.len();
    let mut chunks = nearest_first(asked, centre);
    chunks.append(&mut nearest_first(others, centre));
    SeenEdits { chunks, at_once }
}

fn nearest_first(chunks: impl IntoIterator<Item = ChunkPos>, centre: ChunkPos) -> Vec<ChunkPos> {
    let mut chunks: Vec<ChunkPos> = chunks.into_iter().collect();
    chunks.sort_unstable_by_key(|pos| (pos.as_ivec3() - centre.as_ivec3()).length_squared());
    chunks
}

/// Meshes edited chunks at once: the first `at_once` always, the others until `end`.
fn mesh_edited(
    sources: &MeshSources,
    meshes: &mut ChunkMeshes,
    scene: &mut ChunkScene,
    edited: &SeenEdits,
    end: Instant,
    work: &mut WorkCounters,
) {
    for (i, &pos) in edited.chunks.iter().enumerate() {
        if i >= edited.at_once && Instant::now() > end {
            if sources.is_complete(pos) {
                meshes.enqueue(pos, Remake::Mesh);
            }
            continue;
        }
        let Some(snapshot) = sources.snapshot(pos) else { continue };
        meshes.begin_version(pos, Remake::Mesh);
        meshes.queue.remove(&pos);
        let begun = Instant::now();
        let (mesh, light) = snapshot.mesh();
        meshes.times.add(begun.elapsed());
        work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.mesh.runs));
        meshes.show(scene, pos, mesh, light);
    }
}

/// Updates the light bricks around edits until `end`. Leaves out the chunks in `edited`, which were
/// meshed with the new light.
fn relight_edited(
    sources: &MeshSources,
    meshes: &mut ChunkMeshes,
    scene: &mut ChunkScene,
    lit: &[ChunkLit],
    edited: &[ChunkPos],
    centre: ChunkPos,
    end: Instant,
) {
    let changed: FxHashSet<ChunkPos> = lit.iter().flat_map(readers).collect();
    for pos in nearest_first(changed.into_iter().filter(|pos| !edited.contains(pos)), centre) {
        match meshes.needed(pos, Remake::Light) {
            Some(Remake::Light) if Instant::now() <= end => {
                let Some(snapshot) = sources.snapshot(pos) else { continue };
                meshes.begin_version(pos, Remake::Light);
                meshes.relight(scene, pos, snapshot.light());
            }
            // Chunks that are meshed for the first time, or are being meshed, wait for the
            // background.
            Some(_) if sources.is_complete(pos) => meshes.enqueue(pos, Remake::Light),
            _ => {}
        }
    }
}

/// The chunks that read the changed light of a chunk: the chunk itself, and neighbours at changed
/// sides.
fn readers(lit: &ChunkLit) -> impl Iterator<Item = ChunkPos> + use<> {
    let ChunkLit { pos, sides, .. } = *lit;
    neighbour_offsets()
        .filter(move |&offset| sides.touches(offset))
        .map(move |offset| pos.offset(offset))
}

/// Hands finished meshes to the renderer until `end`, or until `max_quads` are handed over.
fn show_finished(
    meshes: &mut ChunkMeshes,
    work: &mut WorkCounters,
    scene: &mut ChunkScene,
    notices: &mut Notices,
    end: Instant,
    max_quads: usize,
) {
    let mut quads = 0;
    while quads < max_quads && Instant::now() < end {
        let Some(finished) =
            meshes.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok())
        else {
            break;
        };
        let FinishedMesh { pos, version, mesh, light, time, failure } = finished;
        meshes.in_flight -= 1;
        if let Some(failure) = failure {
            if meshes.version_of(pos) == version && meshes.give_up(pos) {
                notices.warn(format!(
                    "chunk {pos} cannot be drawn: {failure}; it stays as it is until it changes"
                ));
            }
            continue;
        }
        if let Some(mesh) = &mesh {
            meshes.times.add(time);
            work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.mesh.runs));
        }
        // A result with another version is stale: the chunk was unloaded or edited since.
        if meshes.version_of(pos) == version {
            quads += mesh.as_ref().map_or(0, DrawnMesh::drawn_quads);
            match mesh {
                Some(mesh) => meshes.show(scene, pos, mesh, light),
                None => meshes.relight(scene, pos, light),
            }
        }
    }
}

/// Queues the chunks around lit chunks whose neighbourhood is complete, until `time` is spent.
fn queue_lit(sources: &MeshSources, meshes: &mut ChunkMeshes, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        let Some(lit) = meshes.lit.pop_front() else { break };
        // Neighbours of a newly loaded chunk may have meshes made for an earlier chunk at its
        // position.
        let remake = if lit.is_first { Remake::Mesh } else { Remake::Light };
        for near in readers(&lit) {
            if meshes.queue.get(&near).is_none_or(|&queued| queued < remake)
                && sources.is_complete(near)
            {
                meshes.enqueue(near, remake);
            }
        }
    }
}

/// Starts background jobs for queued chunks, the nearest first, until `max_jobs` are under way.
fn start_jobs(sources: &MeshSources, meshes: &mut ChunkMeshes, centre: ChunkPos, max_jobs: usize) {
    let room = max_jobs.saturating_sub(meshes.in_flight);
    let mut jobs = Vec::new();
    if room > 0 && !meshes.queue.is_empty() {
        for pos in meshes.nearest_due(room, centre) {
            let Some(remake) =
                meshes.queue.remove(&pos).and_then(|remake| meshes.needed(pos, remake))
            else {
                continue;
            };
            let Some(snapshot) = sources.snapshot(pos) else { continue };
            jobs.push(MeshJob {
                pos,
                version: meshes.begin_version(pos, remake),
                remake,
                snapshot,
            });
        }
    }
    meshes.in_flight += jobs.len();
    meshes.jobs.add(jobs, centre);
    let queue = Arc::clone(&meshes.jobs);
    let sender = meshes.sender.clone();
    let workers = meshes.jobs.len().min(BackgroundWorkers::max_useful());
    meshes.workers.start(workers, move || queue.work(&sender));
}

/// Keeps the render origin near the player: moves it when the player has gone far.
pub fn rebase(player: Res<Player>, mut origin: ResMut<RenderOrigin>) {
    let here = player.chunk().origin();
    if (here - origin.0).abs().max_element() >= REBASE_DISTANCE {
        origin.0 = here;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::state::frame::caught::caught;
    use bevy::tasks::{AsyncComputeTaskPool, TaskPool};
    use stonerun_engine::light::{DifferentSides, LightBricks};
    use stonerun_engine::mesh::{ChunkMesh, PackedQuad};

    #[test]
    fn light_at_a_side_is_read_by_the_chunks_beyond_it() {
        let lit = |sides| ChunkLit {
            pos: ChunkPos::new(3, -1, 0),
            sides,
            is_first: false,
            at_once: true,
        };
        let inside = DifferentSides::default();
        assert_eq!(readers(&lit(inside)).collect::<Vec<_>>(), [ChunkPos::new(3, -1, 0)]);
        assert_eq!(readers(&lit(DifferentSides::ALL)).count(), 27);
    }

    #[test]
    fn meshes_are_handed_over_until_a_frame_has_enough_quads() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let send = |meshes: &mut ChunkMeshes, x: i32, version| {
            let mesh =
                ChunkMesh { opaque: vec![PackedQuad(0); INTAKE_QUADS / 2], ..ChunkMesh::default() };
            let mesh = Some(DrawnMesh::new(mesh, Vec3::ZERO));
            let pos = ChunkPos::new(x, 0, 0);
            let light = LightBricks::Sunlit;
            meshes.in_flight += 1;
            let _ = meshes.sender.send(FinishedMesh {
                pos,
                version,
                mesh,
                light,
                time: Duration::ZERO,
                failure: None,
            });
        };
        // One stale result, and four that count.
        send(&mut meshes, 9, 1);
        for x in 0..4 {
            let version = meshes.begin_version(ChunkPos::new(x, 0, 0), Remake::Mesh);
            send(&mut meshes, x, version);
        }
        let mut frame = || {
            let end = Instant::now() + Duration::from_secs(60);
            show_finished(
                &mut meshes,
                &mut WorkCounters::default(),
                &mut scene,
                &mut Notices::default(),
                end,
                INTAKE_QUADS,
            );
            (meshes.drawn().count(), meshes.in_flight)
        };
        assert_eq!((frame(), frame(), frame()), ((2, 2), (4, 0), (4, 0)));
    }

    #[test]
    fn chunk_whose_mesh_fails_waits_no_longer_and_is_reported_once() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let mut notices = Notices::default();
        let pos = ChunkPos::new(3, 0, -1);
        for _ in 0..2 {
            let version = meshes.begin_version(pos, Remake::Mesh);
            meshes.in_flight += 1;
            let failure = caught(|| -> u8 { panic!("too many quads") }).unwrap_err();
            let _ = meshes.sender.send(FinishedMesh::failed(pos, version, failure));
            let end = Instant::now() + Duration::from_secs(60);
            show_finished(
                &mut meshes,
                &mut WorkCounters::default(),
                &mut scene,
                &mut notices,
                end,
                INTAKE_QUADS,
            );
            assert_eq!(
                (meshes.in_flight, meshes.awaits_mesh(pos), meshes.waiting()),
                (0, false, 0)
            );
        }
        let [notice] = &notices.list[..] else { panic!("{:?}", notices.list) };
        assert!(notice.text.starts_with("chunk (3, 0, -1) cannot be drawn: "), "{}", notice.text);
    }

    #[test]
    fn budgets_follow_the_length_of_frames() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let after = |ms: f64| {
            let mut timings = FrameTimings::default();
            timings.frames_ms.push_back(ms);
            MeshBudgets::new(&timings)
        };
        let [short, long] = [after(10.0), after(500.0)];
        assert_eq!(
            (short.deadline, short.queueing, short.quads),
            (MIN_DEADLINE, MIN_QUEUEING, INTAKE_QUADS)
        );
        assert_eq!((long.deadline, long.quads), (Duration::from_millis(50), 30 * INTAKE_QUADS));
        let threads = BackgroundWorkers::max_useful();
        assert_eq!([short.jobs, long.jobs], [52, 2012].map(|jobs| threads * jobs));
    }
}
