//! Streaming: chunks are loaded and unloaded around the player, in background tasks.
//!
//! All chunks within the view distance and one ring beyond are wanted, because a chunk is drawn
//! once all its 26 neighbours are loaded. Background workers take the next missing chunk from a
//! queue themselves: near columns first, and columns ahead of the player before others. They read
//! the chunk from the map, or generate it if the map does not hold it. Frames never wait for a
//! chunk: they handle finished chunks for a limited share of their time.
//!
//! - `load_order`: the order of loading. `load_queue`: the queue.

mod load_order;
mod load_queue;

use crate::game::state::frame::background_workers::BackgroundWorkers;
use crate::game::state::frame::caught::{Panicked, caught};
use crate::game::state::frame::chunk_messages::{ChunkLoaded, ChunkRecordLost, ChunkUnloaded};
use crate::game::state::frame::frame_timings::{FrameStage, FrameTimings};
use crate::game::state::notices::Notices;
use crate::game::state::player::Player;
use crate::game::state::session::{Edits, OpenMap, SaveQueue};
use crate::game::state::settings::Settings;
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use load_order::Heading;
use load_queue::LoadQueue;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::save::{MapReader, SaveError};
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::visibility::ChunkOcclusion;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::view::{self, stays_loaded};
use stonerun_engine::world::{Chunk, World};

/// Time that a short frame may spend on adding loaded chunks to the world.
const MIN_INTAKE: Duration = Duration::from_micros(2500);
/// Share of a longer frame for adding loaded chunks.
const INTAKE_SHARE: f64 = 0.1;
/// Maximum number of chunks unloaded in one frame.
const MAX_UNLOADED_PER_FRAME: usize = 256;
/// Time after which a map that could not be read is tried again.
const RETRY: Duration = Duration::from_secs(3);

/// A chunk that a task has read or generated.
struct Arrival {
    pos: ChunkPos,
    source: ChunkSource,
    /// Occlusion of the chunk; `None` if loading failed.
    occlusion: Option<ChunkOcclusion>,
    /// Face materials with which the occlusion was computed.
    face_materials: Arc<FaceMaterials>,
}

/// Outcome of loading a chunk.
enum ChunkSource {
    /// The chunk was read from the map.
    Map(Chunk),
    /// The chunk was generated, because the map does not hold it yet.
    Generator(Chunk),
    /// The chunk was generated, because its record in the map is damaged. The text is the reason.
    Regenerated(Chunk, String),
    /// The map cannot be read now; the text is the reason. The chunk is not generated, because its
    /// record may be undamaged.
    Unreadable(String),
    /// Loading has panicked, and is not tried again, because it would panic again.
    Failed(Panicked),
}

impl ChunkSource {
    fn chunk(&self) -> Option<&Chunk> {
        match self {
            ChunkSource::Map(chunk)
            | ChunkSource::Generator(chunk)
            | ChunkSource::Regenerated(chunk, _) => Some(chunk),
            ChunkSource::Unreadable(_) | ChunkSource::Failed(_) => None,
        }
    }
}

/// Everything that decides which chunks can be unloaded. While it is unchanged and no chunk was
/// left over, unloading is skipped.
#[derive(Clone, Copy, PartialEq)]
struct UnloadKey {
    centre: ChunkPos,
    view: i32,
    /// Revision of the last save, after which saved chunks can be unloaded.
    save: Option<u32>,
}

/// Everything that decides the order in which missing chunks are loaded.
#[derive(Clone, Copy, PartialEq)]
struct OrderKey {
    centre: ChunkPos,
    view: i32,
    heading: Heading,
}

/// The state of streaming.
#[derive(Resource)]
pub struct ChunkStream {
    sender: mpsc::Sender<Arrival>,
    receiver: Mutex<mpsc::Receiver<Arrival>>,
    queue: Arc<LoadQueue>,
    workers: BackgroundWorkers,
    /// Wanted chunks that are not loaded.
    missing: FxHashSet<ChunkPos>,
    /// Missing chunks that could not be read from the map. They are requested again after the
    /// pause.
    unreadable: FxHashSet<ChunkPos>,
    /// Chunks that could not be read from the map and have not been loaded since. The fog does not
    /// wait for them.
    lost: FxHashSet<ChunkPos>,
    /// Chunks whose loading has panicked. They are not requested again.
    failed: FxHashSet<ChunkPos>,
    /// End of the pause that follows a failed read of the map.
    pub pause_until: Option<Instant>,
    /// View distance for which `offsets` was computed.
    offsets_view: i32,
    /// Offsets of wanted chunks from the player's chunk, nearest first.
    offsets: Vec<IVec3>,
    /// Key of the queue's present order.
    ordered_for: Option<OrderKey>,
    /// Counter of changes of the set of expected chunks, other than by loading.
    expectation_revision: u64,
    /// Key for which no chunk was left to unload.
    unloaded_for: Option<UnloadKey>,
    /// True if the last chunk that arrived was generated, false if it was read from the map.
    pub is_generating: bool,
    /// Number of wanted chunks that are not loaded; `usize::MAX` before the first update.
    pub waiting: usize,
}

