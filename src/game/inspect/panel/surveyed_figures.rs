//! Figures of chunks, kept up to date in background batches, with their sum.
//!
//! Measuring everything takes seconds. Therefore the figures of each chunk are kept with the
//! revision that they belong to, and only new or changed chunks are measured, one batch at a time.

use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use rustc_hash::FxHashMap;
use stonerun_engine::metrics::RunStats;
use stonerun_engine::metrics::storage::Sizes;
use stonerun_engine::voxel::ChunkPos;

/// Minimum number of seconds between two surveys of all chunks. Without it, every frame would
/// survey while chunks stream in or the player digs.
pub(super) const SURVEY: f32 = 0.25;

/// Figures of a chunk that can be summed.
pub(super) trait ChunkFigures: Copy + Default + Send + 'static {
    /// Adds the figures of a chunk.
    fn include(&mut self, other: Self);
    /// Subtracts figures that were added earlier.
    fn exclude(&mut self, other: Self);
}

impl ChunkFigures for Sizes {
    fn include(&mut self, other: Sizes) {
        self.add(&other);
    }

    fn exclude(&mut self, other: Sizes) {
        self.subtract(&other);
    }
}

impl ChunkFigures for RunStats {
    fn include(&mut self, other: RunStats) {
        self.add(other);
    }

    fn exclude(&mut self, other: RunStats) {
        self.subtract(other);
    }
}

/// Figures of one chunk, and the revision they belong to.
#[derive(Clone, Copy)]
pub(super) struct SurveyedChunk<F> {
    pub revision: u64,
    pub figures: F,
}

/// Measured chunks.
type Batch<F> = Vec<(ChunkPos, SurveyedChunk<F>)>;

/// Figures of chunks, and the chunks to measure. Callers pass the present revision of a chunk,
/// which is `None` for a chunk that must have no figures.
#[derive(Default)]
pub(super) struct SurveyedFigures<F> {
    entries: FxHashMap<ChunkPos, SurveyedChunk<F>>,
    sum: F,
    due: Vec<ChunkPos>,
    task: Option<Task<Batch<F>>>,
    /// Revision of the whole world at the last survey.
    surveyed: Option<u64>,
    /// Seconds since the last survey.
    since: f32,
}

impl<F: ChunkFigures> SurveyedFigures<F> {
    /// Sum over the chunks measured so far.
    pub fn sum(&self) -> F {
        self.sum
    }

    /// Figures of one chunk, if measured.
    pub fn of_chunk(&self, pos: ChunkPos) -> Option<F> {
        self.entries.get(&pos).map(|entry| entry.figures)
    }

    /// True if the sum covers all chunks at `revision`, which changes with every change of a chunk.
    pub fn is_complete(&self, revision: u64) -> bool {
        self.surveyed == Some(revision) && self.due.is_empty() && self.task.is_none()
    }

    /// True if the figures of the chunk at `pos` belong to its present `revision`; for `None`, true
    /// if it has no figures.
    pub fn is_current(&self, pos: ChunkPos, revision: Option<u64>) -> bool {
        self.entries.get(&pos).map(|entry| entry.revision) == revision
    }

    /// Replaces the figures of a chunk.
    pub fn put(&mut self, pos: ChunkPos, entry: SurveyedChunk<F>) {
        self.sum.include(entry.figures);
        if let Some(old) = self.entries.insert(pos, entry) {
            self.sum.exclude(old.figures);
        }
    }

    /// Applies a finished batch. `seconds` is the time since the last call. Returns false while a
    /// batch is being measured.
    pub fn take_batch(
        &mut self,
        seconds: f32,
        revision_of: impl Fn(ChunkPos) -> Option<u64>,
    ) -> bool {
        self.since += seconds;
        if let Some(task) = &mut self.task {
            let Some(batch) = check_ready(task) else { return false };
            self.task = None;
            for (pos, entry) in batch {
                // A chunk that has changed or was unloaded is left to the next survey.
                if revision_of(pos) == Some(entry.revision) {
                    self.put(pos, entry);
                }
            }
        }
        true
    }

    /// True if it is time for a survey at `revision`, which changes with every change of a chunk.
    pub fn is_survey_due(&self, revision: u64) -> bool {
        let is_time = self.surveyed.is_none() || self.since >= SURVEY;
        self.surveyed != Some(revision) && self.due.is_empty() && is_time
    }

    /// Drops the figures of chunks that are gone, and queues new or changed chunks. Returns the
    /// number of `chunks`.
    pub fn survey(
        &mut self,
        revision: u64,
        chunks: impl Iterator<Item = ChunkPos>,
        revision_of: impl Fn(ChunkPos) -> Option<u64>,
    ) -> u64 {
        for (_, entry) in self.entries.extract_if(|pos, _| revision_of(*pos).is_none()) {
            self.sum.exclude(entry.figures);
        }
        let mut due: Vec<ChunkPos> = chunks.collect();
        let count = due.len() as u64;
        due.retain(|&pos| !self.is_current(pos, revision_of(pos)));
        self.due = due;
        self.surveyed = Some(revision);
        self.since = 0.0;
        count
    }

    /// Removes and returns the next queued chunk. It may have been measured or unloaded by then.
    pub fn next_due(&mut self) -> Option<ChunkPos> {
        self.due.pop()
    }

    /// Measures a batch in the background.
    pub fn start(&mut self, measure: impl FnOnce() -> Batch<F> + Send + 'static) {
        self.task = Some(AsyncComputeTaskPool::get().spawn(async move { measure() }));
    }

    /// Number of measured chunks.
    #[cfg(test)]
    pub fn len(&self) -> usize {
        self.entries.len()
    }
}
