//! The sweep along one axis, layer by layer.

use super::aabb::Aabb;
use super::solid_boxes::SolidBoxWalk;
use super::solidity::Solidity;
use crate::voxel::WORLD_LIMIT;
use crate::world::World;
use glam::DVec3;

/// Gaps smaller than this count as contact, so that a box that touches a wall slides along it.
/// Rounding errors stay below it even at the world limit, where adjacent numbers are 1e-7 apart.
pub(super) const TOUCH: f64 = 1e-6;

/// A voxel does not stop a box that is deeper inside it than this, so a body enclosed by a placed
/// block can leave. Larger than [`TOUCH`], so that a wall the box slides past still stops it from
/// entering.
const INSIDE: f64 = 2.0 * TOUCH;

/// Part of the motion `wanted` along `axis` that is free for `body`.
pub(super) fn free_motion(
    world: &World,
    solidity: &impl Solidity,
    body: Aabb,
    axis: usize,
    wanted: f64,
) -> f64 {
    // Shrinks the body on the other two axes, so that walls it only touches do not stop it.
    let mut across = DVec3::splat(TOUCH);
    across[axis] = 0.0;
    let body = Aabb { min: body.min + across, max: body.max - across };
    let mut swept = body;
    if wanted > 0.0 {
        swept.max[axis] += wanted;
        swept.min[axis] = body.max[axis];
    } else {
        swept.min[axis] += wanted;
        swept.max[axis] = body.min[axis];
    }
    let (lo, hi) = swept.voxels();
    // Visits one more layer at each end: a solid box that the body touches, or overlaps by less
    // than TOUCH, may begin there.
    let (mut layer, last, step) = if wanted > 0.0 {
        (lo[axis] - 1, hi[axis].saturating_add(1).min(WORLD_LIMIT), 1)
    } else {
        (hi[axis] + 1, lo[axis].saturating_sub(1).max(-WORLD_LIMIT - 1), -1)
    };
    loop {
        let mut lo = lo;
        let mut hi = hi;
        lo[axis] = layer;
        hi[axis] = layer;
        let mut free = wanted;
        for solid in SolidBoxWalk::new(world, solidity, lo, hi) {
            let mut meets = true;
            for other in (0..3).filter(|&a| a != axis) {
                meets &= solid.min[other] < body.max[other] && body.min[other] < solid.max[other];
            }
            if !meets {
                continue;
            }
            if wanted > 0.0 {
                let gap = solid.min[axis] - body.max[axis];
                if gap > -INSIDE {
                    free = free.min(gap.max(0.0));
                }
            } else {
                let gap = solid.max[axis] - body.min[axis];
                if gap < INSIDE {
                    free = free.max(gap.min(0.0));
                }
            }
        }
        // Solid boxes of this layer are nearer than all boxes of further layers.
        if free != wanted || layer == last {
            return free;
        }
        layer += step;
    }
}