/// Number of wanted chunks that are not loaded, by what they wait for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LoadingCounts {
    /// Chunks that no background task has taken.
    pub queued: usize,
    /// Chunks that are being read or generated.
    pub in_work: usize,
    /// Chunks that are loaded and wait for a frame to add them to the world.
    pub ready: usize,
}

impl Default for ChunkStream {
    fn default() -> ChunkStream {
        let (sender, receiver) = mpsc::channel();
        ChunkStream {
            sender,
            receiver: Mutex::new(receiver),
            queue: Arc::default(),
            workers: BackgroundWorkers::default(),
            missing: FxHashSet::default(),
            unreadable: FxHashSet::default(),
            lost: FxHashSet::default(),
            failed: FxHashSet::default(),
            pause_until: None,
            offsets_view: 0,
            offsets: Vec::new(),
            ordered_for: None,
            expectation_revision: 0,
            unloaded_for: None,
            is_generating: false,
            waiting: usize::MAX,
        }
    }
}

impl ChunkStream {
    /// True if a chunk is not loaded, but will be soon.
    #[must_use]
    pub fn expects(&self, pos: ChunkPos) -> bool {
        self.missing.contains(&pos) && !self.unreadable.contains(&pos)
    }

    /// True if a chunk will not be drawn for now, because it or a neighbour could not be loaded.
    #[must_use]
    pub fn keeps_undrawn(&self, pos: ChunkPos) -> bool {
        let is_lost = |near| self.failed.contains(&near) || self.lost.contains(&near);
        let is_sound = self.failed.is_empty() && self.lost.is_empty();
        !is_sound && pos.moore_neighbourhood().any(is_lost)
    }

    /// True if some missing chunks could not be read, and are tried again later.
    #[must_use]
    pub fn has_unreadable(&self) -> bool {
        !self.unreadable.is_empty()
    }

    /// Revision that changes whenever an expected chunk may have become unexpected without being
    /// loaded.
    #[must_use]
    pub fn expectation_revision(&self) -> u64 {
        self.expectation_revision
    }

    /// Replaces the expected chunks.
    #[cfg(test)]
    pub fn set_expected(&mut self, expected: impl IntoIterator<Item = ChunkPos>) {
        self.missing = expected.into_iter().collect();
        self.waiting = self.missing.len();
        self.expectation_revision += 1;
    }

    /// Number of missing chunks by what they wait for.
    #[must_use]
    pub fn counts(&self) -> LoadingCounts {
        let counts = self.queue.counts();
        let in_work = self.workers.running().min(counts.taken);
        LoadingCounts { queued: counts.queued, in_work, ready: counts.taken - in_work }
    }

    fn is_paused(&self) -> bool {
        self.pause_until.is_some_and(|until| until > Instant::now())
    }

    fn update_offsets(&mut self, view: i32) {
        if self.offsets_view != view {
            self.offsets_view = view;
            self.offsets = view::load_offsets(view);
        }
    }

    /// Finds the missing chunks around the player, unless the player's chunk and the view distance
    /// are unchanged.
    fn find_missing(&mut self, world: &World, now: OrderKey) {
        let is_same = |before: OrderKey| (before.centre, before.view) == (now.centre, now.view);
        if self.ordered_for.is_some_and(is_same) {
            return;
        }
        self.update_offsets(now.view);
        let wanted = self.offsets.iter().map(|&offset| now.centre.offset(offset));
        let is_missing =
            |pos: &ChunkPos| pos.in_world() && !world.is_loaded(*pos) && !self.failed.contains(pos);
        self.missing = wanted.filter(is_missing).collect();
        self.expectation_revision += 1;
    }

