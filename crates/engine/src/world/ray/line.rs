//! Lines of rays, and the distances at which they cross voxel borders.

use glam::DVec3;

/// Line of a ray.
pub(super) struct Line {
    origin: [f64; 3],
    direction: [f64; 3],
    /// Reciprocal of the direction: infinite on axes along which the ray does not move.
    inverse: [f64; 3],
    /// Step per axis, 1 or -1. It is 1 on axes along which the ray does not move, so that `ahead`
    /// and `border` are defined there.
    pub step: [i32; 3],
    /// Offset per axis from a voxel to its border ahead, 1 or 0.
    ahead: [i32; 3],
}

impl Line {
    #[inline]
    pub fn new(origin: DVec3, direction: DVec3) -> Line {
        let direction = direction.to_array();
        let step = direction.map(|d| if d < 0.0 { -1 } else { 1 });
        let inverse = direction.map(|d| if d == 0.0 { f64::INFINITY } else { d.recip() });
        Line { origin: origin.to_array(), direction, inverse, step, ahead: step.map(|s| s.max(0)) }
    }

    /// Distance at which the ray leaves voxel `last` along `axis`; infinite if the ray does not
    /// move along the axis.
    #[inline]
    pub fn border(&self, axis: usize, last: i32) -> f64 {
        (f64::from(last + self.ahead[axis]) - self.origin[axis]) * self.inverse[axis]
    }

    /// Distances at which the ray leaves voxel `last` along each axis, as [`Line::border`] computes
    /// them.
    #[inline]
    pub fn borders(&self, last: [i32; 3]) -> [f64; 3] {
        [self.border(0, last[0]), self.border(1, last[1]), self.border(2, last[2])]
    }

    /// Moves `at` to the last voxel that the ray visits inside the cell of `side` voxels around it,
    /// a power of two. Returns the axis along which the ray leaves the cell.
    ///
    /// The result is exactly the voxel that a walk from voxel to voxel reaches, which crosses the
    /// border on the lowest axis first if distances are equal.
    #[inline]
    pub fn cross(&self, at: &mut [i32; 3], side: i32) -> usize {
        // Mip cells and chunks are aligned to their side.
        let [low, high] = [at.map(|x| x & !(side - 1)), at.map(|x| x | (side - 1))];
        let last: [i32; 3] =
            std::array::from_fn(|axis| if self.step[axis] > 0 { high[axis] } else { low[axis] });
        let leaves = self.borders(last);
        let axis = nearest_axis(leaves);
        let leave = leaves[axis];
        for other in 0..3 {
            if other == axis {
                at[other] = last[other];
            } else if self.inverse[other].is_finite() {
                let first = at[other];
                let step = self.step[other];
                let crossed = |voxel: i32| {
                    let border = self.border(other, voxel);
                    border < leave || border == leave && other < axis
                };
                let exact = self.origin[other] + self.direction[other] * leave;
                let mut guess = floor(exact).clamp(low[other], high[other]);
                // The guess may be off by one where the ray passes close to a border.
                while guess != last[other] && crossed(guess) {
                    guess += step;
                }
                while guess != first && !crossed(guess - step) {
                    guess -= step;
                }
                at[other] = guess;
            }
        }
        axis
    }
}

/// Axis with the smallest of three distances; the first of equal ones.
#[inline]
pub(super) fn nearest_axis([x, y, z]: [f64; 3]) -> usize {
    if x <= y && x <= z {
        0
    } else if y <= z {
        1
    } else {
        2
    }
}

/// Rounds a world coordinate down. `f64::floor` would be a function call, because x86-64 does not
/// guarantee the SSE4.1 instruction for it.
#[inline]
fn floor(x: f64) -> i32 {
    let towards_0 = x as i32;
    towards_0 - i32::from(f64::from(towards_0) > x)
}
