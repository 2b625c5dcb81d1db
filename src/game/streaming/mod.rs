//! Streaming: chunks are loaded and unloaded around the player, in background tasks.
//!
//! All chunks within the view distance and one ring beyond are wanted, as a chunk is drawn once all
//! its 26 neighbours are loaded. Near chunks are requested first, chunks in view before others.
//! Each task reads its chunk from the map or, where the map has none, generates it. No frame waits:
//! results are taken in as they come, for at most 2.5 ms per frame.

use crate::game::common::chunk_messages::{ChunkLoaded, ChunkRecordLost, ChunkUnloaded};
use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::session::{Edits, OpenMap, SaveQueue};
use crate::save::SaveError;
use crate::terrain::TerrainKind;
use crate::visibility::ChunkOcclusion;
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use crate::world::view::{self, stays_loaded};
use bevy::ecs::system::SystemParam;
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Longest time a frame spends taking chunks in.
const INTAKE: Duration = Duration::from_micros(2500);
/// Most chunks unloaded in one frame.
const UNLOADED_PER_FRAME: usize = 256;
/// Time before a map that could not be read is tried again.
const RETRY: Duration = Duration::from_secs(3);

/// A chunk that a task has read or generated.
struct Arrival {
    pos: ChunkPos,
    source: ChunkSource,
    /// Its occlusion; `None` without a chunk.
    occlusion: Option<ChunkOcclusion>,
}

/// Source of a chunk.
enum ChunkSource {
    /// The map.
    Map(Chunk),
    /// The generator: the map does not hold the chunk yet.
    Generator(Chunk),
    /// The generator, because the map's record is broken, with the reason.
    Regenerated(Chunk, String),
    /// Nowhere: the map cannot be read now. The record may be sound, so the chunk is not generated.
    Unreadable(String),
}

impl ChunkSource {
    fn chunk(&self) -> Option<&Chunk> {
        match self {
            ChunkSource::Map(chunk) | ChunkSource::Generator(chunk) | ChunkSource::Regenerated(chunk, _) => Some(chunk),
            ChunkSource::Unreadable(_) => None,
        }
    }
}

/// Input of unloading: unloading is skipped while it is unchanged and no chunk is left to unload.
#[derive(Clone, Copy, PartialEq)]
struct UnloadKey {
    centre: ChunkPos,
    view: i32,
    /// Revision of the last save: a finished save lets chunks be unloaded.
    save: Option<u32>,
}

/// The state of streaming.
#[derive(Resource)]
pub struct ChunkStream {
    sender: mpsc::Sender<Arrival>,
    receiver: Mutex<mpsc::Receiver<Arrival>>,
    /// Chunks that were requested and have not arrived.
    pending: FxHashSet<ChunkPos>,
    /// End of the pause of requests after the map could not be read.
    pub pause_until: Option<Instant>,
    /// View distance of `offsets`.
    offsets_view: i32,
    /// Offsets of wanted chunks from the player's chunk, nearest first.
    offsets: Vec<IVec3>,
    /// Player's chunk and view distance for which all wanted chunks are loaded.
    complete: Option<(ChunkPos, i32)>,
    /// Input for which no chunk is left to unload.
    unloaded_for: Option<UnloadKey>,
    /// Number of wanted chunks that are not loaded; `usize::MAX` before the first update.
    pub waiting: usize,
}

impl Default for ChunkStream {
    fn default() -> ChunkStream {
        let (sender, receiver) = mpsc::channel();
        ChunkStream {
            sender,
            receiver: Mutex::new(receiver),
            pending: FxHashSet::default(),
            pause_until: None,
            offsets_view: 0,
            offsets: Vec::new(),
            complete: None,
            unloaded_for: None,
            waiting: usize::MAX,
        }
    }
}

