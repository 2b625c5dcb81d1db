//! Meshes: made in the background from snapshots, or at once for chunks that the player edits.
//!
//! A chunk is meshed when all its 26 neighbours are loaded and lit, so faces, shades and light at
//! its border are correct at once. It is meshed again when its light changes. A voxel edit remeshes
//! the one to eight affected chunks before the same frame is drawn. A large edit remeshes the
//! nearest chunks at once, for a few milliseconds, and the others in the background. Meshes have
//! versions: a background mesh that an edit has overtaken is dropped.

mod times;

pub use times::MeshTimes;

use crate::game::chunk_drawing::ChunkScene;
use crate::game::common::chunk_messages::{ChunkEdited, ChunkLit, ChunkUnloaded};
use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::lighting::{ChunkLights, LightNeighbourhood};
use crate::game::player::Player;
use crate::game::session::{Edits, OpenMap, WorkCounters};
use crate::light::{LightBricks, LightTraits};
use crate::mesh::{ChunkMesh, FaceMaterials, build};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::voxel::{Box3, ChunkPos};
use crate::world::{ChunkNeighbourhood, World};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Chunks that are always meshed in the frame of an edit: all that one voxel can change.
const EDITED_AT_ONCE: usize = 8;
/// Time after which the other edited chunks are meshed in the background.
const EDIT_TIME: Duration = Duration::from_millis(3);
/// Chunks that are meshed again at once when there is room for them.
const RESTORED_AT_ONCE: usize = 64;
/// Longest time a frame spends handing finished meshes to the renderer.
const INTAKE: Duration = Duration::from_micros(2500);
/// Longest time a frame spends queueing chunks whose light has changed.
const QUEUEING: Duration = Duration::from_micros(1000);
/// Distance of the player from the render origin at which the origin moves, in voxels.
const REBASE_DISTANCE: i32 = 1024;

/// Size of a chunk's mesh on the graphics card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MeshSize {
    /// Number of quads.
    pub quads: usize,
    /// Their bytes on the graphics card.
    pub bytes: usize,
}

/// The drawn mesh of one chunk.
#[derive(Default)]
struct DrawnChunk {
    /// Version of the newest mesh that was begun; 0 before the first.
    version: u32,
    /// Size of the mesh that is shown; `None` before the first.
    size: Option<MeshSize>,
}

/// A mesh made in the background.
struct FinishedMesh {
    pos: ChunkPos,
    version: u32,
    mesh: ChunkMesh,
    light: LightBricks,
    time: Duration,
}

/// The state of meshing.
#[derive(Resource)]
pub struct ChunkMeshes {
    sender: mpsc::Sender<FinishedMesh>,
    receiver: Mutex<mpsc::Receiver<FinishedMesh>>,
    drawn: FxHashMap<ChunkPos, DrawnChunk>,
    /// Chunks to be meshed in the background.
    queue: FxHashSet<ChunkPos>,
    in_flight: usize,
    /// Chunks whose light is not known yet.
    unlit: usize,
    /// Chunks with new light, whose neighbours are not queued yet.
    lit: VecDeque<ChunkPos>,
    /// The last version assigned, over all chunks: a chunk that is loaded again never gets a stale
    /// mesh with its own version.
    version: u32,
    /// Chunks that were dropped for lack of graphics memory.
    dropped: FxHashSet<ChunkPos>,
    /// Where the player was when dropped chunks were last compared with drawn ones.
    compared_at: Option<ChunkPos>,
    /// Size of all meshes on the graphics card.
    pub total: MeshSize,
    /// Times of all meshes made.
    pub times: MeshTimes,
}

impl Default for ChunkMeshes {
    fn default() -> ChunkMeshes {
        let (sender, receiver) = mpsc::channel();
        ChunkMeshes {
            sender,
            receiver: Mutex::new(receiver),
            drawn: FxHashMap::default(),
            queue: FxHashSet::default(),
            in_flight: 0,
            unlit: 0,
            lit: VecDeque::new(),
            version: 0,
            dropped: FxHashSet::default(),
            compared_at: None,
            total: MeshSize::default(),
            times: MeshTimes::default(),
        }
    }
}

