//! Figures of chunks, kept current in background batches, with their sum.
//!
//! Measuring everything takes seconds, so each chunk's figures are kept with the revision they
//! belong to, and only new or changed chunks are measured: one batch at a time.

use bevy::tasks::futures::check_ready;
use bevy::tasks::{AsyncComputeTaskPool, Task};
use rustc_hash::FxHashMap;
use stonerun_engine::metrics::RunStats;
use stonerun_engine::metrics::storage::Sizes;
use stonerun_engine::voxel::ChunkPos;

/// Seconds between two surveys of all chunks: while streaming or digging, something changes in
/// every frame.
pub(super) const SURVEY: f32 = 0.25;

/// Figures of a chunk that can be summed.
pub(super) trait ChunkFigures: Copy + Default + Send + 'static {
    /// Adds the figures of a chunk.
    fn include(&mut self, other: Self);
    /// Subtracts figures that were added before.
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

/// Figures of chunks, and the chunks to measure. The caller passes the present revision of a chunk,
/// `None` for a chunk without figures.
#[derive(Default)]
pub(super) struct SurveyedFigures<F> {
    entries: FxHashMap<ChunkPos, SurveyedChunk<F>>,
    sum: F,
    due: Vec<ChunkPos>,
    task: Option<Task<Batch<F>>>,
    /// Revision of all chunks together at the last survey.
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

    /// True if the sum covers all chunks of `revision`, which counts changes of any chunk.
    pub fn is_complete(&self, revision: u64) -> bool {
        self.surveyed == Some(revision) && self.due.is_empty() && self.task.is_none()
    }

    /// True if the chunk at `pos` was measured at its present `revision`, or has none and was not
    /// measured.
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

    /// Takes in a finished batch; `seconds` have passed since the last call. False while a batch is
    /// being measured.
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
                // Otherwise the chunk has changed or is gone; the next survey handles it.
                if revision_of(pos) == Some(entry.revision) {
                    self.put(pos, entry);
                }
            }
        }
        true
    }

    /// True if it is time for a survey of `revision`, which counts changes of any chunk.
    pub fn is_survey_due(&self, revision: u64) -> bool {
        let is_time = self.surveyed.is_none() || self.since >= SURVEY;
        self.surveyed != Some(revision) && self.due.is_empty() && is_time
    }

    /// Drops the figures of chunks that are gone, and queues new or changed ones. Returns the
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

    /// Takes the next queued chunk. It may be measured or gone by then.
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
