//! Random numbers, points and directions.

use crate::lab::input::Random;
use glam::{DVec3, IVec3};

/// A number below `count`, which is not 0.
pub fn below(random: &mut Random, count: usize) -> usize {
    // The lower bits are as good; the remainder's bias is below 2^-30 for what there is to choose from.
    (random.draw() >> 1) as usize % count
}

/// A point inside the box of `size` voxels at `at`, never on its border, and exact: rays start where they say.
pub fn point(random: &mut Random, at: IVec3, size: i32) -> DVec3 {
    let mut part = || ((random.draw() >> 44) as f64 + 0.5) / f64::from(1 << 20);
    at.as_dvec3() + DVec3::new(part(), part(), part()) * f64::from(size)
}

/// A direction, all of them equally often.
pub fn direction(random: &mut Random) -> DVec3 {
    loop {
        let way = point(random, IVec3::NEG_ONE, 2);
        if way.length_squared() <= 1.0 {
            return way;
        }
    }
}
