//! Changed chunks, and the background task that passes them to the light map.

use super::light_work::LightWork;
use super::lit_chunks::{LightFailure, LitChunks, NewLight, new_lights};
use crate::game::state::frame::caught::caught;
use bevy::tasks::AsyncComputeTaskPool;
use bevy::tasks::futures_lite::future;
use rustc_hash::FxHashMap;
use std::collections::VecDeque;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::time::Instant;
use stonerun_engine::light::LightMap;
use stonerun_engine::voxel::ChunkPos;
use stonerun_engine::world::Chunk;

/// Maximum number of chunks lit together. Small, because an edit waits until they are lit.
const MAX_LIT_TOGETHER: usize = 96;

/// Number of chunks that may wait to be lit again while more are expected. Above it, the task
/// lights up to [`MAX_LIT_TOGETHER`] of them at a time.
const MAX_WAITING: usize = 768;

/// Snapshot of a changed chunk.
pub(super) struct ChangedChunk {
    /// The snapshot; `None` if the chunk was unloaded.
    pub chunk: Option<Chunk>,
    /// True if the chunk has no light yet. The light map may still hold an earlier chunk at this
    /// position, which is removed first.
    pub is_unlit: bool,
}

/// Changed chunks, in the order in which they are lit.
#[derive(Default)]
pub(super) struct LightQueue {
    state: Mutex<LightQueueState>,
    /// True if the game wants the light map back, to light an edit.
    is_map_wanted: AtomicBool,
    /// True if chunks are lit one by one, to find the chunk that makes lighting panic.
    is_cautious: AtomicBool,
    /// True while chunks are loading. Their light will change the light of chunks around them.
    expects_more: AtomicBool,
}

#[derive(Default)]
struct LightQueueState {
    /// Positions in order. Positions that are no longer in `chunks` are skipped.
    order: VecDeque<ChunkPos>,
    chunks: FxHashMap<ChunkPos, ChangedChunk>,
}

impl LightQueue {
    /// Adds a chunk at the end, or in `front`. If it is queued already, only replaces its snapshot.
    pub fn push(&self, pos: ChunkPos, mut changed: ChangedChunk, front: bool) {
        let mut state = self.lock();
        if let Some(queued) = state.chunks.get_mut(&pos) {
            changed.is_unlit |= queued.is_unlit;
            *queued = changed;
            return;
        }
        state.chunks.insert(pos, changed);
        if front {
            state.order.push_front(pos);
        } else {
            state.order.push_back(pos);
        }
    }

    /// Removes a chunk.
    pub fn remove(&self, pos: ChunkPos) {
        let mut state = self.lock();
        if state.chunks.remove(&pos).is_some() {
            state.order.retain(|&other| other != pos);
        }
    }

    /// Number of chunks.
    pub fn len(&self) -> usize {
        self.lock().chunks.len()
    }

    /// Sets whether a running task must return the light map as soon as it can.
    pub fn set_map_wanted(&self, wanted: bool) {
        self.is_map_wanted.store(wanted, Ordering::Relaxed);
    }

    /// Sets whether chunks are loading. While they are, chunks that must be lit again wait for new
    /// chunks and are lit together with them.
    pub fn set_expects_more(&self, expected: bool) {
        self.expects_more.store(expected, Ordering::Relaxed);
    }

    /// Makes the task light chunks one by one from now on.
    pub fn be_cautious(&self) {
        self.is_cautious.store(true, Ordering::Relaxed);
    }

    /// True if chunks that must be lit again wait for new ones.
    pub fn expects_more(&self) -> bool {
        self.expects_more.load(Ordering::Relaxed)
    }

    fn take(&self) -> Vec<(ChunkPos, ChangedChunk)> {
        let mut state = self.lock();
        let LightQueueState { order, chunks } = &mut *state;
        let max_count = if self.is_cautious.load(Ordering::Relaxed) { 1 } else { MAX_LIT_TOGETHER };
        let count = order.len().min(max_count);
        order.drain(..count).filter_map(|pos| Some((pos, chunks.remove(&pos)?))).collect()
    }

    /// True if the running task must end: nothing is left to do, or the game wants the light map
    /// back.
    fn is_done(&self, map: &LightMap) -> bool {
        let has_work = self.len() > 0 || !map.is_settled() && !self.expects_more();
        self.is_map_wanted.load(Ordering::Relaxed) || !has_work
    }

