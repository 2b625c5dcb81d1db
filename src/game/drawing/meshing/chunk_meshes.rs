//! The state of meshing: the drawn chunks, and the chunks to mesh again.

use super::MeshTimes;
use super::mesh_job::{FinishedMesh, Remake};
use super::mesh_queue::MeshQueue;
use crate::game::drawing::chunk_drawing::{ChunkScene, DrawnMesh};
use crate::game::state::frame::background_workers::BackgroundWorkers;
use crate::game::state::frame::chunk_messages::ChunkLit;
use bevy::prelude::Resource;
use rustc_hash::{FxHashMap, FxHashSet};
use std::collections::VecDeque;
use std::sync::{Arc, Mutex, mpsc};
use stonerun_engine::light::LightBricks;
use stonerun_engine::voxel::ChunkPos;

/// Maximum number of dropped chunks that are meshed together when there is room for them again.
const RESTORED_AT_ONCE: usize = 64;

/// Size of a chunk's mesh on the graphics card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct MeshSize {
    /// Number of quads.
    pub quads: usize,
    /// Bytes of the quads, dark bricks and light bricks on the graphics card.
    pub bytes: usize,
    /// The part of smooth ground.
    pub surface: SurfaceSize,
}

/// Size of a surface of smooth ground on the graphics card.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct SurfaceSize {
    /// Number of vertices.
    pub vertices: usize,
    /// Number of triangles.
    pub triangles: usize,
    /// Bytes of vertices and quads.
    pub bytes: usize,
}

/// Number of chunks that need a mesh or light bricks, by what they wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WaitingMeshes {
    /// Chunks that wait for a background job.
    pub queued: usize,
    /// Chunks with a job in the background.
    pub in_work: usize,
    /// Chunks that wait for a frame to hand them to the renderer.
    pub ready: usize,
}

/// The drawn mesh of one chunk.
#[derive(Default)]
struct DrawnChunk {
    /// Version of the newest result whose computation was begun; 0 before the first.
    version: u32,
    /// Size of the mesh that is shown; `None` before the first.
    size: Option<MeshSize>,
    /// Value of `ChunkMeshes::revision` when the chunk got the shown mesh.
    shown_in: u64,
    /// Bytes of the chunk's light bricks.
    light_bytes: usize,
    /// True from when a mesh is begun until it is shown.
    awaits_mesh: bool,
}

/// The state of meshing.
#[derive(Resource)]
pub struct ChunkMeshes {
    pub(super) sender: mpsc::Sender<FinishedMesh>,
    pub(super) receiver: Mutex<mpsc::Receiver<FinishedMesh>>,
    drawn: FxHashMap<ChunkPos, DrawnChunk>,
    /// Chunks to rebuild in the background, and the parts to rebuild.
    pub(super) queue: FxHashMap<ChunkPos, Remake>,
    /// Jobs for the background workers.
    pub(super) jobs: Arc<MeshQueue>,
    pub(super) workers: BackgroundWorkers,
    /// Number of jobs whose results are not handled yet.
    pub(super) in_flight: usize,
    /// Number of chunks whose light is not known yet.
    pub(super) unlit: usize,
    /// Chunks with new light, whose neighbours are not queued yet.
    pub(super) lit: VecDeque<ChunkLit>,
    /// The last version assigned, over all chunks. It is not counted per chunk, so that a late
    /// result never has the version of a chunk that was unloaded and loaded again.
    version: u32,
    /// Grows when a chunk gets or loses a mesh.
    revision: u64,
    /// Chunks whose mesh could not be made. Each was reported to the player.
    failed: FxHashSet<ChunkPos>,
    /// Chunks that were dropped for lack of graphics memory.
    dropped: FxHashSet<ChunkPos>,
    /// Chunk of the player when dropped chunks were last compared with drawn ones.
    compared_at: Option<ChunkPos>,
    /// Size of all chunk meshes on the graphics card.
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
            queue: FxHashMap::default(),
            jobs: Arc::default(),
            workers: BackgroundWorkers::default(),
            in_flight: 0,
            unlit: 0,
            lit: VecDeque::new(),
            version: 0,
            revision: 0,
            failed: FxHashSet::default(),
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

