//! World and materials as a moving body reads them. Voxel reads are counted for the task table of
//! the 0fps text (`stonerun lab fly`).

use crate::voxel::{MaterialTable, Matter, Voxel};
use crate::world::{Aabb, SolidPart, Solidity, SweepResult, World, is_free, sweep_box};
use glam::DVec3;
use std::cell::Cell;

/// A world that counts the voxels read from it.
pub(super) struct CountedWorld<'a> {
    world: &'a World,
    materials: &'a MaterialTable,
    reads: Cell<u64>,
}

impl Solidity for CountedWorld<'_> {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        self.reads.set(self.reads.get() + 1);
        self.materials.solid_part(voxel)
    }
}

impl<'a> CountedWorld<'a> {
    pub fn new(world: &'a World, materials: &'a MaterialTable) -> CountedWorld<'a> {
        CountedWorld { world, materials, reads: Cell::new(0) }
    }

    /// Voxels read so far.
    pub fn reads(&self) -> u64 {
        self.reads.get()
    }

    pub fn get(&self, at: DVec3) -> Voxel {
        self.reads.set(self.reads.get() + 1);
        self.world.get(at.floor().as_ivec3())
    }

    pub fn matter(&self, at: DVec3) -> Option<Matter> {
        self.materials.get(self.get(at).material()).map(|material| material.matter)
    }

    /// Level of the liquid in the voxel at `at`, from 0 to 1. 0 in gas and plants, into which a
    /// liquid could flow; `None` in solid voxels and chunks that are not loaded.
    pub(crate) fn liquid_level(&self, at: DVec3) -> Option<f64> {
        let voxel = self.get(at);
        match self.materials.get(voxel.material())?.matter {
            Matter::Liquid => Some((f64::from(voxel.occupancy()) + 1.0) / 256.0),
            Matter::Gas | Matter::Plant => Some(0.0),
            Matter::Solid => None,
        }
    }

    pub fn is_free(&self, body: Aabb) -> bool {
        is_free(self.world, self, body)
    }

    pub fn sweep(&self, body: Aabb, by: DVec3) -> SweepResult {
        sweep_box(self.world, self, body, by)
    }
}
