//! What the loaded chunks cost in each format of the storage table, kept current.
//!
//! Measuring everything each time would take seconds, so every chunk's sizes are kept, with the revision of the chunk that
//! they are of, and only new or changed chunks are measured: one batch at a time, in the background, and only while a page
//! shows it. The chunk under the crosshair is measured at once.

use crate::game::common::frame_timings::{FrameStage, FrameTimings};
use crate::game::crosshair::Crosshair;
use crate::game::session::Session;
use crate::metrics::storage::{Sizer, Sizes};
use crate::voxel::ChunkPos;
use crate::world::Chunk;
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use rustc_hash::FxHashMap;

/// Chunks measured by one task: some milliseconds of work, so that streaming does not wait behind it.
const BATCH: usize = 64;
/// Seconds between two looks through all loaded chunks: while one streams or digs, something changes each frame.
const SURVEY: f32 = 0.25;

/// One chunk's sizes, and the revision that they are of.
#[derive(Clone, Copy)]
struct Entry {
    revision: u64,
    sizes: Sizes,
}

/// Sizes of the loaded chunks.
#[derive(Resource, Default)]
pub struct Measured {
    entries: FxHashMap<ChunkPos, Entry>,
    sum: Sizes,
    due: Vec<ChunkPos>,
    task: Option<Task<Vec<(ChunkPos, Entry)>>>,
    /// The session's revision when the loaded chunks were last looked through.
    surveyed: Option<u64>,
    /// Seconds since then.
    since: f32,
    /// For what is measured at once.
    sizer: Sizer,
}

impl Measured {
    /// The sums over the chunks measured so far.
    #[must_use]
    pub fn sum(&self) -> Sizes {
        self.sum
    }

    /// The sizes of one chunk, if it was measured.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<Sizes> {
        self.entries.get(&pos).map(|entry| entry.sizes)
    }

    /// True when the sums are those of all that is loaded, as it is now.
    #[must_use]
    pub fn is_complete(&self, session: &Session) -> bool {
        self.surveyed == Some(session.revision()) && self.due.is_empty() && self.task.is_none()
    }

    /// True if the chunk at `pos` has not changed since it was measured.
    fn is_current(&self, session: &Session, pos: ChunkPos) -> bool {
        self.entries.get(&pos).map(|entry| entry.revision) == session.chunk_revision(pos)
    }

    fn put(&mut self, pos: ChunkPos, entry: Entry) {
        self.sum.add(&entry.sizes);
        if let Some(old) = self.entries.insert(pos, entry) {
            self.sum.subtract(&old.sizes);
        }
    }

    /// Forgets chunks that are gone, and lists those that are new or changed.
    fn survey(&mut self, session: &Session) {
        let gone = self.entries.extract_if(|pos, _| session.chunk_revision(*pos).is_none());
        gone.for_each(|(_, entry)| self.sum.subtract(&entry.sizes));
        let loaded = session.world.chunks().map(|(pos, _)| pos);
        self.due = loaded.filter(|pos| !self.is_current(session, *pos)).collect();
        self.surveyed = Some(session.revision());
        self.since = 0.0;
    }

    /// Takes in a finished batch and starts the next, `seconds` after the last time.
    fn advance(&mut self, session: &Session, seconds: f32) {
        self.since += seconds;
        if let Some(task) = &mut self.task {
            let Some(batch) = check_ready(task) else { return };
            self.task = None;
            for (pos, entry) in batch {
                // Else it was edited or unloaded meanwhile: the survey that follows sees to it.
                if session.chunk_revision(pos) == Some(entry.revision) {
                    self.put(pos, entry);
                }
            }
        }
        let is_time = self.surveyed.is_none() || self.since >= SURVEY;
        if self.surveyed != Some(session.revision()) && self.due.is_empty() && is_time {
            self.survey(session);
        }
        let mut batch = Vec::new();
        while let Some(pos) = self.due.pop_if(|_| batch.len() < BATCH) {
            let (Some(chunk), Some(revision)) = (session.world.chunk(pos), session.chunk_revision(pos)) else {
                continue;
            };
            // It may have been under the crosshair since.
            if !self.is_current(session, pos) {
                batch.push((pos, revision, chunk.clone()));
            }
        }
        if !batch.is_empty() {
            self.task = Some(AsyncComputeTaskPool::get().spawn(async move { measure_all(batch) }));
        }
    }

    /// Measures the chunk at `pos` now, if it is loaded and has changed.
    fn measure(&mut self, session: &Session, pos: ChunkPos) {
        if let (Some(chunk), Some(revision)) = (session.world.chunk(pos), session.chunk_revision(pos))
            && !self.is_current(session, pos)
        {
            let sizes = self.sizer.measure(chunk);
            self.put(pos, Entry { revision, sizes });
        }
    }
}

fn measure_all(batch: Vec<(ChunkPos, u64, Chunk)>) -> Vec<(ChunkPos, Entry)> {
    let mut sizer = Sizer::new();
    batch.into_iter().map(|(pos, revision, chunk)| (pos, Entry { revision, sizes: sizer.measure(&chunk) })).collect()
}

