//! Streaming: chunks come and go around the player, on background tasks.
//!
//! Wanted are all chunks within the view distance and one ring more (a chunk is drawn once all its 26 neighbours
//! are there). They are asked for nearest first, those in view before the others; each task reads its chunk from the
//! map or, where the map has none, generates it. No frame waits: results are taken in as they come, for a limited
//! time a frame.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::common::notices::Notices;
use crate::game::common::settings::Settings;
use crate::game::player::Player;
use crate::game::session::Session;
use crate::save::SaveError;
use crate::terrain::TerrainKind;
use crate::visibility::ChunkOcclusion;
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use crate::world::view::{self, stays_loaded};
use bevy::prelude::*;
use bevy::tasks::AsyncComputeTaskPool;
use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, mpsc};
use std::time::{Duration, Instant};

/// Longest time a frame spends taking chunks in.
const INTAKE: Duration = Duration::from_micros(2500);

/// What came of asking for a chunk.
enum Answer {
    /// Read from the map.
    Loaded(Chunk),
    /// Made by the generator; the map does not hold it yet.
    Made(Chunk),
    /// Its record in the map is broken; made anew.
    MadeAnew(Chunk, String),
    /// The map cannot be read now. Nothing stands in for the chunk: it may be sound.
    Unreadable(String),
}

impl Answer {
    fn chunk(&self) -> Option<&Chunk> {
        match self {
            Answer::Loaded(chunk) | Answer::Made(chunk) | Answer::MadeAnew(chunk, _) => Some(chunk),
            Answer::Unreadable(_) => None,
        }
    }
}

/// Where, what, and what visibility knows of it.
type Arrival = (ChunkPos, Answer, Option<ChunkOcclusion>);

/// The most chunks unloaded in one frame.
const AT_ONCE: usize = 256;
/// How long to wait before a map that could not be read is tried again.
const RETRY: Duration = Duration::from_secs(3);

/// The state of streaming.
#[derive(Resource)]
pub struct ChunkStream {
    sender: mpsc::Sender<Arrival>,
    receiver: Mutex<mpsc::Receiver<Arrival>>,
    pending: FxHashSet<ChunkPos>,
    /// Nothing is asked for until then: the map could not be read.
    pub pause_until: Option<Instant>,
    /// Offsets of wanted chunks, nearest first, and the view distance they are for.
    offsets: (i32, Vec<IVec3>),
    /// For which place and view distance all is here, and for which nothing too far is left: then there is nothing to
    /// look for.
    whole: Option<(ChunkPos, i32)>,
    tidy: Option<(ChunkPos, i32, Option<u32>)>,
    /// Wanted chunks that are not here yet.
    pub waiting: usize,
    /// Chunks that have come in since the last time the mesher looked.
    pub arrived: Vec<ChunkPos>,
    /// Chunks that were unloaded since then.
    pub gone: Vec<ChunkPos>,
    /// Both, in order, since the last time culling looked: what is known of those that came, none of those that went.
    pub sighted: Vec<(ChunkPos, Option<ChunkOcclusion>)>,
    /// Chunks that came and are not what the map holds.
    pub remade: Vec<ChunkPos>,
}

impl Default for ChunkStream {
    fn default() -> ChunkStream {
        let (sender, receiver) = mpsc::channel();
        ChunkStream {
            sender,
            receiver: Mutex::new(receiver),
            pending: FxHashSet::default(),
            pause_until: None,
            offsets: (0, Vec::new()),
            whole: None,
            tidy: None,
            // Until the first look nobody knows; not zero, which would mean that all is here.
            waiting: usize::MAX,
            arrived: Vec::new(),
            gone: Vec::new(),
            sighted: Vec::new(),
            remade: Vec::new(),
        }
    }
}

impl ChunkStream {
    fn offsets(&mut self, view: i32) -> &[IVec3] {
        if self.offsets.0 != view {
            self.offsets = (view, view::load_offsets(view));
        }
        &self.offsets.1
    }
}

/// Takes in what has come, unloads what is far, asks for what is missing.
pub fn stream(
    mut session: ResMut<Session>,
    mut stream: ResMut<ChunkStream>,
    mut timings: ResMut<FrameTimings>,
    mut notices: ResMut<Notices>,
    player: Res<Player>,
    settings: Res<Settings>,
) {
    let session = &mut *session;
    let stream = &mut *stream;
    timings.time(FrameStage::Stream, || {
        session.generator.set_view_distance(settings.view_distance);
        // What sees them may be waiting for them to be drawn.
        stream.arrived.append(&mut session.fetched);
        take_in(session, stream, &mut notices);
        unload(session, stream, player.chunk(), settings.view_distance);
        ask(session, stream, &player, settings.view_distance);
    });
}

