//! The queue of chunks to load, from which background tasks take the next one.

use rustc_hash::FxHashSet;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Instant;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::voxel::ChunkPos;

/// Maximum number of chunks that tasks have taken and whose results the game has not handled.
/// Limits the memory that is filled during a frame of several seconds.
const MAX_TAKEN: usize = 2048;

/// Chunks to load.
#[derive(Default)]
pub(super) struct LoadQueue {
    state: Mutex<LoadState>,
}

#[derive(Default)]
struct LoadState {
    /// Chunks that no task has taken, the next one last.
    queued: Vec<ChunkPos>,
    /// Chunks that a task has taken and whose result the game has not handled.
    taken: FxHashSet<ChunkPos>,
    /// End of a pause during which tasks get no chunk.
    pause_until: Option<Instant>,
    /// Face materials of the open map, with which occlusion is computed.
    face_materials: Option<Arc<FaceMaterials>>,
}

/// Number of chunks by state.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct LoadCounts {
    /// Chunks that no task has taken.
    pub queued: usize,
    /// Chunks that a task has taken and whose result the game has not handled.
    pub taken: usize,
}

impl LoadQueue {
    /// Replaces the queued chunks with `order`, which begins with the next chunk. Leaves out chunks
    /// that a task has already taken.
    pub fn set_order(&self, order: &[ChunkPos]) {
        let mut state = self.lock();
        let LoadState { queued, taken, .. } = &mut *state;
        queued.clear();
        queued.extend(order.iter().rev().filter(|pos| !taken.contains(pos)));
    }

    /// Sets the face materials with which the occlusion of chunks is computed.
    pub fn set_face_materials(&self, face_materials: &Arc<FaceMaterials>) {
        self.lock().face_materials = Some(Arc::clone(face_materials));
    }

    /// Keeps tasks from taking chunks before `until`.
    pub fn pause(&self, until: Instant) {
        self.lock().pause_until = Some(until);
    }

    /// Takes the next chunk to load. `None` if the queue is empty or paused, or if too many results
    /// wait to be handled.
    pub fn take(&self) -> Option<(ChunkPos, Arc<FaceMaterials>)> {
        let mut state = self.lock();
        let is_paused = state.pause_until.is_some_and(|until| until > Instant::now());
        if is_paused || state.taken.len() >= MAX_TAKEN {
            return None;
        }
        let face_materials = state.face_materials.clone()?;
        let pos = state.queued.pop()?;
        state.taken.insert(pos);
        Some((pos, face_materials))
    }

    /// Records that the game has handled a chunk's result.
    pub fn finish(&self, pos: ChunkPos) {
        self.lock().taken.remove(&pos);
    }

    /// Chunks that a task has taken and whose result the game has not handled.
    pub fn taken(&self) -> FxHashSet<ChunkPos> {
        self.lock().taken.clone()
    }

    /// Number of chunks by state.
    pub fn counts(&self) -> LoadCounts {
        let state = self.lock();
        LoadCounts { queued: state.queued.len(), taken: state.taken.len() }
    }

    /// Chunks that no task has taken, the next one first.
    #[cfg(test)]
    pub fn order(&self) -> Vec<ChunkPos> {
        self.lock().queued.iter().rev().copied().collect()
    }

    fn lock(&self) -> MutexGuard<'_, LoadState> {
        // A poisoned lock is usable: every change of the state is complete before anything can
        // panic.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::voxel::MaterialTable;

    fn at(x: i32) -> ChunkPos {
        ChunkPos::new(x, 0, 0)
    }

    fn queue(order: &[ChunkPos]) -> LoadQueue {
        let queue = LoadQueue::default();
        queue.set_face_materials(&Arc::new(FaceMaterials::new(&MaterialTable::builtin())));
        queue.set_order(order);
        queue
    }

    #[test]
    fn another_order_counts_from_the_next_chunk_on() {
        let queue = queue(&[0, 1, 2, 3].map(at));
        let take = || queue.take().map(|(pos, _)| pos.x);
        assert_eq!([take(), take()], [Some(0), Some(1)]);
        // The player has moved to the other end while chunk 1 is being loaded.
        queue.set_order(&[3, 2, 1].map(at));
        assert_eq!(queue.counts(), LoadCounts { queued: 2, taken: 2 });
        assert_eq!([take(), take(), take()], [Some(3), Some(2), None]);
        queue.finish(at(1));
        queue.set_order(&[at(1)]);
        assert_eq!(take(), Some(1), "it is missing again");
    }

    #[test]
    fn chunks_wait_while_the_game_takes_none_in() {
        let order: Vec<ChunkPos> = (0..MAX_TAKEN as i32 + 5).map(at).collect();
        let queue = queue(&order);
        while queue.take().is_some() {}
        assert_eq!(queue.counts(), LoadCounts { queued: 5, taken: MAX_TAKEN });
        queue.finish(at(0));
        assert!(queue.take().is_some() && queue.take().is_none());
    }
}