    /// Number of lit chunks by what they wait for.
    #[must_use]
    pub fn counts(&self) -> WaitingMeshes {
        let in_work = self.jobs.len() + self.workers.running().min(self.in_flight);
        let in_work = in_work.min(self.in_flight);
        WaitingMeshes {
            queued: self.queue.len() + self.lit.len(),
            in_work,
            ready: self.in_flight - in_work,
        }
    }

    /// Queues a chunk to be rebuilt. A queued chunk keeps the larger of the two rebuilds.
    pub(super) fn enqueue(&mut self, pos: ChunkPos, remake: Remake) {
        let queued = self.queue.entry(pos).or_insert(remake);
        *queued = remake.max(*queued);
    }

    /// Queues all chunks to be meshed again, also those whose mesh is under way.
    pub(super) fn remake_all(&mut self) {
        let all: Vec<ChunkPos> = self.drawn.keys().copied().collect();
        for pos in all {
            self.enqueue(pos, Remake::Mesh);
        }
    }

    /// The queued chunks nearest to `centre`, at most `max_count`, sorted by distance. Leaves out
    /// chunks whose mesh is under way: a chunk that changes faster than it is meshed would
    /// otherwise never show a finished mesh.
    pub(super) fn nearest_due(&self, max_count: usize, centre: ChunkPos) -> Vec<ChunkPos> {
        let distance = |pos: &ChunkPos| (pos.as_ivec3() - centre.as_ivec3()).length_squared();
        let mut due: Vec<ChunkPos> =
            self.queue.keys().copied().filter(|pos| !self.awaits_mesh(*pos)).collect();
        if due.len() > max_count {
            due.select_nth_unstable_by_key(max_count, distance);
            due.truncate(max_count);
        }
        due.sort_by_key(distance);
        due
    }

    /// Work that a chunk needs when `remake` is due; `None` if there is nothing to do.
    pub(super) fn needed(&self, pos: ChunkPos, remake: Remake) -> Option<Remake> {
        let drawn = self.drawn.get(&pos);
        match (remake, drawn.and_then(|drawn| drawn.size)) {
            (Remake::Mesh, _) | (Remake::Light, None) => Some(Remake::Mesh),
            // The mesh under way was begun with the old light.
            (Remake::Light, Some(_)) if self.awaits_mesh(pos) => Some(Remake::Mesh),
            (Remake::Light, Some(size)) => (size.quads > 0).then_some(Remake::Light),
        }
    }

    /// True from when a mesh of the chunk is begun until it is shown.
    pub(super) fn awaits_mesh(&self, pos: ChunkPos) -> bool {
        self.drawn.get(&pos).is_some_and(|drawn| drawn.awaits_mesh)
    }

    /// Begins a new version of the chunk: results of earlier ones are stale from now on.
    pub(super) fn begin_version(&mut self, pos: ChunkPos, remake: Remake) -> u32 {
        self.version = self.version.wrapping_add(1).max(1);
        let drawn = self.drawn.entry(pos).or_default();
        drawn.version = self.version;
        drawn.awaits_mesh |= remake == Remake::Mesh;
        self.version
    }

