//! What the loaded chunks take in the map file, counted by encoding them in the background.
//!
//! Encoding everything each time would take seconds, so every chunk's sizes are kept and only new or changed chunks
//! are encoded: one batch at a time, and only while the page is open.

use crate::game::panel::figures::FileBytes;
use crate::game::session::Session;
use crate::runs::Version;
use crate::save::encoded_sizes;
use crate::voxel::ChunkPos;
use crate::world::{Chunk, World};
use bevy::prelude::*;
use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use rustc_hash::FxHashMap;

/// Chunks encoded by one task: some milliseconds of work, so that streaming does not wait behind it.
const BATCH: usize = 64;

/// Seconds between two looks for edited chunks.
const SURVEY: f32 = 0.25;

/// One chunk's sizes.
struct Entry {
    of: Version,
    rle: u64,
    lz4: u64,
}

type Encoded = Vec<(ChunkPos, Entry)>;

/// Sizes of the loaded chunks in the map file.
#[derive(Resource, Default)]
pub struct Files {
    entries: FxHashMap<ChunkPos, Entry>,
    sum: FileBytes,
    due: Vec<ChunkPos>,
    task: Option<Task<Encoded>>,
    /// Seconds since the loaded chunks were last looked through.
    since_survey: f32,
}

impl Files {
    /// The sums over the chunks counted so far.
    #[must_use]
    pub fn sum(&self) -> FileBytes {
        self.sum
    }

    /// The sizes of one chunk, if it was counted.
    #[must_use]
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<FileBytes> {
        self.entries.get(&pos).map(|e| FileBytes { counted: 1, rle: e.rle, lz4: e.lz4 })
    }

    fn put(&mut self, pos: ChunkPos, entry: Entry) {
        self.drop_entry(pos);
        self.sum.counted += 1;
        self.sum.rle += entry.rle;
        self.sum.lz4 += entry.lz4;
        self.entries.insert(pos, entry);
    }

    fn drop_entry(&mut self, pos: ChunkPos) {
        if let Some(old) = self.entries.remove(&pos) {
            self.sum.counted -= 1;
            self.sum.rle -= old.rle;
            self.sum.lz4 -= old.lz4;
        }
    }

    /// Forgets chunks that are gone, and lists those that are new or changed.
    fn survey(&mut self, world: &World) {
        let gone: Vec<ChunkPos> = self.entries.keys().filter(|pos| !world.is_loaded(**pos)).copied().collect();
        gone.into_iter().for_each(|pos| self.drop_entry(pos));
        let current = |pos: &ChunkPos, chunk: &Chunk| self.entries.get(pos).is_some_and(|e| e.of.is_of(chunk));
        self.due = world.chunks().filter(|(pos, chunk)| !current(pos, chunk)).map(|(pos, _)| pos).collect();
    }

    /// Takes in a finished batch and starts the next.
    fn advance(&mut self, world: &World) {
        if let Some(task) = &mut self.task {
            let Some(encoded) = check_ready(task) else { return };
            self.task = None;
            encoded.into_iter().for_each(|(pos, entry)| self.put(pos, entry));
        }
        if self.due.is_empty() && (self.since_survey >= SURVEY || self.entries.len() != world.len()) {
            self.since_survey = 0.0;
            self.survey(world);
        }
        let from = self.due.len().saturating_sub(BATCH);
        let batch: Vec<(ChunkPos, Chunk)> =
            self.due.drain(from..).filter_map(|pos| world.chunk(pos).map(|c| (pos, c.clone()))).collect();
        if !batch.is_empty() {
            self.task = Some(AsyncComputeTaskPool::get().spawn(async move { encode(batch) }));
        }
    }
}

fn encode(batch: Vec<(ChunkPos, Chunk)>) -> Encoded {
    let size = |chunk: Chunk| {
        let (rle, lz4) = encoded_sizes(&chunk);
        Entry { of: chunk.version(), rle: rle as u64, lz4: lz4 as u64 }
    };
    batch.into_iter().map(|(pos, chunk)| (pos, size(chunk))).collect()
}

/// Counts on, a batch a frame; when all is counted, looks for what is new now and then.
pub fn count_files(time: Res<Time<Real>>, session: Res<Session>, mut files: ResMut<Files>) {
    files.since_survey += time.delta_secs();
    files.advance(&session.world);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::voxel::Voxel;
    use glam::IVec3;

    fn count_all(files: &mut Files, world: &World) -> usize {
        files.survey(world);
        let due: Vec<_> = files.due.iter().filter_map(|&p| world.chunk(p).map(|c| (p, c.clone()))).collect();
        let n = due.len();
        encode(due).into_iter().for_each(|(pos, entry)| files.put(pos, entry));
        n
    }

    #[test]
    fn only_what_changed_is_encoded_anew_and_the_sums_stay_right() {
        let mut world = World::new();
        for x in 0..5 {
            world.insert(ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(x as u16)));
        }
        let mut files = Files::default();
        assert_eq!(count_all(&mut files, &world), 5);
        assert_eq!(count_all(&mut files, &world), 0);

        // In place as far as the world knows: no snapshot holds the chunk.
        world.set(IVec3::new(40, 3, 3), Voxel::full(9));
        world.set(IVec3::new(41, 3, 3), Voxel::full(7));
        assert_eq!(count_all(&mut files, &world), 1);
        world.remove(ChunkPos::new(4, 0, 0));
        assert_eq!(count_all(&mut files, &world), 0);

        let mut fresh = Files::default();
        assert_eq!(count_all(&mut fresh, &world), 4);
        assert_eq!(files.sum(), fresh.sum());
        assert_eq!(files.sum().counted, 4);
        assert_eq!(files.of_chunk(ChunkPos::new(4, 0, 0)), None);
    }
}
