//! Voxel operations per second of each task, averaged over two seconds.

use bevy::prelude::Resource;
use std::collections::VecDeque;
use stonerun_engine::metrics::{VoxelOps, VoxelTask, WorkByTask};

/// Seconds between two samples.
const EVERY: f64 = 0.25;
/// Number of seconds that a rate covers.
const SPAN: f64 = 2.0;

/// Samples of the counters over the last [`SPAN`] seconds, with their times, oldest first.
#[derive(Resource, Default)]
pub struct Rates(VecDeque<(f64, WorkByTask)>);

impl Rates {
    /// Records the sums at `now`, in seconds, if a sample is due.
    pub fn sample(&mut self, now: f64, work: &WorkByTask) {
        if self.0.back().is_some_and(|(then, _)| now - then < EVERY) {
            return;
        }
        self.0.push_back((now, *work));
        // Drops samples until the oldest one is the newest of those that are at least `SPAN` old.
        while self.0.get(1).is_some_and(|(then, _)| now - then >= SPAN) {
            self.0.pop_front();
        }
    }

    /// Operations of `task` per second, in the order of [`parts`]; `None` before the second sample.
    #[must_use]
    pub fn per_second(&self, task: VoxelTask) -> Option<[f64; 4]> {
        let (from, first) = self.0.front()?;
        let (to, last) = self.0.back()?;
        let counts = last.since(first).get(task);
        (to > from).then(|| parts(counts).map(|count| count as f64 / (to - from)))
    }
}

/// Random reads, random writes, voxels iterated and runs iterated: the order of the page's columns.
#[must_use]
pub fn parts(counts: VoxelOps) -> [u64; 4] {
    [counts.random_reads, counts.random_writes, counts.voxels_iterated, counts.runs_iterated]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rates_cover_the_last_seconds() {
        let mut rates = Rates::default();
        let mut work = WorkByTask::default();
        assert_eq!(rates.per_second(VoxelTask::Picking), None);
        // At 60 frames per second, ten reads per frame for five seconds, then twenty.
        for frame in 0..600 {
            work.add(VoxelTask::Picking, VoxelOps::reads(if frame < 300 { 10 } else { 20 }));
            rates.sample(f64::from(frame) / 60.0, &work);
            let expected = match frame {
                60..300 => 600.0,
                450.. => 1200.0,
                _ => continue,
            };
            assert_eq!(
                rates.per_second(VoxelTask::Picking).map(|[reads, ..]| reads.round()),
                Some(expected),
                "frame {frame}"
            );
        }
        assert_eq!(rates.per_second(VoxelTask::Saving), Some([0.0; 4]));
        assert!(rates.0.len() < 12);
    }
}