impl ChunkMeshes {
    /// Number of chunks that wait for their light or their mesh.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.in_flight + self.unlit + self.lit.len()
    }

    /// Begins a new version of the chunk's mesh: results of earlier ones are stale from now on.
    fn begin_version(&mut self, pos: ChunkPos) -> u32 {
        self.version = self.version.wrapping_add(1).max(1);
        self.drawn.entry(pos).or_default().version = self.version;
        self.version
    }

    /// Size of the chunk's mesh on the graphics card; `None` before its first mesh.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<MeshSize> {
        self.drawn.get(&pos)?.size
    }

    /// Version of the newest mesh of a chunk that was begun; 0 before the first.
    #[must_use]
    pub fn version_of(&self, pos: ChunkPos) -> u32 {
        self.drawn.get(&pos).map_or(0, |drawn| drawn.version)
    }

    /// The chunks that are drawn: those with quads.
    pub fn drawn(&self) -> impl Iterator<Item = ChunkPos> + '_ {
        let has_quads = |drawn: &DrawnChunk| drawn.size.is_some_and(|size| size.quads > 0);
        self.drawn.iter().filter(move |(_, drawn)| has_quads(drawn)).map(|(&pos, _)| pos)
    }

    /// Draws a chunk with another mesh.
    fn show(&mut self, scene: &mut ChunkScene, pos: ChunkPos, mesh: ChunkMesh, light: LightBricks) {
        let drawn = self.drawn.entry(pos).or_default();
        let size = MeshSize { quads: mesh.quad_count(), bytes: mesh.gpu_bytes() + light.gpu_bytes() };
        let before = drawn.size.replace(size);
        self.total.subtract(before.unwrap_or_default());
        self.total.add(size);
        self.dropped.remove(&pos);
        // Another mesh of a chunk: it was edited, or a neighbour was loaded again.
        scene.show(pos, mesh, light, before.is_some());
    }

    /// Records the chunks that were dropped for lack of graphics memory. When the player enters
    /// another chunk, queues those that are nearer than drawn ones; or some if there is room again.
    fn restore_dropped(&mut self, scene: &mut ChunkScene, centre: ChunkPos) {
        for pos in scene.take_dropped() {
            if let Some(drawn) = self.drawn.get_mut(&pos) {
                self.total.subtract(drawn.size.take().unwrap_or_default());
                self.dropped.insert(pos);
            }
        }
        if self.dropped.is_empty() {
            return;
        }
        let distance = |pos: ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).as_vec3().length();
        let mut restored: Vec<ChunkPos> = self.dropped.iter().copied().collect();
        if scene.has_room() && self.waiting() == 0 {
            restored.sort_unstable_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            restored.truncate(RESTORED_AT_ONCE);
        } else if self.compared_at.replace(centre) != Some(centre) {
            // A margin, so that chunks at the limit do not replace each other for ever.
            let farthest = self.drawn().map(distance).fold(0.0, f32::max) - 1.0;
            restored.retain(|&pos| distance(pos) < farthest);
        } else {
            return;
        }
        for pos in restored {
            self.dropped.remove(&pos);
            self.queue.insert(pos);
        }
    }

    /// Removes the mesh of an unloaded chunk.
    fn remove(&mut self, scene: &mut ChunkScene, pos: ChunkPos) {
        self.queue.remove(&pos);
        self.dropped.remove(&pos);
        if let Some(drawn) = self.drawn.remove(&pos) {
            self.total.subtract(drawn.size.unwrap_or_default());
            scene.remove(pos);
        }
    }
}

impl MeshSize {
    fn add(&mut self, other: MeshSize) {
        self.quads += other.quads;
        self.bytes += other.bytes;
    }

    fn subtract(&mut self, other: MeshSize) {
        self.quads -= other.quads;
        self.bytes -= other.bytes;
    }
}

/// Messages about chunks that meshing reads.
#[derive(SystemParam)]
pub struct MeshMessages<'w, 's> {
    lit: MessageReader<'w, 's, ChunkLit>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
}

/// Meshes edited chunks at once, takes in finished meshes, and starts those that are due.
pub fn mesh(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    lights: Res<ChunkLights>,
    mut messages: MeshMessages,
    mut meshes: ResMut<ChunkMeshes>,
    mut work: ResMut<WorkCounters>,
    mut timings: ResMut<FrameTimings>,
    mut scene: ResMut<ChunkScene>,
) {
    let (meshes, world) = (&mut *meshes, edits.world());
    let sources = MeshSources { map: &map, world, lights: &lights };
    meshes.unlit = lights.waiting();
    timings.time(FrameStage::Mesh, || {
        let start = Instant::now();
        messages.unloaded.read().for_each(|message| meshes.remove(&mut scene, message.pos));
        for (i, pos) in seen_edits(&mut messages.edited, player.chunk()).into_iter().enumerate() {
            let Some(snapshot) = sources.snapshot(pos) else { continue };
            if i >= EDITED_AT_ONCE && start.elapsed() > EDIT_TIME {
                meshes.queue.insert(pos);
                continue;
            }
            meshes.begin_version(pos);
            meshes.queue.remove(&pos);
            let begun = Instant::now();
            let (mesh, light) = snapshot.mesh();
            meshes.times.add(begun.elapsed());
            work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
            meshes.show(&mut scene, pos, mesh, light);
        }
        take_in(meshes, &mut work, &mut scene);
        scene.centre = player.chunk();
        meshes.restore_dropped(&mut scene, player.chunk());
        meshes.lit.extend(messages.lit.read().map(|message| message.pos));
        queue_lit(&sources, meshes);
        start_tasks(&sources, meshes, player.chunk());
    });
}