fn take_in(session: &mut Session, stream: &mut ChunkStream, notices: &mut Notices) {
    let start = Instant::now();
    while start.elapsed() < INTAKE {
        // The lock is never held across a panic: only this system takes it.
        let Some(next) = stream.receiver.lock().ok().and_then(|r| r.try_recv().ok()) else { break };
        let (pos, answer, sight) = next;
        stream.pending.remove(&pos);
        if session.world.is_loaded(pos) {
            // An undo has fetched it meanwhile, and changed it: this is how it was.
            continue;
        }
        let chunk = match answer {
            Answer::Loaded(chunk) => chunk,
            Answer::Made(chunk) => {
                // No later program makes anything else of the void, so it need not be kept.
                if session.kind != TerrainKind::Void {
                    session.unsaved.insert(pos);
                }
                chunk
            }
            Answer::MadeAnew(chunk, reason) => {
                notices.warn(format!("{reason}; the generator made it anew"));
                // It may not be what the map's baked visibility knows.
                stream.remade.push(pos);
                chunk
            }
            Answer::Unreadable(reason) => {
                // It stays open for now, and hides nothing of what the map's baked visibility says that it does.
                stream.remade.push(pos);
                if stream.pause_until.is_none_or(|until| until <= Instant::now()) {
                    notices.warn(format!("{reason}; will try again"));
                    stream.pause_until = Some(Instant::now() + RETRY);
                }
                continue;
            }
        };
        session.insert(pos, chunk);
        stream.arrived.push(pos);
        stream.sighted.push((pos, sight));
    }
}

fn unload(session: &mut Session, stream: &mut ChunkStream, centre: ChunkPos, view: i32) {
    // A save that ended lets go of chunks.
    let now = (centre, view, session.last_save.map(|s| s.revision));
    if stream.tidy == Some(now) {
        return;
    }
    let far: Vec<ChunkPos> = session
        .world
        .chunks()
        .map(|(pos, _)| pos)
        .filter(|pos| !stays_loaded(pos.as_ivec3() - centre.as_ivec3(), view))
        // What is not saved yet stays until it is.
        .filter(|pos| !session.unsaved.contains(pos) && !session.saving.contains(pos))
        // And what was fetched by an undo while it was asked for, until the answer is here: that is how it was.
        .filter(|pos| !stream.pending.contains(pos))
        .take(AT_ONCE)
        .collect();
    stream.tidy = (far.len() < AT_ONCE).then_some(now);
    if !far.is_empty() {
        stream.whole = None;
    }
    for pos in far {
        session.remove(pos);
        stream.gone.push(pos);
        stream.sighted.push((pos, None));
    }
}

fn ask(session: &Session, stream: &mut ChunkStream, player: &Player, view: i32) {
    if stream.whole == Some((player.chunk(), view)) {
        return;
    }
    let pool = AsyncComputeTaskPool::get();
    let in_flight = pool.thread_num() * 4 + 4;
    let centre = player.chunk();
    let forward = player.direction().as_vec3();
    let offsets = std::mem::take({
        stream.offsets(view);
        &mut stream.offsets.1
    });
    let mut missing = 0;
    let mut best: Vec<(f32, ChunkPos)> = Vec::new();
    for &offset in &offsets {
        let pos = centre.offset(offset);
        if session.world.is_loaded(pos) || !pos.in_world() {
            continue;
        }
        missing += 1;
        // The offsets are sorted by distance: beyond a few hundred candidates only worse ones follow.
        if best.len() < 256 && !stream.pending.contains(&pos) {
            let to = offset.as_vec3();
            let ahead = to.dot(forward) >= to.length() * 0.5 || to.length_squared() < 6.0;
            best.push((to.length() * if ahead { 1.0 } else { 2.0 }, pos));
        }
    }
    stream.offsets.1 = offsets;
    stream.waiting = missing;
    stream.whole = (missing == 0).then_some((centre, view));
    best.sort_by(|a, b| a.0.total_cmp(&b.0));
    if stream.pause_until.is_some_and(|until| until > Instant::now()) {
        return;
    }
    for (_, pos) in best.into_iter().take(in_flight.saturating_sub(stream.pending.len())) {
        stream.pending.insert(pos);
        let (reader, generator) = (session.reader.clone(), Arc::clone(&session.generator));
        let (looks, sender) = (Arc::clone(&session.looks), stream.sender.clone());
        pool.spawn(async move {
            let make = || generator.chunk(pos);
            let answer = match reader.load(pos) {
                Ok(Some(chunk)) => Answer::Loaded(chunk),
                Ok(None) => Answer::Made(make()),
                Err(error @ SaveError::BadChunk { .. }) => Answer::MadeAnew(make(), error.to_string()),
                Err(error) => Answer::Unreadable(error.to_string()),
            };
            let sight = answer.chunk().map(|chunk| ChunkOcclusion::from_chunk(chunk, |voxel| looks.hides(voxel)));
            // Fails only when the map was closed meanwhile; then nobody wants the chunk.
            let _ = sender.send((pos, answer, sight));
        })
        .detach();
    }
}