    fn lock(&self) -> MutexGuard<'_, LightQueueState> {
        // A poisoned lock is usable: every change of the state is complete before anything can
        // panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Starts a task that lights the chunks of a queue until it is empty, and then returns the light
/// map. Results are sent after each batch. While more chunks are expected, it may return the map
/// with chunks left to light again, for another task.
pub(super) fn start(map: Box<LightMap>, queue: Arc<LightQueue>, sender: mpsc::Sender<LitChunks>) {
    let work = async move {
        let mut map = map;
        while let Some(next) = step(map, &queue, &sender, light_some) {
            map = next;
            future::yield_now().await;
        }
    };
    AsyncComputeTaskPool::get().spawn(work).detach();
}

/// Lights a batch of chunks with `light`, and sends the result. Returns the light map if the task
/// must go on; otherwise the map was sent, or dropped after a panic.
fn step(
    mut map: Box<LightMap>,
    queue: &LightQueue,
    sender: &mpsc::Sender<LitChunks>,
    light: impl FnOnce(&mut LightMap, Vec<(ChunkPos, ChangedChunk)>, bool) -> (Vec<NewLight>, LightWork),
) -> Option<Box<LightMap>> {
    let taken = queue.take();
    let chunks = taken.iter().map(|(pos, _)| *pos).collect();
    // Sending fails only if the map was closed meanwhile, and then nothing needs the light.
    match caught(|| light(&mut map, taken, queue.expects_more())) {
        Ok((lights, work)) if queue.is_done(&map) => {
            let _ = sender.send(LitChunks { map: Some(map), lights, work, failure: None });
            None
        }
        Ok((lights, work)) => {
            sender.send(LitChunks { map: None, lights, work, failure: None }).ok().map(|()| map)
        }
        Err(reason) => {
            let _ = sender.send(LitChunks::failed(LightFailure { chunks, reason }));
            None
        }
    }
}

/// Passes changed chunks to the light map, and lights until nothing changes. While more chunks are
/// expected, lights only as many as were taken, or more if too many wait.
fn light_some(
    map: &mut LightMap,
    taken: Vec<(ChunkPos, ChangedChunk)>,
    expects_more: bool,
) -> (Vec<NewLight>, LightWork) {
    let start = Instant::now();
    let count = taken.len();
    for (pos, _) in taken.iter().filter(|(_, changed)| changed.is_unlit) {
        map.remove(*pos);
    }
    for (pos, changed) in taken {
        match changed.chunk {
            Some(chunk) => map.insert(pos, chunk),
            None => map.remove(pos),
        }
    }
    let limit = match map.left() {
        _ if !expects_more => usize::MAX,
        ..=MAX_WAITING => count,
        _ => MAX_LIT_TOGETHER,
    };
    let changed = map.settle_some(limit);
    let lights = new_lights(map, changed);
    (lights, LightWork::from_task(start.elapsed(), map.take_counts()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::IVec3;
    use stonerun_engine::light::LightTraits;
    use stonerun_engine::voxel::{MaterialTable, Voxel, linear_index};

    fn at(x: i32) -> ChunkPos {
        ChunkPos::new(x, 0, 0)
    }

    fn changed(material: u16, is_unlit: bool) -> ChangedChunk {
        ChangedChunk { chunk: Some(Chunk::uniform(Voxel::full(material))), is_unlit }
    }

    #[test]
    fn chunk_that_changes_again_is_lit_once() {
        let queue = LightQueue::default();
        queue.push(at(0), changed(1, true), false);
        queue.push(at(1), changed(1, false), false);
        queue.push(at(2), changed(1, false), true);
        queue.push(at(0), changed(2, false), true);
        queue.push(at(3), ChangedChunk { chunk: None, is_unlit: true }, false);
        queue.remove(at(1));
        let taken: Vec<(i32, Option<Voxel>, bool)> = queue
            .take()
            .into_iter()
            .map(|(pos, changed)| {
                (pos.x, changed.chunk.map(|chunk| chunk.get(0)), changed.is_unlit)
            })
            .collect();
        let voxel = |material| Some(Voxel::full(material));
        assert_eq!(taken, [(2, voxel(1), false), (0, voxel(2), true), (3, None, true)]);
        assert_eq!(queue.len(), 0);
    }

    #[test]
    fn lighting_that_panics_has_a_result() {
        let queue = LightQueue::default();
        for x in 0..3 {
            queue.push(at(x), changed(1, true), false);
        }
        let (sender, receiver) = mpsc::channel();
        let map = || Box::new(LightMap::new(LightTraits::new(&MaterialTable::builtin()), i32::MAX));
        assert!(step(map(), &queue, &sender, |_, _, _| panic!("no such plane")).is_none());
        let failure = receiver.try_recv().unwrap().failure.expect("a failure");
        assert_eq!(failure.chunks, [at(0), at(1), at(2)]);
        queue.push(at(5), changed(1, true), false);
        queue.push(at(6), changed(1, true), false);
        queue.be_cautious();
        assert!(step(map(), &queue, &sender, |_, _, _| panic!("no such plane")).is_none());
        assert_eq!(receiver.try_recv().unwrap().failure.expect("a failure").chunks, [at(5)]);
    }

    #[test]
    fn chunks_with_new_neighbours_wait_for_as_many_new_chunks() {
        let materials = MaterialTable::builtin();
        let lamp = Voxel::full(materials.find("lamp").unwrap());
        // The lamp is at the western side, so each chunk shines into the previous one.
        let mut west = Chunk::uniform(Voxel::AIR);
        west.set(linear_index(IVec3::new(0, 9, 9)), lamp);
        let light_row = |expects_more| {
            let queue = LightQueue::default();
            let mut map = LightMap::new(LightTraits::new(&materials), i32::MAX);
            let mut lit = 0;
            let mut light = |queue: &LightQueue, map: &mut LightMap| {
                while !queue.is_done(map) {
                    lit += light_some(map, queue.take(), queue.expects_more()).1.chunks;
                }
            };
            queue.set_expects_more(expects_more);
            for x in 0..8 {
                queue.push(
                    at(x),
                    ChangedChunk { chunk: Some(west.clone()), is_unlit: true },
                    false,
                );
                light(&queue, &mut map);
            }
            assert_eq!(map.is_settled(), !expects_more);
            queue.set_expects_more(false);
            light(&queue, &mut map);
            (map, lit)
        };
        let [(patient, few), (hasty, many)] = [true, false].map(light_row);
        assert!((0..8).all(|x| patient.chunk(at(x)) == hasty.chunk(at(x))));
        assert!(few < many, "{few} and {many}");
    }
}
