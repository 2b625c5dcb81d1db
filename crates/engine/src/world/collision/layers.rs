//! The sweep along one axis, layer by layer.

use super::aabb::Aabb;
use super::solidity::Solidity;
use crate::voxel::WORLD_LIMIT;
use crate::world::World;
use glam::{DVec3, IVec3};

/// Gaps smaller than this count as contact: a box that touches a wall slides along it. Rounding
/// stays below it even at the world limit, where adjacent numbers are 1e-7 apart.
pub(super) const TOUCH: f64 = 1e-6;

/// A box deeper than this in a voxel is not stopped by it, so a body that was built in can leave.
/// Larger than [`TOUCH`], so that a wall the box slides past still stops it from entering.
const INSIDE: f64 = 2.0 * TOUCH;

/// Part of the motion `wanted` along `axis` that is free for `body`.
pub(super) fn free_motion(world: &World, solidity: &impl Solidity, body: Aabb, axis: usize, wanted: f64) -> f64 {
    // Shrinks the box across the axis, so that walls it only touches do not stop it.
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
    // One more layer at each end: what the body touches, or overlaps by less than TOUCH, may begin
    // there.
    let (mut layer, last, step) = if wanted > 0.0 {
        (lo[axis] - 1, hi[axis].saturating_add(1).min(WORLD_LIMIT), 1)
    } else {
        (hi[axis] + 1, lo[axis].saturating_sub(1).max(-WORLD_LIMIT - 1), -1)
    };
    loop {
        let (mut lo, mut hi) = (lo, hi);
        (lo[axis], hi[axis]) = (layer, layer);
        let mut free = wanted;
        for solid in solid_boxes(world, solidity, lo, hi) {
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
        // Solid boxes of this layer stop the body before those of all further layers.
        if free != wanted || layer == last {
            return free;
        }
        layer += step;
    }
}

/// Solid boxes of the voxels from `lo` to `hi`, both included.
pub(super) fn solid_boxes<'a>(
    world: &'a World,
    solidity: &'a impl Solidity,
    lo: IVec3,
    hi: IVec3,
) -> impl Iterator<Item = Aabb> + 'a {
    (lo.y..=hi.y).flat_map(move |y| {
        (lo.z..=hi.z).flat_map(move |z| {
            (lo.x..=hi.x).flat_map(move |x| {
                let at = IVec3::new(x, y, z);
                solidity.solid_part(world.get(at)).boxes(at.as_dvec3())
            })
        })
    })
}