    /// Sorts the queue by the player's position and direction of view.
    fn order(&mut self, now: OrderKey) {
        let cost =
            |pos: ChunkPos| load_order::cost(pos.as_ivec3() - now.centre.as_ivec3(), now.heading);
        let expected = self.missing.iter().filter(|pos| !self.unreadable.contains(pos));
        let mut order: Vec<(f32, ChunkPos)> = expected.map(|&pos| (cost(pos), pos)).collect();
        // Chunks of equal cost are sorted by position, so that the order is the same in every run.
        order.sort_unstable_by(|a, b| a.0.total_cmp(&b.0).then(a.1.cmp(&b.1)));
        let order: Vec<ChunkPos> = order.into_iter().map(|(_, pos)| pos).collect();
        self.queue.set_order(&order);
        self.ordered_for = Some(now);
    }
}

/// Resources that streaming changes.
#[derive(SystemParam)]
pub struct StreamTarget<'w> {
    edits: ResMut<'w, Edits>,
    saves: ResMut<'w, SaveQueue>,
    notices: ResMut<'w, Notices>,
    loaded: MessageWriter<'w, ChunkLoaded>,
    unloaded: MessageWriter<'w, ChunkUnloaded>,
    record_lost: MessageWriter<'w, ChunkRecordLost>,
}

/// Adds loaded chunks to the world, unloads distant ones, and requests missing ones.
pub fn stream(
    map: Res<OpenMap>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut stream: ResMut<ChunkStream>,
    mut timings: ResMut<FrameTimings>,
    mut target: StreamTarget,
) {
    let stream = &mut *stream;
    let view = map.view_distance(&settings);
    let intake = timings.budget(MIN_INTAKE, INTAKE_SHARE);
    timings.time(FrameStage::Stream, || {
        map.generator.set_view_distance(view);
        add_loaded(&map, stream, &mut target, intake);
        unload(stream, &mut target, player.chunk(), view);
        request(&map, target.edits.world(), stream, &player, view);
    });
}

fn add_loaded(map: &OpenMap, stream: &mut ChunkStream, target: &mut StreamTarget, time: Duration) {
    let start = Instant::now();
    while start.elapsed() < time {
        // The lock cannot be poisoned: only this system takes it, and nothing panics meanwhile.
        let Some(arrival) =
            stream.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok())
        else {
            break;
        };
        let Arrival { pos, source, occlusion, face_materials } = arrival;
        // Culling computes the occlusion if the surfaces of materials have changed meanwhile.
        let occlusion = occlusion.filter(|_| Arc::ptr_eq(&face_materials, &map.face_materials));
        stream.queue.finish(pos);
        if target.edits.world().is_loaded(pos) {
            // An undo has loaded and changed the chunk meanwhile, so this content is outdated.
            stream.missing.remove(&pos);
            continue;
        }
        stream.is_generating = !matches!(source, ChunkSource::Map(_));
        let chunk = match source {
            ChunkSource::Map(chunk) => chunk,
            ChunkSource::Generator(chunk) => {
                // A void chunk need not be saved: every version of the generator makes the same
                // one.
                if map.terrain != TerrainKind::Void {
                    target.saves.note_generated(pos);
                }
                chunk
            }
            ChunkSource::Regenerated(chunk, reason) => {
                target.notices.warn(format!("{reason}; the chunk was generated again"));
                target.record_lost.write(ChunkRecordLost { pos });
                chunk
            }
            ChunkSource::Failed(reason) => {
                stream.missing.remove(&pos);
                stream.failed.insert(pos);
                stream.expectation_revision += 1;
                target
                    .notices
                    .warn(format!("chunk {pos} cannot be loaded: {reason}; it stays empty"));
                continue;
            }
            ChunkSource::Unreadable(reason) => {
                target.record_lost.write(ChunkRecordLost { pos });
                if stream.missing.contains(&pos) {
                    stream.unreadable.insert(pos);
                    stream.lost.insert(pos);
                    stream.expectation_revision += 1;
                }
                if !stream.is_paused() {
                    target.notices.warn(format!("{reason}; will try again"));
                    let until = Instant::now() + RETRY;
                    stream.pause_until = Some(until);
                    stream.queue.pause(until);
                }
                continue;
            }
        };
        stream.missing.remove(&pos);
        stream.lost.remove(&pos);
        if target.edits.load_chunk(pos, chunk) {
            target.loaded.write(ChunkLoaded { pos, occlusion });
        }
    }
}