impl ChunkStream {
    fn update_offsets(&mut self, view: i32) {
        if self.offsets_view != view {
            (self.offsets_view, self.offsets) = (view, view::load_offsets(view));
        }
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

/// Takes in arrived chunks, unloads far ones, requests missing ones.
pub fn stream(
    map: Res<OpenMap>,
    player: Res<Player>,
    settings: Res<Settings>,
    mut stream: ResMut<ChunkStream>,
    mut timings: ResMut<FrameTimings>,
    mut target: StreamTarget,
) {
    let (stream, view) = (&mut *stream, map.view_distance(&settings));
    timings.time(FrameStage::Stream, || {
        map.generator.set_view_distance(view);
        take_in(&map, stream, &mut target);
        unload(stream, &mut target, player.chunk(), view);
        request(&map, target.edits.world(), stream, &player, view);
    });
}

fn take_in(map: &OpenMap, stream: &mut ChunkStream, target: &mut StreamTarget) {
    let start = Instant::now();
    while start.elapsed() < INTAKE {
        // The lock is never held across a panic: only this system takes it.
        let Some(arrival) = stream.receiver.lock().ok().and_then(|receiver| receiver.try_recv().ok()) else { break };
        let Arrival { pos, source, occlusion } = arrival;
        stream.pending.remove(&pos);
        if target.edits.world().is_loaded(pos) {
            // An undo has loaded and changed the chunk meanwhile: the arrival is outdated.
            continue;
        }
        let chunk = match source {
            ChunkSource::Map(chunk) => chunk,
            ChunkSource::Generator(chunk) => {
                // Void is generated the same by every version, so it need not be saved.
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
            ChunkSource::Unreadable(reason) => {
                target.record_lost.write(ChunkRecordLost { pos });
                if stream.pause_until.is_none_or(|until| until <= Instant::now()) {
                    target.notices.warn(format!("{reason}; will try again"));
                    stream.pause_until = Some(Instant::now() + RETRY);
                }
                continue;
            }
        };
        if target.edits.load_chunk(pos, chunk) {
            target.loaded.write(ChunkLoaded { pos, occlusion });
        }
    }
}

fn unload(stream: &mut ChunkStream, target: &mut StreamTarget, centre: ChunkPos, view: i32) {
    let now = UnloadKey { centre, view, save: target.saves.last_save().map(|save| save.report.revision) };
    if stream.unloaded_for == Some(now) {
        return;
    }
    let far: Vec<ChunkPos> = target
        .edits
        .world()
        .chunks()
        .map(|(pos, _)| pos)
        .filter(|pos| !stays_loaded(pos.as_ivec3() - centre.as_ivec3(), view))
        .filter(|pos| !target.saves.needs(*pos))
        // A requested chunk that an undo has loaded meanwhile stays until its outdated arrival has
        // been dropped.
        .filter(|pos| !stream.pending.contains(pos))
        .take(UNLOADED_PER_FRAME)
        .collect();
    stream.unloaded_for = (far.len() < UNLOADED_PER_FRAME).then_some(now);
    if !far.is_empty() {
        stream.complete = None;
    }
    for pos in far {
        target.edits.unload_chunk(pos);
        target.unloaded.write(ChunkUnloaded { pos });
    }
}

fn request(map: &OpenMap, world: &crate::world::World, stream: &mut ChunkStream, player: &Player, view: i32) {
    let centre = player.chunk();
    if stream.complete == Some((centre, view)) {
        return;
    }
    let pool = AsyncComputeTaskPool::get();
    let in_flight = pool.thread_num() * 4 + 4;
    let forward = player.direction().as_vec3();
    stream.update_offsets(view);
    let mut missing = 0;
    let mut best: Vec<(f32, ChunkPos)> = Vec::new();
    for &offset in &stream.offsets {
        let pos = centre.offset(offset);
        if world.is_loaded(pos) || !pos.in_world() {
            continue;
        }
        missing += 1;
        // The offsets are sorted by distance: beyond a few hundred candidates only worse ones
        // follow.
        if best.len() < 256 && !stream.pending.contains(&pos) {
            let to = offset.as_vec3();
            let ahead = to.dot(forward) >= to.length() * 0.5 || to.length_squared() < 6.0;
            best.push((to.length() * if ahead { 1.0 } else { 2.0 }, pos));
        }
    }
    stream.waiting = missing;
    stream.complete = (missing == 0).then_some((centre, view));
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    if stream.pause_until.is_some_and(|until| until > Instant::now()) {
        return;
    }
    for (_, pos) in best.into_iter().take(in_flight.saturating_sub(stream.pending.len())) {
        stream.pending.insert(pos);
        let (reader, generator) = (map.reader.clone(), Arc::clone(&map.generator));
        let (face_materials, sender) = (Arc::clone(&map.face_materials), stream.sender.clone());
        pool.spawn(async move {
            let generate = || generator.chunk(pos);
            let source = match reader.load(pos) {
                Ok(Some(chunk)) => ChunkSource::Map(chunk),
                Ok(None) => ChunkSource::Generator(generate()),
                Err(error @ SaveError::BadChunk { .. }) => ChunkSource::Regenerated(generate(), error.to_string()),
                Err(error) => ChunkSource::Unreadable(error.to_string()),
            };
            let occlusion =
                source.chunk().map(|chunk| ChunkOcclusion::from_chunk(chunk, |voxel| face_materials.hides(voxel)));
            // Fails only if the map was closed meanwhile; then the chunk is not wanted.
            let _ = sender.send(Arrival { pos, source, occlusion });
        })
        .detach();
    }
}

#[cfg(test)]
mod tests;
