//! Random indices, points and directions.

use crate::input::Random;
use glam::{DVec3, IVec3};

/// Returns a random number below `count`, which must not be 0.
pub fn below(random: &mut Random, count: usize) -> usize {
    // The remainder's bias is below 2^-30 for the counts in use.
    (random.draw() >> 1) as usize % count
}

/// Returns a random point strictly inside the cube of `size` voxels at `corner`. If `size` is a
/// power of two, the coordinates are exact in floating point.
pub fn point(random: &mut Random, corner: IVec3, size: i32) -> DVec3 {
    let mut part = || ((random.draw() >> 44) as f64 + 0.5) / f64::from(1 << 20);
    corner.as_dvec3() + DVec3::new(part(), part(), part()) * f64::from(size)
}

/// Returns a vector with a uniformly distributed direction, at most 1 long.
pub fn direction(random: &mut Random) -> DVec3 {
    loop {
        let vector = point(random, IVec3::NEG_ONE, 2);
        if vector.length_squared() <= 1.0 {
            return vector;
        }
    }
}