fn unload(stream: &mut ChunkStream, target: &mut StreamTarget, centre: ChunkPos, view: i32) {
    let now =
        UnloadKey { centre, view, save: target.saves.last_save().map(|save| save.report.revision) };
    if stream.unloaded_for == Some(now) {
        return;
    }
    let taken = stream.queue.taken();
    let mut far: Vec<ChunkPos> = target
        .edits
        .world()
        .chunks()
        .map(|(pos, _)| pos)
        .filter(|pos| !stays_loaded(pos.as_ivec3() - centre.as_ivec3(), view))
        .filter(|pos| !target.saves.needs(*pos))
        .take(MAX_UNLOADED_PER_FRAME)
        .collect();
    let is_last = far.len() < MAX_UNLOADED_PER_FRAME;
    // A chunk that an undo has loaded while a task was loading it, too, stays until the task's
    // outdated result has been dropped. It is unloaded in a later frame.
    let found = far.len();
    far.retain(|pos| !taken.contains(pos));
    stream.unloaded_for = (is_last && far.len() == found).then_some(now);
    for pos in far {
        target.edits.unload_chunk(pos);
        target.unloaded.write(ChunkUnloaded { pos });
    }
}

/// Brings the queue up to date with the player, and starts workers.
fn request(map: &OpenMap, world: &World, stream: &mut ChunkStream, player: &Player, view: i32) {
    let now = OrderKey { centre: player.chunk(), view, heading: Heading::from_yaw(player.yaw) };
    let retries = !stream.unreadable.is_empty() && !stream.is_paused();
    if stream.ordered_for != Some(now) || retries {
        if !stream.is_paused() {
            stream.unreadable.clear();
        }
        stream.find_missing(world, now);
        stream.order(now);
    }
    stream.waiting = stream.missing.len();
    stream.queue.set_face_materials(&map.face_materials);
    let queued = stream.queue.counts().queued;
    if queued > 0 && !stream.is_paused() {
        let loader = Loader {
            reader: map.reader.clone(),
            generator: Arc::clone(&map.generator),
            queue: Arc::clone(&stream.queue),
            sender: stream.sender.clone(),
        };
        stream
            .workers
            .start(queued.min(BackgroundWorkers::max_useful()), move || loader.load_next());
    }
}

/// State that a worker needs to load chunks.
#[derive(Clone)]
struct Loader {
    reader: MapReader,
    generator: Arc<Generator>,
    queue: Arc<LoadQueue>,
    sender: mpsc::Sender<Arrival>,
}

impl Loader {
    /// Loads the next chunk of the queue. Returns false if there is none, or if the map was closed.
    fn load_next(&self) -> bool {
        let Some((pos, face_materials)) = self.queue.take() else { return false };
        self.sender.send(arrival(pos, &face_materials, || self.load(pos))).is_ok()
    }

    fn load(&self, pos: ChunkPos) -> ChunkSource {
        let generate = || self.generator.chunk(pos);
        match self.reader.load(pos) {
            Ok(Some(chunk)) => ChunkSource::Map(chunk),
            Ok(None) => ChunkSource::Generator(generate()),
            Err(error @ SaveError::BadChunk { .. }) => {
                ChunkSource::Regenerated(generate(), error.to_string())
            }
            Err(error) => ChunkSource::Unreadable(error.to_string()),
        }
    }
}

/// Result of loading a chunk. A panic also gives a result, so that the chunk is not expected for
/// ever.
fn arrival(
    pos: ChunkPos,
    face_materials: &Arc<FaceMaterials>,
    load: impl FnOnce() -> ChunkSource,
) -> Arrival {
    let work = || {
        let source = load();
        let occlusion = occlusion(&source, face_materials);
        (source, occlusion)
    };
    let (source, occlusion) =
        caught(work).unwrap_or_else(|reason| (ChunkSource::Failed(reason), None));
    Arrival { pos, source, occlusion, face_materials: Arc::clone(face_materials) }
}

fn occlusion(source: &ChunkSource, face_materials: &FaceMaterials) -> Option<ChunkOcclusion> {
    let chunk = source.chunk()?;
    Some(ChunkOcclusion::from_chunk(chunk, |voxel| face_materials.hides(voxel)))
}

#[cfg(test)]
pub(in crate::game) mod tests;
