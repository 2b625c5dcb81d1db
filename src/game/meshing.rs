//! Meshes: made in the background from snapshots, or at once for chunks that the player edits.
//!
//! A chunk is meshed when all its 26 neighbours are loaded, so every face and every shade at its border is
//! right the first time. An edit remeshes the one to eight chunks that see the voxel, before the same frame is
//! drawn; of an edit of many chunks the nearest, and the others in the background. A background result that an edit
//! has overtaken is dropped: meshes are numbered.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::render_origin::RenderOrigin;
use crate::game::player::Player;
use crate::game::render::chunk_material::{ATTRIBUTE_PACKED, ChunkMaterials};
use crate::game::session::Session;
use crate::game::streaming::ChunkStream;
use crate::mesh::{ChunkMesh, FaceMaterials, Quad, build};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use crate::world::ChunkNeighbourhood;
use bevy::asset::RenderAssetUsages;
use bevy::camera::primitives::Aabb;
use bevy::mesh::{Indices, PrimitiveTopology, VertexAttributeValues};
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// The most chunks that are meshed in the frame of an edit.
const EDITED_AT_ONCE: usize = 64;
/// Longest time a frame spends handing finished meshes to the renderer.
const INTAKE: Duration = Duration::from_micros(2500);

/// How far the player may get from the origin before it moves, in voxels.
const REBASE: i32 = 1024;

/// Marks an entity that draws part of a chunk.
#[derive(Component)]
pub struct ChunkPart {
    /// Which chunk.
    pub pos: ChunkPos,
    /// Quads in it.
    pub quads: u32,
}

/// What is drawn of one chunk.
#[derive(Default)]
struct Drawn {
    version: u32,
    parts: Vec<Entity>,
    quads: usize,
    bytes: usize,
}

type Done = (ChunkPos, u32, ChunkMesh);

/// The state of meshing.
#[derive(Resource)]
pub struct ChunkMeshes {
    sender: mpsc::Sender<Done>,
    receiver: Mutex<mpsc::Receiver<Done>>,
    drawn: FxHashMap<ChunkPos, Drawn>,
    queue: FxHashSet<ChunkPos>,
    in_flight: usize,
    /// The last version that was given out, to any chunk: a chunk that comes back never meets a mesh of its earlier
    /// life under the same number.
    version: u32,
    /// Quads on the graphics card.
    pub quads: usize,
    /// Their bytes there.
    pub bytes: usize,
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
            quads: 0,
            bytes: 0,
        }
    }
}

impl ChunkMeshes {
    /// Chunks that wait for their mesh.
    #[must_use]
    pub fn waiting(&self) -> usize {
        self.queue.len() + self.in_flight
    }

    /// Begins a new version of the chunk's mesh: results of earlier ones are stale from now on.
    fn renew(&mut self, pos: ChunkPos) -> u32 {
        self.version = self.version.wrapping_add(1).max(1);
        self.drawn.entry(pos).or_default().version = self.version;
        self.version
    }

    /// Quads and bytes on the graphics card of one chunk; none if it was not meshed yet.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<(usize, usize)> {
        self.drawn.get(&pos).filter(|d| d.version > 0).map(|d| (d.quads, d.bytes))
    }
}

/// Everything needed to put a mesh on the screen.
#[derive(bevy::ecs::system::SystemParam)]
pub struct Canvas<'w, 's> {
    commands: Commands<'w, 's>,
    assets: ResMut<'w, Assets<Mesh>>,
    materials: Res<'w, ChunkMaterials>,
    origin: Res<'w, RenderOrigin>,
}

impl Canvas<'_, '_> {
    fn show(&mut self, meshes: &mut ChunkMeshes, pos: ChunkPos, mesh: &ChunkMesh) {
        let entry = meshes.drawn.entry(pos).or_default();
        for part in entry.parts.drain(..) {
            self.commands.entity(part).despawn();
        }
        meshes.quads -= entry.quads;
        meshes.bytes -= entry.bytes;
        (entry.quads, entry.bytes) = (mesh.quad_count(), mesh.gpu_bytes());
        meshes.quads += entry.quads;
        meshes.bytes += entry.bytes;
        let at = (pos.origin() - self.origin.0).as_vec3();
        let lists = [&mesh.opaque, &mesh.cutout, &mesh.translucent];
        for (quads, material) in lists.into_iter().zip(self.materials.all()) {
            if quads.is_empty() {
                continue;
            }
            let part = self.commands.spawn((
                Mesh3d(self.assets.add(gpu_mesh(quads))),
                MeshMaterial3d(material.clone()),
                Transform::from_translation(at),
                // Our vertices have no positions that the engine could measure.
                Aabb::from_min_max(Vec3::ZERO, Vec3::splat(CHUNK_SIDE as f32)),
                ChunkPart { pos, quads: quads.len() as u32 },
            ));
            entry.parts.push(part.id());
        }
    }
}