    /// Size of the chunk's mesh on the graphics card; `None` before its first mesh.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<MeshSize> {
        self.drawn.get(&pos)?.size
    }

    /// True if a chunk has no mesh yet, but may get one: its mesh has not failed, and it was not
    /// dropped for lack of memory.
    #[must_use]
    pub fn may_come(&self, pos: ChunkPos) -> bool {
        self.of_chunk(pos).is_none() && !self.failed.contains(&pos) && !self.dropped.contains(&pos)
    }

    /// Version of the newest result for a chunk that was begun; 0 before the first.
    #[must_use]
    pub fn version_of(&self, pos: ChunkPos) -> u32 {
        self.drawn.get(&pos).map_or(0, |drawn| drawn.version)
    }

    /// Revision of the meshes. Increases when a chunk gets or loses a mesh, but not for new light.
    #[must_use]
    pub fn revision(&self) -> u64 {
        self.revision
    }

    /// Revision in which the chunk got the mesh that is shown; `None` without one.
    #[must_use]
    pub fn shown_in(&self, pos: ChunkPos) -> Option<u64> {
        let drawn = self.drawn.get(&pos)?;
        drawn.size.map(|_| drawn.shown_in)
    }

    /// The chunks that have a mesh, which may be empty.
    pub fn meshed(&self) -> impl Iterator<Item = ChunkPos> + '_ {
        self.drawn.iter().filter(|(_, drawn)| drawn.size.is_some()).map(|(&pos, _)| pos)
    }

    /// The chunks that are drawn: those with quads.
    pub fn drawn(&self) -> impl Iterator<Item = ChunkPos> + '_ {
        let has_quads = |drawn: &DrawnChunk| drawn.size.is_some_and(|size| size.quads > 0);
        self.drawn.iter().filter(move |(_, drawn)| has_quads(drawn)).map(|(&pos, _)| pos)
    }

    /// Draws a chunk with a new mesh and its light.
    pub(super) fn show(
        &mut self,
        scene: &mut ChunkScene,
        pos: ChunkPos,
        prepared: DrawnMesh,
        light: LightBricks,
    ) {
        self.revision += 1;
        let drawn = self.drawn.entry(pos).or_default();
        drawn.light_bytes = light.gpu_bytes();
        drawn.awaits_mesh = false;
        drawn.shown_in = self.revision;
        let size = MeshSize {
            quads: prepared.quad_count(),
            bytes: prepared.gpu_bytes() + light.gpu_bytes(),
            surface: SurfaceSize {
                vertices: prepared.surface.vertex_count(),
                triangles: prepared.surface.triangles,
                bytes: prepared.surface.gpu_bytes(),
            },
        };
        let before = drawn.size.replace(size);
        self.total.subtract(before.unwrap_or_default());
        self.total.add(size);
        self.dropped.remove(&pos);
        self.failed.remove(&pos);
        // A chunk that already had a mesh was edited, or a neighbour was loaded again. Either way
        // the new mesh is similar.
        scene.show(pos, prepared, light, before.is_some());
    }

    /// Records that the mesh under way cannot be made. The chunk keeps its present mesh until it
    /// changes. Returns false if the chunk had failed before, so that it is reported once.
    pub(super) fn give_up(&mut self, pos: ChunkPos) -> bool {
        if let Some(drawn) = self.drawn.get_mut(&pos) {
            drawn.awaits_mesh = false;
        }
        self.failed.insert(pos)
    }

    /// Gives a chunk an empty mesh, without a scene.
    #[cfg(test)]
    pub fn show_empty(&mut self, pos: ChunkPos) {
        self.revision += 1;
        let drawn = self.drawn.entry(pos).or_default();
        drawn.size = Some(MeshSize::default());
        drawn.shown_in = self.revision;
    }

    /// Removes a chunk's mesh, without a scene.
    #[cfg(test)]
    pub fn take_away(&mut self, pos: ChunkPos) {
        self.revision += 1;
        self.drawn.remove(&pos);
    }

    /// Draws a chunk with other light. Does nothing for chunks that are not drawn.
    pub(super) fn relight(&mut self, scene: &mut ChunkScene, pos: ChunkPos, light: LightBricks) {
        let Some(drawn) = self.drawn.get_mut(&pos) else { return };
        let Some(size) = &mut drawn.size else { return };
        let before = std::mem::replace(&mut drawn.light_bytes, light.gpu_bytes());
        let bytes = light.gpu_bytes();
        size.bytes = size.bytes - before + bytes;
        self.total.bytes = self.total.bytes - before + bytes;
        scene.relight(pos, light);
    }

    /// Queues the meshes of chunks that have no room for their new light on the graphics card.
    pub(super) fn remake_outgrown(&mut self, scene: &mut ChunkScene) {
        for pos in scene.take_outgrown() {
            if self.drawn.contains_key(&pos) {
                self.enqueue(pos, Remake::Mesh);
            }
        }
    }

    /// Records the chunks that were dropped for lack of graphics memory, and queues some of them
    /// again: a few of the nearest if there is room, otherwise those nearer than a drawn chunk,
    /// once for each chunk that the player enters.
    pub(super) fn restore_dropped(&mut self, scene: &mut ChunkScene, centre: ChunkPos) {
        for pos in scene.take_dropped() {
            if let Some(drawn) = self.drawn.get_mut(&pos) {
                self.total.subtract(drawn.size.take().unwrap_or_default());
                self.revision += 1;
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
            // The margin of one chunk keeps chunks at equal distance from replacing each other for
            // ever.
            let farthest = self.drawn().map(distance).fold(0.0, f32::max) - 1.0;
            restored.retain(|&pos| distance(pos) < farthest);
        } else {
            return;
        }
        for pos in restored {
            self.dropped.remove(&pos);
            self.enqueue(pos, Remake::Mesh);
        }
    }

    /// Removes the mesh of an unloaded chunk.
    pub(super) fn remove(&mut self, scene: &mut ChunkScene, pos: ChunkPos) {
        self.queue.remove(&pos);
        self.dropped.remove(&pos);
        self.failed.remove(&pos);
        if let Some(drawn) = self.drawn.remove(&pos) {
            self.total.subtract(drawn.size.unwrap_or_default());
            self.revision += 1;
            scene.remove(pos);
        }
    }
}

