//! Statistics of lighting.

use std::time::Duration;
use stonerun_engine::light::LightCounts;
use stonerun_engine::metrics::VoxelOps;
use stonerun_engine::voxel::CHUNK_VOLUME;

/// Counts and times of lighting.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct LightWork {
    /// Chunks lit; a chunk that is lit twice counts twice.
    pub chunks: u64,
    /// Chunks lit for the first time since they were loaded.
    pub first: u64,
    /// Time for all lit chunks.
    pub time: Duration,
    /// Frames in which edits were lit at once.
    pub edits: u64,
    /// Time of the latest edit.
    pub last_edit: Duration,
    /// Time of the longest edit.
    pub longest_edit: Duration,
    /// Voxels read, and the runs that contain them.
    pub ops: VoxelOps,
}

impl LightWork {
    /// The work of a background task.
    #[must_use]
    pub fn from_task(time: Duration, counts: LightCounts) -> LightWork {
        let ops = VoxelOps {
            voxels_iterated: counts.chunks * CHUNK_VOLUME as u64,
            runs_iterated: counts.runs,
            ..VoxelOps::default()
        };
        LightWork { chunks: counts.chunks, time, ops, ..LightWork::default() }
    }

    /// Adds the counts and times of `other`.
    pub fn add(&mut self, other: &LightWork) {
        self.chunks += other.chunks;
        self.first += other.first;
        self.time += other.time;
        self.ops += other.ops;
    }

    /// Adds the lighting of edits in one frame.
    pub fn add_edit(&mut self, time: Duration, counts: LightCounts) {
        self.add(&LightWork::from_task(time, counts));
        self.edits += 1;
        self.last_edit = time;
        self.longest_edit = self.longest_edit.max(time);
    }

    /// Mean number of times a loaded chunk was lit; zero before the first.
    #[must_use]
    pub fn times_per_chunk(&self) -> f64 {
        self.chunks as f64 / self.first.max(1) as f64
    }

    /// Mean time per chunk; zero before the first.
    #[must_use]
    pub fn time_per_chunk(&self) -> Duration {
        self.time.checked_div(u32::try_from(self.chunks).unwrap_or(u32::MAX)).unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn edits_and_tasks_are_summed() {
        let ms = Duration::from_millis;
        let mut work = LightWork::from_task(ms(6), LightCounts { chunks: 10, runs: 500 });
        assert_eq!((work.edits, work.time_per_chunk()), (0, Duration::from_micros(600)));
        work.add_edit(ms(3), LightCounts { chunks: 2, runs: 40 });
        work.add_edit(ms(1), LightCounts { chunks: 3, runs: 60 });
        assert_eq!(
            (work.chunks, work.edits, work.last_edit, work.longest_edit),
            (15, 2, ms(1), ms(3))
        );
        assert_eq!((work.ops.voxels_iterated, work.ops.runs_iterated), (15 * 32_768, 600));
        assert_eq!(LightWork { first: 10, ..work }.times_per_chunk(), 1.5);
        assert_eq!(LightWork::default().time_per_chunk(), Duration::ZERO);
    }
}