fn gpu_mesh(quads: &[Quad]) -> Mesh {
    let mut mesh = Mesh::new(PrimitiveTopology::TriangleList, RenderAssetUsages::RENDER_WORLD);
    mesh.insert_attribute(ATTRIBUTE_PACKED, VertexAttributeValues::Uint32x2(ChunkMesh::vertices(quads)));
    mesh.insert_indices(Indices::U32(ChunkMesh::indices(quads)));
    mesh
}

/// Meshes what edits changed, at once; takes in finished meshes; asks for those that are due.
pub fn mesh(
    mut session: ResMut<Session>,
    mut stream: ResMut<ChunkStream>,
    mut meshes: ResMut<ChunkMeshes>,
    mut timings: ResMut<FrameTimings>,
    player: Res<Player>,
    mut canvas: Canvas,
) {
    let (session, stream, meshes) = (&mut *session, &mut *stream, &mut *meshes);
    timings.time(FrameStage::Mesh, || {
        forget(stream, meshes, &mut canvas);
        let mut edited = std::mem::take(&mut session.edited);
        edited.sort_by_key(|pos| (pos.as_ivec3() - player.chunk().as_ivec3()).length_squared());
        for (i, pos) in edited.into_iter().enumerate() {
            if let Some(around) = complete(session, pos) {
                if i >= EDITED_AT_ONCE {
                    meshes.queue.insert(pos);
                    continue;
                }
                meshes.renew(pos);
                meshes.queue.remove(&pos);
                let mesh = build(&around.borrowed(), &session.looks);
                session.work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
                canvas.show(meshes, pos, &mesh);
            }
        }
        take_in(session, meshes, &mut canvas);
        queue_arrived(session, stream, meshes);
        ask(session, meshes, player.chunk());
    });
}

fn forget(stream: &mut ChunkStream, meshes: &mut ChunkMeshes, canvas: &mut Canvas) {
    for pos in stream.gone.drain(..) {
        meshes.queue.remove(&pos);
        if let Some(drawn) = meshes.drawn.remove(&pos) {
            meshes.quads -= drawn.quads;
            meshes.bytes -= drawn.bytes;
            drawn.parts.into_iter().for_each(|part| canvas.commands.entity(part).despawn());
        }
    }
}

/// The chunk and its neighbours, if all 27 are loaded.
fn complete(session: &Session, pos: ChunkPos) -> Option<ChunkNeighbourhood> {
    let around = session.world.neighbourhood(pos);
    around.chunks.iter().all(Option::is_some).then_some(around)
}

fn take_in(session: &mut Session, meshes: &mut ChunkMeshes, canvas: &mut Canvas) {
    let start = Instant::now();
    while start.elapsed() < INTAKE {
        let Some((pos, version, mesh)) = meshes.receiver.lock().ok().and_then(|r| r.try_recv().ok()) else { break };
        meshes.in_flight -= 1;
        session.work.add(VoxelTask::Meshing, VoxelOps::chunk_walk(mesh.runs));
        // Unloaded or edited since: stale.
        if meshes.drawn.get(&pos).is_some_and(|d| d.version == version) {
            canvas.show(meshes, pos, &mesh);
        }
    }
}

fn queue_arrived(session: &Session, stream: &mut ChunkStream, meshes: &mut ChunkMeshes) {
    for pos in stream.arrived.drain(..) {
        for near in pos.moore_neighbourhood() {
            if !session.world.is_loaded(near) || meshes.queue.contains(&near) {
                continue;
            }
            if near.moore_neighbourhood().all(|pos| session.world.is_loaded(pos)) {
                meshes.queue.insert(near);
            }
        }
    }
}

fn ask(session: &Session, meshes: &mut ChunkMeshes, centre: ChunkPos) {
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
        let Some(around) = complete(session, pos) else { continue };
        meshes.in_flight += 1;
        let (version, looks, sender) = (meshes.renew(pos), Arc::clone(&session.looks), meshes.sender.clone());
        pool.spawn(async move { send(&sender, pos, version, &around, &looks) }).detach();
    }
}

fn send(sender: &mpsc::Sender<Done>, pos: ChunkPos, version: u32, around: &ChunkNeighbourhood, looks: &FaceMaterials) {
    // Fails only when the map was closed meanwhile; then nobody wants the mesh.
    let _ = sender.send((pos, version, build(&around.borrowed(), looks)));
}

/// Keeps the origin near the player: moves it, and all that is drawn, when the player has gone far.
pub fn rebase(player: Res<Player>, mut origin: ResMut<RenderOrigin>, mut parts: Query<(&ChunkPart, &mut Transform)>) {
    let here = player.chunk().origin();
    if (here - origin.0).abs().max_element() < REBASE {
        return;
    }
    origin.0 = here;
    for (part, mut transform) in &mut parts {
        transform.translation = (part.pos.origin() - here).as_vec3();
    }
}