impl MeshSize {
    fn add(&mut self, other: MeshSize) {
        self.quads += other.quads;
        self.bytes += other.bytes;
        self.surface.vertices += other.surface.vertices;
        self.surface.triangles += other.surface.triangles;
        self.surface.bytes += other.surface.bytes;
    }

    fn subtract(&mut self, other: MeshSize) {
        self.quads -= other.quads;
        self.bytes -= other.bytes;
        self.surface.vertices -= other.surface.vertices;
        self.surface.triangles -= other.surface.triangles;
        self.surface.bytes -= other.surface.bytes;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use glam::Vec3;
    use stonerun_engine::mesh::{ChunkMesh, PackedQuad};

    fn mesh(quads: usize) -> DrawnMesh {
        let mesh = ChunkMesh { opaque: vec![PackedQuad(0); quads], ..ChunkMesh::default() };
        DrawnMesh::new(mesh, Vec3::ZERO)
    }

    #[test]
    fn chunks_whose_mesh_is_under_way_are_also_meshed_again() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let [shown, begun] = [0, 1].map(|x| ChunkPos::new(x, 0, 0));
        meshes.show(&mut scene, shown, mesh(3), LightBricks::Sunlit);
        meshes.begin_version(begun, Remake::Mesh);
        meshes.remake_all();
        assert_eq!(meshes.nearest_due(9, shown), [shown], "the other mesh is under way");
        meshes.show(&mut scene, begun, mesh(3), LightBricks::Sunlit);
        assert_eq!(meshes.nearest_due(9, shown), [shown, begun]);
    }

