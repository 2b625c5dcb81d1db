//! The voxels that a ray goes through, one after the other.
//!
//! This is the judge of what visibility computes, so it shares nothing with it: no boxes, no slopes, no big steps, and
//! 64-bit numbers. Where a ray crosses a border is computed anew from its beginning each time, so that nothing adds up.

use glam::{DVec3, IVec3};

/// Steps along a ray; it never ends.
#[derive(Clone, Debug)]
pub struct Voxels {
    origin: DVec3,
    inverse: DVec3,
    step: IVec3,
    /// The border that is crossed next is so far from the voxel's lower one.
    ahead: IVec3,
    at: IVec3,
    /// How far along the ray the next border is, by axis.
    next: DVec3,
}

impl Voxels {
    /// From `origin` in a direction (of any length, but not zero). Of a ray along an edge between voxels those on its upper
    /// side are met.
    #[must_use]
    pub fn new(origin: DVec3, direction: DVec3) -> Voxels {
        let at = origin.floor().as_ivec3();
        let step = IVec3::from_array(direction.to_array().map(|d| i32::from(d > 0.0) - i32::from(d < 0.0)));
        let mut voxels = Voxels {
            origin,
            inverse: direction.recip(),
            step,
            ahead: step.max(IVec3::ZERO),
            at,
            next: DVec3::INFINITY,
        };
        (0..3).for_each(|axis| voxels.aim(axis));
        voxels
    }

    #[inline]
    fn aim(&mut self, axis: usize) {
        if self.step[axis] != 0 {
            let border = f64::from(self.at[axis] + self.ahead[axis]);
            self.next[axis] = (border - self.origin[axis]) * self.inverse[axis];
        }
    }
}

impl Iterator for Voxels {
    type Item = IVec3;

    #[inline]
    fn next(&mut self) -> Option<IVec3> {
        let (at, next) = (self.at, self.next);
        let axis = if next.x <= next.y && next.x <= next.z {
            0
        } else if next.y <= next.z {
            1
        } else {
            2
        };
        self.at[axis] += self.step[axis];
        self.aim(axis);
        Some(at)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lab::input::Random;

    fn walked(origin: [f64; 3], direction: [f64; 3]) -> Vec<[i32; 3]> {
        let voxels = Voxels::new(DVec3::from(origin), DVec3::from(direction));
        voxels.take(5).map(|at| at.to_array()).collect()
    }

    #[test]
    fn straight_lines_go_straight() {
        let forward = [[0, 7, -3], [1, 7, -3], [2, 7, -3], [3, 7, -3], [4, 7, -3]];
        assert_eq!(walked([0.5, 7.5, -2.5], [0.1, 0.0, 0.0]), forward);
        assert_eq!(walked([0.0, 7.0, -3.0], [9.0, 0.0, 0.0]), forward, "along an edge");
        let back = [[0, 0, 1], [0, 0, 0], [0, 0, -1], [0, 0, -2], [0, 0, -3]];
        assert_eq!(walked([0.5, 0.5, 1.5], [0.0, 0.0, -2.0]), back);
        assert_eq!(walked([0.5, 0.5, 1.5], [-0.0, 0.0, -2.0]), back);
        assert_eq!(walked([0.5, 0.25, 0.5], [0.0, 1.0, 0.0])[4], [0, 4, 0]);
    }

    #[test]
    fn corners_are_gone_around_by_faces() {
        // Two up for each to the side, and never through an edge.
        let steep = [[0, 0, 0], [0, 1, 0], [0, 2, 0], [1, 2, 0], [1, 3, 0]];
        assert_eq!(walked([0.25, 0.75, 0.5], [1.0, 2.0, 0.0]), steep);
        // Exactly through an edge: by one of the two beside it.
        assert_eq!(walked([0.5, 0.5, 0.5], [-1.0, -1.0, 0.0])[..3], [[0, 0, 0], [-1, 0, 0], [-1, -1, 0]]);
        // Just before, and just behind it.
        assert_eq!(walked([0.5, 0.5 + 1e-12, 0.5], [1.0, 1.0, 0.0])[1], [0, 1, 0]);
        assert_eq!(walked([0.5, 0.5 - 1e-12, 0.5], [1.0, 1.0, 0.0])[1], [1, 0, 0]);
    }

    /// Each voxel that is met must be crossed by the line (the slab test), and each next one touch it by a face.
    #[test]
    fn all_that_is_met_is_crossed() {
        let mut random = Random::new(9);
        for _ in 0..300 {
            let mut point = |size: f64| {
                DVec3::from_array(std::array::from_fn(|_| {
                    ((random.draw() >> 11) as f64 / (1u64 << 53) as f64 - 0.5) * size
                }))
            };
            let (origin, direction) = (point(1000.0), point(1.0));
            let mut before = None;
            for at in Voxels::new(origin, direction).take(600) {
                let (a, b) = ((at.as_dvec3() - origin) / direction, (at.as_dvec3() + 1.0 - origin) / direction);
                let (enter, leave) = (a.min(b).max_element(), a.max(b).min_element());
                assert!(enter <= leave + 1e-9 && leave >= -1e-9, "{origin} {direction}: {at}");
                assert!(before.is_none_or(|before: IVec3| (at - before).abs().element_sum() == 1));
                before = Some(at);
            }
        }
    }
}
