//! World and materials as a moving body reads them. Voxel reads are counted for the task table of
//! the 0fps text (`stonerun lab fly`).

use crate::voxel::{Face, Joint, MaterialTable, Matter, Voxel};
use crate::world::{
    Aabb, GroundNearby, SolidPart, Solidity, SweepResult, World, is_free, sweep_box,
};
use glam::{BVec3, DVec3};
use std::cell::{Cell, Ref, RefCell};

/// A world that counts the voxels read from it.
pub(super) struct CountedWorld<'a> {
    world: &'a World,
    materials: &'a MaterialTable,
    reads: Cell<u64>,
    /// Smooth ground around the body.
    ground: RefCell<GroundNearby>,
}

impl Solidity for CountedWorld<'_> {
    fn solid_part(&self, voxel: Voxel) -> SolidPart {
        self.reads.set(self.reads.get() + 1);
        self.materials.solid_part(voxel)
    }

    fn joins(&self, voxel: Voxel, side: Face, joint: Joint) -> bool {
        self.reads.set(self.reads.get() + 1);
        self.materials.joins(voxel, side, joint)
    }
}

impl<'a> CountedWorld<'a> {
    pub fn new(world: &'a World, materials: &'a MaterialTable) -> CountedWorld<'a> {
        CountedWorld {
            world,
            materials,
            reads: Cell::new(0),
            ground: RefCell::new(GroundNearby::default()),
        }
    }

    /// Voxels read so far.
    pub fn reads(&self) -> u64 {
        self.reads.get()
    }

    pub fn get(&self, at: DVec3) -> Voxel {
        self.reads.set(self.reads.get() + 1);
        self.world.get(at.floor().as_ivec3())
    }

    /// True if `at` is in a liquid, or below the liquid of a wet voxel.
    pub fn is_liquid(&self, at: DVec3) -> bool {
        self.materials.is_in_liquid(self.get(at), at.y)
    }

    /// Level of the liquid in the voxel at `at`, from 0 to 1. 0 in gas and plants, into which a
    /// liquid could flow; `None` in dry solid voxels and chunks that are not loaded.
    pub(crate) fn liquid_level(&self, at: DVec3) -> Option<f64> {
        let voxel = self.get(at);
        let level = || f64::from(voxel.parts()) / 256.0;
        match self.materials.get(voxel.material())?.matter {
            _ if voxel.is_wet() => Some(level()),
            Matter::Liquid => Some(level()),
            Matter::Gas | Matter::Plant => Some(0.0),
            Matter::Solid => None,
        }
    }

    pub fn is_free(&self, body: Aabb) -> bool {
        self.ground().is_free_of_boxes(body) || is_free(self.world, self, body)
    }

    pub fn sweep(&self, body: Aabb, by: DVec3) -> SweepResult {
        if self.ground().is_free_of_boxes(body.swept(by)) {
            return SweepResult { motion: by, blocked: BVec3::FALSE };
        }
        sweep_box(self.world, self, body, by)
    }

    /// Motion of a climb of `body`: up by at most `height`, then sideways by `along`, then down
    /// onto the ledge.
    pub fn climb(&self, body: Aabb, along: DVec3, height: f64) -> DVec3 {
        let up = self.sweep(body, DVec3::Y * height).motion;
        let on = self.sweep(body.translated(up), along).motion;
        let down = self.sweep(body.translated(up + on), -up).motion;
        up + on + down
    }

    /// True if the map has materials of smooth ground.
    pub fn has_smooth(&self) -> bool {
        self.materials.has_smooth()
    }

    /// Reads the surface of smooth ground in a box.
    pub fn read_ground(&self, area: Aabb) {
        let reads = self.ground.borrow_mut().read(self.world, self.materials, area);
        self.reads.set(self.reads.get() + reads);
    }

    /// The surface that was read last.
    pub fn ground(&self) -> Ref<'_, GroundNearby> {
        self.ground.borrow()
    }
}