    #[test]
    fn new_light_needs_a_mesh_while_none_is_shown_or_one_is_under_way() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let pos = ChunkPos::default();
        assert_eq!(meshes.needed(pos, Remake::Light), Some(Remake::Mesh));
        meshes.begin_version(pos, Remake::Mesh);
        assert_eq!(meshes.needed(pos, Remake::Light), Some(Remake::Mesh));
        meshes.show(&mut scene, pos, mesh(3), LightBricks::Sunlit);
        assert_eq!(meshes.needed(pos, Remake::Light), Some(Remake::Light));
        assert_eq!(meshes.needed(pos, Remake::Mesh), Some(Remake::Mesh));
        meshes.begin_version(pos, Remake::Light);
        assert_eq!(meshes.needed(pos, Remake::Light), Some(Remake::Light));
        meshes.begin_version(pos, Remake::Mesh);
        meshes.begin_version(pos, Remake::Light);
        assert_eq!(meshes.needed(pos, Remake::Light), Some(Remake::Mesh));
        meshes.show(&mut scene, pos, mesh(0), LightBricks::Sunlit);
        assert_eq!(meshes.needed(pos, Remake::Light), None);
    }

    #[test]
    fn bytes_follow_the_light() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let pos = ChunkPos::default();
        let other = ChunkPos::new(1, 0, 0);
        meshes.show(&mut scene, pos, mesh(3), LightBricks::Mixed(vec![0; 100]));
        meshes.show(&mut scene, other, mesh(1), LightBricks::Dark);
        let size = |quads, bytes| MeshSize { quads, bytes, surface: SurfaceSize::default() };
        assert_eq!(meshes.total, size(4, 4 * 8 + 400));
        meshes.relight(&mut scene, pos, LightBricks::Mixed(vec![0; 30]));
        assert_eq!(
            (meshes.total.bytes, meshes.of_chunk(pos).map(|size| size.bytes)),
            (4 * 8 + 120, Some(3 * 8 + 120))
        );
        meshes.relight(&mut scene, ChunkPos::new(9, 9, 9), LightBricks::Mixed(vec![0; 30]));
        meshes.relight(&mut scene, pos, LightBricks::Sunlit);
        meshes.remove(&mut scene, pos);
        assert_eq!(meshes.total, size(1, 8));
    }

    #[test]
    fn the_nearest_chunks_without_a_mesh_under_way_are_due() {
        let mut meshes = ChunkMeshes::default();
        let at = |x| ChunkPos::new(x, 0, 0);
        for x in 0..6 {
            meshes.enqueue(at(x), Remake::Mesh);
        }
        meshes.begin_version(at(4), Remake::Mesh);
        meshes.begin_version(at(3), Remake::Light);
        assert_eq!(meshes.nearest_due(3, at(5)), [at(5), at(3), at(2)]);
        assert_eq!(meshes.nearest_due(9, at(5)), [at(5), at(3), at(2), at(1), at(0)]);
        meshes.show(&mut ChunkScene::default(), at(4), mesh(1), LightBricks::Sunlit);
        assert_eq!(meshes.nearest_due(2, at(5)), [at(5), at(4)]);
    }

    #[test]
    fn revision_grows_with_each_mesh_and_not_with_light() {
        let mut meshes = ChunkMeshes::default();
        let mut scene = ChunkScene::default();
        let pos = ChunkPos::default();
        meshes.begin_version(pos, Remake::Mesh);
        assert_eq!(
            (meshes.revision(), meshes.shown_in(pos), meshes.meshed().count()),
            (0, None, 0)
        );
        meshes.show(&mut scene, pos, mesh(0), LightBricks::Sunlit);
        meshes.relight(&mut scene, pos, LightBricks::Dark);
        assert_eq!(
            (meshes.revision(), meshes.shown_in(pos), meshes.meshed().count()),
            (1, Some(1), 1)
        );
        meshes.show(&mut scene, pos, mesh(3), LightBricks::Sunlit);
        assert_eq!(meshes.shown_in(pos), Some(2));
        meshes.remove(&mut scene, pos);
        assert_eq!(
            (meshes.revision(), meshes.shown_in(pos), meshes.meshed().count()),
            (3, None, 0)
        );
    }

    #[test]
    fn queue_keeps_the_larger_task() {
        let mut meshes = ChunkMeshes::default();
        for remake in [Remake::Light, Remake::Mesh, Remake::Light] {
            meshes.enqueue(ChunkPos::default(), remake);
        }
        assert_eq!(meshes.queue.get(&ChunkPos::default()), Some(&Remake::Mesh));
    }
}
