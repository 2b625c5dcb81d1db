//! Collision: moves a box through the world without entering anything solid.
//!
//! Each axis is swept on its own, over the whole distance at once, so a box cannot pass through a
//! wall at any speed or frame time. The sweep visits one layer of voxels after the other and ends
//! at the first layer that stops it. Chunks that are not loaded are solid, so it ends at the edge
//! of the loaded world at the latest.
//!
//! Smooth ground has no boxes: [`GroundNearby`] holds its surface near a body, from which a body
//! pushes a [`Pill`] out.

mod aabb;
mod ground;
mod layers;
mod pill;
mod solid_boxes;
mod solidity;
#[cfg(test)]
mod tests;

pub use aabb::Aabb;
pub(crate) use ground::{GroundContact, GroundNearby};
pub(crate) use pill::Pill;
pub use solidity::{SolidPart, Solidity};

use super::World;
use glam::{BVec3, DVec3};
use solid_boxes::SolidBoxWalk;

/// Result of [`sweep_box`].
#[derive(Clone, Copy, PartialEq, Debug)]
pub(crate) struct SweepResult {
    /// Motion that was possible.
    pub motion: DVec3,
    /// Axes on which something stopped the box.
    pub blocked: BVec3,
}

/// Moves `body` by `motion` as far as the world permits: first along y, then along the longer of x
/// and z, then along the other. The sides of `body` must be longer than 2e-6.
///
/// A body outside [`crate::voxel::WORLD_LIMIT`], or with a NaN in its position or motion, is
/// blocked on all axes.
pub(crate) fn sweep_box(
    world: &World,
    solidity: &impl Solidity,
    body: Aabb,
    motion: DVec3,
) -> SweepResult {
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
        let free =
            layers::free_motion(world, solidity, body.translated(result.motion), axis, wanted);
        result.motion[axis] = free;
        result.blocked.set(axis, free != wanted);
    }
    result
}

/// True if no part of `body` is inside anything solid. Nothing outside
/// [`crate::voxel::WORLD_LIMIT`] is free.
pub fn is_free(world: &World, solidity: &impl Solidity, body: Aabb) -> bool {
    let (lo, hi) = body.voxels();
    body.in_world() && SolidBoxWalk::new(world, solidity, lo, hi).all(|solid| !solid.overlaps(body))
}
