//! Meshes: made in the background from snapshots, or at once for chunks that the player edits.
//!
//! A chunk is meshed when all its 26 neighbours are loaded, so faces and shades at its border are
//! correct at once. A voxel edit remeshes the one to eight affected chunks before the same frame is
//! drawn. A large edit remeshes the nearest chunks at once and the others in the background. Meshes
//! have versions: a background mesh that an edit has overtaken is dropped.

use crate::game::common::chunk_messages::{ChunkEdited, ChunkLoaded, ChunkUnloaded};
use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::player::Player;
use crate::game::render::chunk_material::{ATTRIBUTE_PACKED, ChunkMaterials};
use crate::game::session::{Edits, OpenMap, WorkCounters};
use crate::mesh::{ChunkMesh, ShadedQuad, build};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::voxel::{Box3, CHUNK_SIDE, ChunkPos};
use crate::world::{ChunkNeighbourhood, World};
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::ecs::system::SystemParam;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Most chunks that are meshed in the frame of an edit.
const EDITED_AT_ONCE: usize = 64;
/// Longest time a frame spends handing finished meshes to the renderer.
const INTAKE: Duration = Duration::from_micros(2500);
/// Distance of the player from the render origin at which the origin moves, in voxels.
const REBASE_DISTANCE: i32 = 1024;

/// An entity that draws part of a chunk.
#[derive(Component)]
pub struct ChunkPart {
    /// The chunk.
    pub pos: ChunkPos,
    /// Number of quads in the part.
    pub quads: u32,
}

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
    parts: Vec<Entity>,
    size: MeshSize,
}

/// A mesh made in the background.
struct FinishedMesh {
    pos: ChunkPos,
    version: u32,
    mesh: ChunkMesh,
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
    /// The last version assigned, over all chunks: a chunk that is loaded again never gets a stale
    /// mesh with its own version.
    version: u32,
    /// Size of all meshes on the graphics card.
    pub total: MeshSize,
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
            version: 0,
            total: MeshSize::default(),
        }
    }
}

impl ChunkMeshes {
    /// Number of chunks that wait for their mesh.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.in_flight
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
        self.drawn.get(&pos).filter(|drawn| drawn.version > 0).map(|drawn| drawn.size)
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

/// Everything needed to put a mesh on the screen.
#[derive(SystemParam)]
pub struct MeshCanvas<'w, 's> {
    commands: Commands<'w, 's>,
    assets: ResMut<'w, Assets<Mesh>>,
    materials: Res<'w, ChunkMaterials>,
    origin: Res<'w, RenderOrigin>,
}

impl MeshCanvas<'_, '_> {
    /// Replaces the chunk's drawn mesh with `mesh`.
    fn show(&mut self, meshes: &mut ChunkMeshes, pos: ChunkPos, mesh: &ChunkMesh) {
        let drawn = meshes.drawn.entry(pos).or_default();
        drawn.parts.drain(..).for_each(|part| self.commands.entity(part).despawn());
        meshes.total.subtract(drawn.size);
        drawn.size = MeshSize { quads: mesh.quad_count(), bytes: mesh.gpu_bytes() };
        meshes.total.add(drawn.size);
        let at = (pos.origin() - self.origin.0).as_vec3();
        for (list, material) in mesh.lists().into_iter().zip(self.materials.all()) {
            if list.is_empty() {
                continue;
            }
            let quads = mesh.split_by_shade(list);
            let part = self.commands.spawn((
                Mesh3d(self.assets.add(gpu_mesh(&quads))),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(at),
                // The vertices are packed: Bevy cannot measure their positions.
                Aabb::from_min_max(Vec3::ZERO, Vec3::splat(CHUNK_SIDE as f32)),
                ChunkPart { pos, quads: quads.len() as u32 },
            ));
            drawn.parts.push(part.id());
        }
    }
}

fn gpu_mesh(quads: &[ShadedQuad]) -> Mesh {
    let corners = |(i, quad): (usize, &ShadedQuad)| quad.triangles().map(|corner| 4 * i as u32 + u32::from(corner));
    let indices = quads.iter().enumerate().flat_map(corners).collect();
    let vertices = quads.iter().flat_map(packed_vertices).collect();
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD);
    mesh.insert_attribute(ATTRIBUTE_PACKED, VertexAttributeValues::Uint32x2(vertices));
    mesh.insert_indices(Indices::U32(indices));
    mesh
}

/// The vertices of a quad as `chunk.wgsl` reads them.
fn packed_vertices(shaded: &ShadedQuad) -> [[u32; 2]; 4] {
    let (quad, corners) = (shaded.quad, shaded.quad.vertices());
    [0u8, 1, 2, 3].map(|corner| {
        let vertex = corners[usize::from(corner)];
        let word = u32::from(vertex.x)
            | u32::from(vertex.z) << 6
            | u32::from(vertex.y) << 12
            | u32::from(quad.face) << 22
            | u32::from(shaded.ao_at(corner)) << 25
            | u32::from(corner) << 27;
        [word, u32::from(quad.material) | u32::from(quad.liquid) << 16]
    })
}

