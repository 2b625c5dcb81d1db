//! Collision: moves a box through the world without entering anything solid.
//!
//! Each axis is swept on its own, over the whole distance at once, so a box cannot pass through a
//! wall at any speed or frame time. The sweep visits one layer of voxels after the other and ends
//! at the first layer that stops it. Chunks that are not loaded are solid, so it ends at the edge
//! of the loaded world at the latest.

mod layers;
#[cfg(test)]
mod tests;

use super::World;
use crate::voxel::{MaterialTable, Voxel, WORLD_LIMIT};
use glam::{BVec3, DVec3, IVec3};

/// An axis-aligned box in world coordinates.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Aabb {
    /// Lowest corner.
    pub min: DVec3,
    /// Highest corner.
    pub max: DVec3,
}

impl Aabb {
    /// The box moved by `by`.
    #[must_use]
    pub fn translated(self, by: DVec3) -> Aabb {
        Aabb { min: self.min + by, max: self.max + by }
    }

    /// True if the interiors of the two boxes intersect.
    #[must_use]
    pub fn overlaps(self, other: Aabb) -> bool {
        self.min.cmplt(other.max).all() && other.min.cmplt(self.max).all()
    }

    /// True if the box lies within [`WORLD_LIMIT`]; false if any component is NaN.
    fn in_world(self) -> bool {
        let limit = DVec3::splat(f64::from(WORLD_LIMIT));
        self.min.cmpge(-limit).all() && self.max.cmple(limit).all()
    }

    /// First and last voxel that the interior of the box touches.
    fn voxels(self) -> (IVec3, IVec3) {
        (self.min.floor().as_ivec3(), (self.max.ceil() - 1.0).as_ivec3())
    }
}

/// Decides which voxels stop bodies.
pub trait Solidity {
    /// Height up to which `voxel` is solid: 0 if bodies pass through it, 1 for a full block.
    fn solid_height(&self, voxel: Voxel) -> f64;
}

impl Solidity for MaterialTable {
    fn solid_height(&self, voxel: Voxel) -> f64 {
        if voxel == Voxel::NOT_LOADED {
            1.0
        } else if self.is_solid(voxel.material()) {
            f64::from(voxel.fill())
        } else {
            0.0
        }
    }
}

/// Result of [`sweep_box`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct SweepResult {
    /// Motion that was possible.
    pub motion: DVec3,
    /// Axes on which something stopped the box.
    pub blocked: BVec3,
}

/// Gaps smaller than this count as contact: a box that touches a wall slides along it. Rounding
/// stays below it even at the world limit, where adjacent numbers are 1e-7 apart.
const TOUCH: f64 = 1e-6;

/// A box deeper than this in a voxel is not stopped by it, so a body that was built in can leave.
/// Larger than [`TOUCH`], so that a wall the box slides past still stops it from entering.
const INSIDE: f64 = 2.0 * TOUCH;

/// Moves `body` by `motion` as far as the world permits: first along y, then along the longer of x
/// and z, then along the other. The sides of `body` must be longer than 2e-6.
///
/// A body outside [`WORLD_LIMIT`], or with a NaN in its position or motion, is blocked on all axes.
pub fn sweep_box(world: &World, solidity: &impl Solidity, body: Aabb, motion: DVec3) -> SweepResult {
    if !body.in_world() || motion.is_nan() {
        return SweepResult { motion: DVec3::ZERO, blocked: BVec3::TRUE };
    }
    let mut result = SweepResult { motion: DVec3::ZERO, blocked: BVec3::FALSE };
    let order = if motion.x.abs() >= motion.z.abs() { [1, 0, 2] } else { [1, 2, 0] };
    for axis in order {
        let wanted = motion[axis];
        if wanted == 0.0 {
            continue;
        }
        let free = layers::free_motion(world, solidity, body.translated(result.motion), axis, wanted);
        result.motion[axis] = free;
        result.blocked.set(axis, free != wanted);
    }
    result
}

/// True if no part of `body` is inside anything solid. Nothing outside [`WORLD_LIMIT`] is free.
pub fn is_free(world: &World, solidity: &impl Solidity, body: Aabb) -> bool {
    let (lo, hi) = body.voxels();
    body.in_world() && layers::solid_boxes(world, solidity, lo, hi).all(|solid| !solid.overlaps(body))
}
