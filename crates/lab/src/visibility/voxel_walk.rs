//! The voxels along a ray, one by one.
//!
//! Rays verify the visibility code, so this code shares nothing with it: no boxes, no slopes, no
//! large steps, and 64-bit numbers. Each crossing of a voxel border is computed from the ray's
//! origin, so that errors do not add up.

use glam::{DVec3, IVec3};

/// An endless iterator over the voxels along a ray.
#[derive(Clone, Debug)]
pub struct VoxelWalk {
    origin: DVec3,
    inverse: DVec3,
    step: IVec3,
    /// Offset of the next border from the voxel's lower border, by axis: 0 or 1.
    border_offset: IVec3,
    voxel: IVec3,
    /// Ray parameter of the next border, by axis.
    next: DVec3,
}

impl VoxelWalk {
    /// Starts at `origin`. `direction` may have any length but zero. A ray along an edge between
    /// voxels visits the voxels on the upper side of the edge.
    #[must_use]
    pub fn new(origin: DVec3, direction: DVec3) -> VoxelWalk {
        let voxel = origin.floor().as_ivec3();
        let step = IVec3::from_array(
            direction.to_array().map(|d| i32::from(d > 0.0) - i32::from(d < 0.0)),
        );
        let mut walk = VoxelWalk {
            origin,
            inverse: direction.recip(),
            step,
            border_offset: step.max(IVec3::ZERO),
            voxel,
            next: DVec3::INFINITY,
        };
        for axis in 0..3 {
            walk.update_border(axis);
        }
        walk
    }

    /// Computes the ray parameter of the next border across `axis`.
    #[inline]
    fn update_border(&mut self, axis: usize) {
        if self.step[axis] != 0 {
            let border = f64::from(self.voxel[axis] + self.border_offset[axis]);
            self.next[axis] = (border - self.origin[axis]) * self.inverse[axis];
        }
    }
}

impl Iterator for VoxelWalk {
    type Item = IVec3;

    #[inline]
    fn next(&mut self) -> Option<IVec3> {
        let voxel = self.voxel;
        let next = self.next;
        let axis = if next.x <= next.y && next.x <= next.z {
            0
        } else if next.y <= next.z {
            1
        } else {
            2
        };
        self.voxel[axis] += self.step[axis];
        self.update_border(axis);
        Some(voxel)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::Random;

    fn walked(origin: [f64; 3], direction: [f64; 3]) -> Vec<[i32; 3]> {
        let walk = VoxelWalk::new(DVec3::from(origin), DVec3::from(direction));
        walk.take(5).map(|at| at.to_array()).collect()
    }

    #[test]
    fn axis_parallel_rays_stay_in_line() {
        let forward = [[0, 7, -3], [1, 7, -3], [2, 7, -3], [3, 7, -3], [4, 7, -3]];
        assert_eq!(walked([0.5, 7.5, -2.5], [0.1, 0.0, 0.0]), forward);
        assert_eq!(walked([0.0, 7.0, -3.0], [9.0, 0.0, 0.0]), forward, "along an edge");
        let back = [[0, 0, 1], [0, 0, 0], [0, 0, -1], [0, 0, -2], [0, 0, -3]];
        assert_eq!(walked([0.5, 0.5, 1.5], [0.0, 0.0, -2.0]), back);
        assert_eq!(walked([0.5, 0.5, 1.5], [-0.0, 0.0, -2.0]), back);
        assert_eq!(walked([0.5, 0.25, 0.5], [0.0, 1.0, 0.0])[4], [0, 4, 0]);
    }

    #[test]
    fn consecutive_voxels_share_a_face() {
        // Two steps up for each step sideways.
        let steep = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 2, 0], [1, 3, 0]];
        assert_eq!(walked([0.25, 0.75, 0.5], [1.0, 2.0, 0.0]), steep);
        // Exactly through an edge, the walk takes one of the two voxels next to the edge.
        assert_eq!(
            walked([0.5, 0.5, 0.5], [-1.0, -1.0, 0.0])[..3],
            [[0, 0, 0], [-1, 0, 0], [-1, -1, 0]]
        );
        // Just before and just after an edge.
        assert_eq!(walked([0.5, 0.5 + 1e-12, 0.5], [1.0, 1.0, 0.0])[1], [0, 1, 0]);
        assert_eq!(walked([0.5, 0.5 - 1e-12, 0.5], [1.0, 1.0, 0.0])[1], [1, 0, 0]);
    }

    /// Every voxel intersects the ray (slab test) and shares a face with the voxel before it.
    #[test]
    fn visited_voxels_intersect_the_ray() {
        let mut random = Random::new(9);
        for _ in 0..300 {
            let mut point = |size: f64| {
                DVec3::from_array(std::array::from_fn(|_| {
                    ((random.draw() >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * size
                }))
            };
            let origin = point(1000.0);
            let direction = point(1.0);
            let mut before = None;
            for at in VoxelWalk::new(origin, direction).take(600) {
                let a = (at.as_dvec3() - origin) / direction;
                let b = (at.as_dvec3() + 1.0 - origin) / direction;
                let enter = a.min(b).max_element();
                let leave = a.max(b).min_element();
                assert!(enter <= leave + 1e-9 && leave >= -1e-9, "{origin} {direction}: {at}");
                assert!(before.is_none_or(|before: IVec3| (at - before).abs().element_sum() == 1));
                before = Some(at);
            }
        }
    }
}