/// Messages about chunks that meshing reads.
#[derive(SystemParam)]
pub struct MeshMessages<'w, 's> {
    loaded: MessageReader<'w, 's, ChunkLoaded>,
    unloaded: MessageReader<'w, 's, ChunkUnloaded>,
    edited: MessageReader<'w, 's, ChunkEdited>,
}

/// Meshes edited chunks at once, takes in finished meshes, and starts those that are due.
pub fn mesh(
    map: Res<OpenMap>,
    edits: Res<Edits>,
    player: Res<Player>,
    mut messages: MeshMessages,
    mut meshes: ResMut<ChunkMeshes>,
    mut work: ResMut<WorkCounters>,
    mut timings: ResMut<FrameTimings>,
    mut canvas: MeshCanvas,
) {
    let (meshes, world) = (&mut *meshes, edits.world());
    timings.time(FrameStage::Mesh, || {
        messages.unloaded.read().for_each(|message| remove(message.pos, meshes, &mut canvas));
        for (i, pos) in seen_edits(&mut messages.edited, player.chunk()).into_iter().enumerate() {
            let Some(neighbourhood) = complete(world, pos) else { continue };
            if i >= EDITED_AT_ONCE {
                meshes.queue.insert(pos);
                continue;
            }
            meshes.begin_version(pos);
            meshes.queue.remove(&pos);
            let mesh = build(&neighbourhood.borrowed(), &map.face_materials);
            work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
            canvas.show(meshes, pos, &mesh);
        }
        take_in(meshes, &mut work, &mut canvas);
        messages.loaded.read().for_each(|message| queue_loaded(message.pos, world, meshes));
        start_tasks(&map, world, meshes, player.chunk());
    });
}

/// Removes the mesh of an unloaded chunk.
fn remove(pos: ChunkPos, meshes: &mut ChunkMeshes, canvas: &mut MeshCanvas) {
    meshes.queue.remove(&pos);
    if let Some(drawn) = meshes.drawn.remove(&pos) {
        meshes.total.subtract(drawn.size);
        drawn.parts.into_iter().for_each(|part| canvas.commands.entity(part).despawn());
    }
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

/// The chunk and its neighbours, if all 27 are loaded.
fn complete(world: &World, pos: ChunkPos) -> Option<ChunkNeighbourhood> {
    let neighbourhood = world.neighbourhood(pos);
    neighbourhood.chunks.iter().all(Option::is_some).then_some(neighbourhood)
}

fn take_in(meshes: &mut ChunkMeshes, work: &mut WorkCounters, canvas: &mut MeshCanvas) {
    let start = Instant::now();
    while start.elapsed() < INTAKE {
        let Some(finished) = meshes.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) else { break };
        let FinishedMesh { pos, version, mesh } = finished;
        meshes.in_flight -= 1;
        work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
        // Otherwise the chunk was unloaded or edited since.
        if meshes.drawn.get(&pos).is_some_and(|drawn| drawn.version == version) {
            canvas.show(meshes, pos, &mesh);
        }
    }
}

/// Queues the chunks whose neighbourhood a loaded chunk completes.
fn queue_loaded(pos: ChunkPos, world: &World, meshes: &mut ChunkMeshes) {
    for near in pos.moore_neighbourhood() {
        if !world.is_loaded(near) || meshes.queue.contains(&near) {
            continue;
        }
        if near.moore_neighbourhood().all(|pos| world.is_loaded(pos)) {
            meshes.queue.insert(near);
        }
    }
}

/// Starts background tasks for queued chunks, the nearest first.
fn start_tasks(map: &OpenMap, world: &World, meshes: &mut ChunkMeshes, centre: ChunkPos) {
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
        let Some(neighbourhood) = complete(world, pos) else { continue };
        meshes.in_flight += 1;
        let (version, face_materials, sender) =
            (meshes.begin_version(pos), Arc::clone(&map.face_materials), meshes.sender.clone());
        pool.spawn(async move {
            let mesh = build(&neighbourhood.borrowed(), &face_materials);
            // Fails only if the map was closed meanwhile; then the mesh is not wanted.
            let _ = sender.send(FinishedMesh { pos, version, mesh });
        })
        .detach();
    }
}

/// Keeps the render origin near the player: moves it, and everything drawn, when the player has
/// gone far.
pub fn rebase(player: Res<Player>, mut origin: ResMut<RenderOrigin>, mut parts: Query<(&ChunkPart, &mut Transform)>) {
    let here = player.chunk().origin();
    if (here - origin.0).abs().max_element() < REBASE_DISTANCE {
        return;
    }
    origin.0 = here;
    for (part, mut transform) in &mut parts {
        transform.translation = (part.pos.origin() - here).as_vec3();
    }
}
