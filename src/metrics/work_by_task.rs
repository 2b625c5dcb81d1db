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
pub enum VoxelTask {
    /// Placing and breaking blocks.
    Placing,
    /// Whether bodies can go where they want.
    Collision,
    /// Rays: what is under the crosshair, whether the sky is open.
    Picking,
    /// Meshes of chunks.
    Meshing,
    /// Encoding chunks for the map file.
    Saving,
}

impl VoxelTask {
    /// All, in the text's order.
    pub const ALL: [VoxelTask; 5] =
        [VoxelTask::Placing, VoxelTask::Collision, VoxelTask::Picking, VoxelTask::Meshing, VoxelTask::Saving];

    /// Its name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            VoxelTask::Placing => "placing",
            VoxelTask::Collision => "collision",
            VoxelTask::Picking => "picking",
            VoxelTask::Meshing => "meshing",
            VoxelTask::Saving => "saving",
        }
    }
}

/// Operations on voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VoxelOps {
    /// Voxels read one by one.
    pub random_reads: u64,
    /// Voxels written one by one.
    pub random_writes: u64,
    /// Voxels that were gone through in order.
    pub voxels_iterated: u64,
    /// The runs that these were.
    pub runs_iterated: u64,
}

impl VoxelOps {
    /// Voxels read one by one.
    #[must_use]
    pub fn reads(count: u64) -> VoxelOps {
        VoxelOps { random_reads: count, ..VoxelOps::default() }
    }

    /// Voxels written one by one.
    #[must_use]
    pub fn writes(count: u64) -> VoxelOps {
        VoxelOps { random_writes: count, ..VoxelOps::default() }
    }

    /// A chunk that was gone through in order, in so many runs.
    #[must_use]
    pub fn chunk_walk(runs: u64) -> VoxelOps {
        VoxelOps { voxels_iterated: CHUNK_VOLUME as u64, runs_iterated: runs, ..VoxelOps::default() }
    }

    fn combine(self, other: VoxelOps, with: fn(u64, u64) -> u64) -> VoxelOps {
        VoxelOps {
            random_reads: with(self.random_reads, other.random_reads),
            random_writes: with(self.random_writes, other.random_writes),
            voxels_iterated: with(self.voxels_iterated, other.voxels_iterated),
            runs_iterated: with(self.runs_iterated, other.runs_iterated),
        }
    }
}

impl Add for VoxelOps {
    type Output = VoxelOps;

    fn add(self, other: VoxelOps) -> VoxelOps {
        self.combine(other, |a, b| a + b)
    }
}

impl AddAssign for VoxelOps {
    fn add_assign(&mut self, other: VoxelOps) {
        *self = *self + other;
    }
}

impl Sub for VoxelOps {
    type Output = VoxelOps;

    /// What was done since `other`, an earlier sum.
    fn sub(self, other: VoxelOps) -> VoxelOps {
        self.combine(other, |a, b| a - b)
    }
}

/// What was done, task by task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkByTask([VoxelOps; VoxelTask::ALL.len()]);

impl WorkByTask {
    /// Adds what was done for `task`.
    pub fn add(&mut self, task: VoxelTask, counts: VoxelOps) {
        self.0[task as usize] += counts;
    }

    /// What was done for `task`.
    #[must_use]
    pub fn get(&self, task: VoxelTask) -> VoxelOps {
        self.0[task as usize]
    }

    /// What was done for all tasks.
    #[must_use]
    pub fn total(&self) -> VoxelOps {
        self.0.into_iter().fold(VoxelOps::default(), Add::add)
    }

    /// What was done since `earlier`, the same sums at an earlier moment.
    #[must_use]
    pub fn since(&self, earlier: &WorkByTask) -> WorkByTask {
        WorkByTask(std::array::from_fn(|task| self.0[task] - earlier.0[task]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_task_has_its_own_account() {
        let mut work = WorkByTask::default();
        for (i, task) in VoxelTask::ALL.into_iter().enumerate() {
            (0..=i).for_each(|_| work.add(task, VoxelOps::chunk_walk(10) + VoxelOps::reads(2)));
        }
        let earlier = work;
        work.add(VoxelTask::Saving, VoxelOps::writes(3));
        for (i, task) in VoxelTask::ALL.into_iter().enumerate() {
            let times = i as u64 + 1;
            assert_eq!(work.get(task).voxels_iterated, times * 32768, "{}", task.name());
            assert_eq!((work.get(task).runs_iterated, work.get(task).random_reads), (times * 10, times * 2));
        }
        assert_eq!(work.since(&earlier).total(), VoxelOps::writes(3));
        assert_eq!(
            work.total(),
            VoxelOps { random_writes: 3, random_reads: 56, voxels_iterated: 28 * 32768, runs_iterated: 280 }
        );
    }
}
