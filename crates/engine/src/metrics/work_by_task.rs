//! Voxel operations by task: the 0fps text's task table, counted instead of estimated.
//!
//! The text sorts the tasks of a voxel engine by their access pattern (single voxels at random, or
//! many in order), argues that iteration dominates, and concludes that a store should be chosen for
//! iteration. Here each task records its operations; the panel and `stonerun lab fly` add them up.
//! An iteration is counted in two units: in voxels, which a flat array would visit and which the
//! text counts, and in runs, which is what it costs here.
//!
//! Covered tasks of the text: placing and removing blocks, collision detection, picking, lighting,
//! physics updates, mesh generation and disk serialisation. Not covered: network serialisation,
//! which the game does not do.

use crate::variants;
use crate::voxel::CHUNK_VOLUME;
use std::ops::{Add, AddAssign, Sub};
use strum::VariantArray;

/// A task that accesses voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub enum VoxelTask {
    /// Placing and breaking blocks.
    Placing,
    /// Collision of bodies with the world.
    Collision,
    /// Rays: the voxel under the crosshair.
    Picking,
    /// Lighting chunks.
    Lighting,
    /// Rules: sand, water, growth. Its runs are fused runs.
    Physics,
    /// Building meshes of chunks.
    Meshing,
    /// Encoding chunks for the map file.
    Saving,
}

impl VoxelTask {
    /// All tasks, in the 0fps text's order.
    pub const ALL: [VoxelTask; 7] = variants::all();

    /// Name in tables.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            VoxelTask::Placing => "placing",
            VoxelTask::Collision => "collision",
            VoxelTask::Picking => "picking",
            VoxelTask::Lighting => "lighting",
            VoxelTask::Physics => "physics",
            VoxelTask::Meshing => "meshing",
            VoxelTask::Saving => "saving",
        }
    }
}

/// Numbers of voxel operations of each kind.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct VoxelOps {
    /// Single voxels read.
    pub random_reads: u64,
    /// Single voxels written.
    pub random_writes: u64,
    /// Voxels visited in order.
    pub voxels_iterated: u64,
    /// Runs that contain the voxels visited in order.
    pub runs_iterated: u64,
}

impl VoxelOps {
    /// Returns the operations of `count` reads of single voxels.
    #[must_use]
    pub fn reads(count: u64) -> VoxelOps {
        VoxelOps { random_reads: count, ..VoxelOps::default() }
    }

    /// Returns the operations of `count` writes of single voxels.
    #[must_use]
    pub fn writes(count: u64) -> VoxelOps {
        VoxelOps { random_writes: count, ..VoxelOps::default() }
    }

    /// Returns the operations of a walk over a whole chunk of `runs` runs.
    #[must_use]
    pub fn chunk_walk(runs: u64) -> VoxelOps {
        VoxelOps {
            voxels_iterated: CHUNK_VOLUME as u64,
            runs_iterated: runs,
            ..VoxelOps::default()
        }
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

    /// Returns the operations since `other`, an earlier sum.
    fn sub(self, other: VoxelOps) -> VoxelOps {
        self.combine(other, |a, b| a - b)
    }
}

/// Voxel operations of each task.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct WorkByTask([VoxelOps; VoxelTask::ALL.len()]);

impl WorkByTask {
    /// Adds operations of `task`.
    pub fn add(&mut self, task: VoxelTask, ops: VoxelOps) {
        self.0[task as usize] += ops;
    }

    /// Operations of `task`.
    #[must_use]
    pub fn get(&self, task: VoxelTask) -> VoxelOps {
        self.0[task as usize]
    }

    /// Operations of all tasks together.
    #[must_use]
    pub fn total(&self) -> VoxelOps {
        self.0.into_iter().fold(VoxelOps::default(), Add::add)
    }

    /// Returns the operations since `earlier`, an earlier copy.
    #[must_use]
    pub fn since(&self, earlier: &WorkByTask) -> WorkByTask {
        WorkByTask(std::array::from_fn(|task| self.0[task] - earlier.0[task]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn operations_are_summed_per_task() {
        let mut work = WorkByTask::default();
        for (i, task) in VoxelTask::ALL.into_iter().enumerate() {
            for _ in 0..=i {
                work.add(task, VoxelOps::chunk_walk(10) + VoxelOps::reads(2));
            }
        }
        let earlier = work;
        work.add(VoxelTask::Saving, VoxelOps::writes(3));
        for (i, task) in VoxelTask::ALL.into_iter().enumerate() {
            let times = i as u64 + 1;
            assert_eq!(work.get(task).voxels_iterated, times * 32768, "{}", task.name());
            assert_eq!(
                (work.get(task).runs_iterated, work.get(task).random_reads),
                (times * 10, times * 2)
            );
        }
        assert_eq!(work.since(&earlier).total(), VoxelOps::writes(3));
        assert_eq!(
            work.total(),
            VoxelOps {
                random_writes: 3,
                random_reads: 56,
                voxels_iterated: 28 * 32768,
                runs_iterated: 280
            }
        );
    }
}