/// The chunks whose meshes depend on edited voxels, those within one voxel of them, nearest to
/// `centre` first.
fn seen_edits(edited: &mut MessageReader<ChunkEdited>, centre: ChunkPos) -> Vec<ChunkPos> {
    let near = |area: Box3| Box3 { min: area.min - 1, max: area.max + 1 };
    let chunks: FxHashSet<ChunkPos> = edited.read().flat_map(|message| near(message.area).chunks()).collect();
    let mut chunks: Vec<ChunkPos> = chunks.into_iter().collect();
    chunks.sort_unstable_by_key(|pos| (pos.as_ivec3() - centre.as_ivec3()).length_squared());
    chunks
}

/// What meshes are made of.
struct MeshSources<'a> {
    map: &'a OpenMap,
    world: &'a World,
    lights: &'a ChunkLights,
}

/// What the mesh of one chunk is made of, at one moment.
struct MeshSnapshot {
    chunks: ChunkNeighbourhood,
    lights: LightNeighbourhood,
    face_materials: Arc<FaceMaterials>,
    light_traits: Arc<LightTraits>,
}

impl MeshSources<'_> {
    /// True if a chunk and its neighbours are loaded and lit.
    fn is_complete(&self, pos: ChunkPos) -> bool {
        pos.moore_neighbourhood().all(|pos| self.world.is_loaded(pos) && self.lights.is_lit(pos))
    }

    /// The chunk and its neighbours, if all 27 are loaded and lit.
    fn snapshot(&self, pos: ChunkPos) -> Option<MeshSnapshot> {
        let (chunks, lights) = (self.world.neighbourhood(pos), self.lights.neighbourhood(pos)?);
        chunks.chunks.iter().all(Option::is_some).then(|| MeshSnapshot {
            chunks,
            lights,
            face_materials: Arc::clone(&self.map.face_materials),
            light_traits: Arc::clone(&self.lights.traits),
        })
    }
}

impl MeshSnapshot {
    fn mesh(&self) -> (ChunkMesh, LightBricks) {
        let chunks = self.chunks.borrowed();
        let mesh = build(&chunks, &self.face_materials);
        let light = match mesh.is_empty() {
            true => LightBricks::default(),
            false => LightBricks::new(&chunks, &self.lights.each_ref().map(Some), &self.light_traits),
        };
        (mesh, light)
    }
}

fn take_in(meshes: &mut ChunkMeshes, work: &mut WorkCounters, scene: &mut ChunkScene) {
    let start = Instant::now();
    while start.elapsed() < INTAKE {
        let Some(finished) = meshes.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) else { break };
        let FinishedMesh { pos, version, mesh, light, time } = finished;
        meshes.in_flight -= 1;
        meshes.times.add(time);
        work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
        // Otherwise the chunk was unloaded or edited since.
        if meshes.drawn.get(&pos).is_some_and(|drawn| drawn.version == version) {
            meshes.show(scene, pos, mesh, light);
        }
    }
}

/// Queues the chunks whose neighbourhood a lit chunk completes or changes, for a short time.
fn queue_lit(sources: &MeshSources, meshes: &mut ChunkMeshes) {
    let start = Instant::now();
    while start.elapsed() < QUEUEING {
        let Some(pos) = meshes.lit.pop_front() else { break };
        for near in pos.moore_neighbourhood() {
            if !meshes.queue.contains(&near) && sources.is_complete(near) {
                meshes.queue.insert(near);
            }
        }
    }
}

/// Starts background tasks for queued chunks, the nearest first.
fn start_tasks(sources: &MeshSources, meshes: &mut ChunkMeshes, centre: ChunkPos) {
    let pool = AsyncComputeTaskPool::get();
    let room = (pool.thread_num() * 8 + 8).saturating_sub(meshes.in_flight);
    if room == 0 || meshes.queue.is_empty() {
        return;
    }
    let distance = |pos: &ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).length_squared();
    let mut next: Vec<ChunkPos> = meshes.queue.iter().copied().collect();
    if next.len() > room {
        next.select_nth_unstable_by_key(room, distance);
        next.truncate(room);
    }
    next.sort_by_key(distance);
    for pos in next {
        meshes.queue.remove(&pos);
        let Some(snapshot) = sources.snapshot(pos) else { continue };
        meshes.in_flight += 1;
        let (version, sender) = (meshes.begin_version(pos), meshes.sender.clone());
        pool.spawn(async move {
            let start = Instant::now();
            let (mesh, light) = snapshot.mesh();
            // Fails only if the map was closed meanwhile; then the mesh is not wanted.
            let _ = sender.send(FinishedMesh { pos, version, mesh, light, time: start.elapsed() });
        })
        .detach();
    }
}

/// Keeps the render origin near the player: moves it when the player has gone far.
pub fn rebase(player: Res<Player>, mut origin: ResMut<RenderOrigin>) {
    let here = player.chunk().origin();
    if (here - origin.0).abs().max_element() >= REBASE_DISTANCE {
        origin.0 = here;
    }
}