/// Measures on: what is looked at at once, and a batch of the rest a frame.
pub fn measure(
    session: Res<Session>,
    crosshair: Res<Crosshair>,
    time: Res<Time<Real>>,
    mut measured: ResMut<Measured>,
    mut timings: ResMut<FrameTimings>,
) {
    timings.time(FrameStage::Interface, || {
        measured.measure(&session, crosshair.chunk);
        measured.advance(&session, time.delta_secs());
    });
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::save::{Header, MapFile};
    use crate::voxel::{MaterialTable, Voxel};
    use bevy::tasks::TaskPool;
    use glam::IVec3;
    use std::time::{Duration, Instant};

    /// Half ground, half air; a little different at each place.
    fn ground(pos: ChunkPos) -> Chunk {
        let height = 9000 + 40 * pos.x as u32;
        Chunk::from_runs([(height, Voxel::full(1)), (500, Voxel::full(2)), (32768 - 500 - height, Voxel::AIR)])
    }

    fn session(folder: &tempfile::TempDir) -> Session {
        let path = folder.path().join("measured.stonerun");
        let header = Header::new(1, "void", 0);
        MapFile::create(&path, &header, &MaterialTable::builtin()).and_then(MapFile::close).expect("a new map");
        let (mut session, warnings) = Session::open(&path, false).expect("opens");
        assert_eq!(warnings, Vec::<String>::new());
        // More than a batch.
        for i in 0..150 {
            let pos = ChunkPos::new(i % 30, i / 30, 0);
            session.insert(pos, ground(pos));
        }
        session
    }

    fn settle(measured: &mut Measured, session: &Session) {
        let start = Instant::now();
        while !measured.is_complete(session) {
            measured.advance(session, SURVEY);
            std::thread::sleep(Duration::from_millis(1));
            assert!(start.elapsed() < Duration::from_secs(120), "never complete");
        }
    }

    /// All chunks measured one by one, and each against what is kept of it.
    fn fresh(measured: &Measured, session: &Session) -> Sizes {
        let (mut sum, mut sizer) = (Sizes::default(), Sizer::new());
        for (pos, chunk) in session.world.chunks() {
            let sizes = sizer.measure(chunk);
            assert_eq!(measured.of_chunk(pos), Some(sizes), "{pos:?}");
            sum.add(&sizes);
        }
        assert_eq!(measured.entries.len(), session.world.len());
        sum
    }

    #[test]
    fn the_sums_are_those_of_all_that_is_loaded_as_it_is() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session(&folder);
        let mut measured = Measured::default();
        assert!(!measured.is_complete(&session));
        settle(&mut measured, &session);
        assert_eq!(measured.sum(), fresh(&measured, &session));
        assert_eq!((measured.sum().chunks, measured.sum().voxels), (150, 150 * 32768));

        // In place, and one after the other in the same chunk.
        let before = measured.sum();
        for at in [IVec3::new(40, 3, 3), IVec3::new(41, 3, 3), IVec3::new(0, 100, 0)] {
            session.set_voxel(at, Voxel::full(9)).expect("loaded");
        }
        assert!(!measured.is_complete(&session));
        settle(&mut measured, &session);
        assert_eq!(measured.sum(), fresh(&measured, &session));
        assert_ne!(measured.sum(), before);

        // Unloaded, loaded anew as something else, and while a batch is on its way.
        session.insert(ChunkPos::new(-5, 0, 0), ground(ChunkPos::new(7, 0, 0)));
        measured.advance(&session, SURVEY);
        session.insert(ChunkPos::new(-5, 0, 0), Chunk::uniform(Voxel::full(3)));
        (0..30).for_each(|x| session.remove(ChunkPos::new(x, 2, 0)));
        session.insert(ChunkPos::new(3, 2, 0), Chunk::uniform(Voxel::AIR));
        settle(&mut measured, &session);
        assert_eq!(measured.sum(), fresh(&measured, &session));
        assert_eq!((measured.sum().chunks, measured.sum().air), (122, 1));

        // Saving gives back memory that edits left unused.
        for x in 0..40 {
            session.set_voxel(IVec3::new(288 + 2 * x % 32, 5, 5 + x / 16), Voxel::AIR).expect("loaded");
        }
        settle(&mut measured, &session);
        let _ = session.take_changes();
        settle(&mut measured, &session);
        assert_eq!(measured.sum(), fresh(&measured, &session));
    }

    #[test]
    fn what_is_looked_at_is_measured_at_once_and_counted_once() {
        AsyncComputeTaskPool::get_or_init(TaskPool::new);
        let folder = tempfile::tempdir().expect("a folder");
        let mut session = session(&folder);
        let mut measured = Measured::default();
        let pos = ChunkPos::new(1, 0, 0);
        measured.measure(&session, pos);
        assert_eq!(measured.of_chunk(pos), Some(Sizer::new().measure(&ground(pos))));
        assert_eq!(measured.sum().chunks, 1);
        // It is in the first batch or in the last: it is counted once all the same.
        measured.advance(&session, SURVEY);
        session.set_voxel(IVec3::new(40, 3, 3), Voxel::full(9)).expect("loaded");
        measured.measure(&session, pos);
        assert_eq!(measured.of_chunk(pos), session.world.chunk(pos).map(|chunk| Sizer::new().measure(chunk)));
        settle(&mut measured, &session);
        assert_eq!(measured.sum(), fresh(&measured, &session));
        // Where nothing is loaded there is nothing to measure.
        measured.measure(&session, ChunkPos::new(0, 50, 0));
        assert_eq!(measured.of_chunk(ChunkPos::new(0, 50, 0)), None);
    }
}
