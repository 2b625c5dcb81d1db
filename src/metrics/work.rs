//! What the game's tasks do with voxels, counted: the 0fps text's task table, measured instead of estimated.
//!
//! The text sorts the tasks of a voxel engine by how they go at voxels (one at random, or many in order) and argues that
//! the latter dominates, so that a store should be chosen for iteration. So whoever works on voxels says what it did, and
//! the panel and `stonerun lab fly` add it up. An iteration is counted twice: in voxels, as the text does and as a flat
//! array would pay for it, and in runs, which is what it costs here.

use crate::voxel::CHUNK_VOLUME;
use std::ops::{Add, AddAssign, Sub};

/// The text's tasks, network traffic left out.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Task {
    /// Placing and breaking blocks.
    Placing,
    /// Whether bodies can go where they want.
    Collision,
    /// Rays: what is under the crosshair, whether the sky is open.
    Picking,
    /// Spreading light.
    Lighting,
    /// Matter that moves by itself.
    Physics,
    /// Meshes of chunks.
    Meshing,
    /// Encoding chunks for the map file.
    Saving,
}

impl Task {
    /// All, in the text's order.
    pub const ALL: [Task; 7] =
        [Task::Placing, Task::Collision, Task::Picking, Task::Lighting, Task::Physics, Task::Meshing, Task::Saving];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Task::Placing => "placing",
            Task::Collision => "collision",
            Task::Picking => "picking",
            Task::Lighting => "lighting",
            Task::Physics => "physics",
            Task::Meshing => "meshing",
            Task::Saving => "saving",
        }
    }
}

/// Operations on voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Counts {
    /// Voxels read one by one.
    pub random_reads: u64,
    /// Voxels written one by one.
    pub random_writes: u64,
    /// Voxels that were gone through in order.
    pub voxels_iterated: u64,
    /// The runs that these were.
    pub runs_iterated: u64,
}

impl Counts {
    /// Voxels read one by one.
    #[must_use]
    pub fn reads(count: u64) -> Counts {
        Counts { random_reads: count, ..Counts::default() }
    }

    /// Voxels written one by one.
    #[must_use]
    pub fn writes(count: u64) -> Counts {
        Counts { random_writes: count, ..Counts::default() }
    }

    /// A chunk that was gone through in order, in so many runs.
    #[must_use]
    pub fn chunk(runs: u64) -> Counts {
        Counts { voxels_iterated: CHUNK_VOLUME as u64, runs_iterated: runs, ..Counts::default() }
    }

    fn combine(self, other: Counts, with: fn(u64, u64) -> u64) -> Counts {
        Counts {
            random_reads: with(self.random_reads, other.random_reads),
            random_writes: with(self.random_writes, other.random_writes),
            voxels_iterated: with(self.voxels_iterated, other.voxels_iterated),
            runs_iterated: with(self.runs_iterated, other.runs_iterated),
        }
    }
}

impl Add for Counts {
    type Output = Counts;

    fn add(self, other: Counts) -> Counts {
        self.combine(other, |a, b| a + b)
    }
}

impl AddAssign for Counts {
    fn add_assign(&mut self, other: Counts) {
        *self = *self + other;
    }
}

impl Sub for Counts {
    type Output = Counts;

    /// What was done since `other`, an earlier sum.
    fn sub(self, other: Counts) -> Counts {
        self.combine(other, |a, b| a - b)
    }
}

/// What was done, task by task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Work([Counts; Task::ALL.len()]);

impl Work {
    /// Adds what was done for `task`.
    pub fn add(&mut self, task: Task, counts: Counts) {
        self.0[task as usize] += counts;
    }

    /// What was done for `task`.
    #[must_use]
    pub fn of(&self, task: Task) -> Counts {
        self.0[task as usize]
    }

    /// What was done for all tasks.
    #[must_use]
    pub fn sum(&self) -> Counts {
        self.0.into_iter().fold(Counts::default(), Add::add)
    }

    /// What was done since `earlier`, the same sums at an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &Work) -> Work {
        Work(std::array::from_fn(|task| self.0[task] - earlier.0[task]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_has_its_own_account() {
        let mut work = Work::default();
        for (i, task) in Task::ALL.into_iter().enumerate() {
            (0..=i).for_each(|_| work.add(task, Counts::chunk(10) + Counts::reads(2)));
        }
        let earlier = work;
        work.add(Task::Saving, Counts::writes(3));
        for (i, task) in Task::ALL.into_iter().enumerate() {
            let times = i as u64 + 1;
            assert_eq!(work.of(task).voxels_iterated, times * 32768, "{}", task.name());
            assert_eq!((work.of(task).runs_iterated, work.of(task).random_reads), (times * 10, times * 2));
        }
        assert_eq!(work.since(&earlier).sum(), Counts::writes(3));
        assert_eq!(
            work.sum(),
            Counts { random_writes: 3, random_reads: 56, voxels_iterated: 28 * 32768, runs_iterated: 280 }
        );
    }
}
