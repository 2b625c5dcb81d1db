//! Chance: random numbers that depend only on seed, step, rule and position, so that results are
//! equal in every order and on any number of threads.

use crate::random::hash;
use glam::IVec3;

/// A chance from 0 to 1, in parts of 2^32.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Chance(u64);

impl Chance {
    /// A chance of `times` out of `of`, which must not be 0.
    pub fn new(times: u32, of: u32) -> Chance {
        Chance((u64::from(times) << 32) / u64::from(of.max(1)))
    }

    /// True if the rule acts on the voxel at `at`. `draws` is the hash of seed, step and rule.
    #[inline]
    pub fn happens(self, draws: u64, at: IVec3) -> bool {
        let position = at
            .to_array()
            .into_iter()
            .fold(draws, |draws, part| hash(draws ^ u64::from(part as u32)));
        (position >> 32) < self.0
    }
}

/// Hash of seed, step and rule.
pub(super) fn draws(seed: u64, step: u64, rule: usize) -> u64 {
    [step, rule as u64].into_iter().fold(hash(seed), |draws, part| hash(draws ^ part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn share_of_voxels_is_the_chance() {
        for (times, of) in [(0, 1), (1, 64), (1, 2), (3, 4), (1, 1)] {
            let chance = Chance::new(times, of);
            let draws = draws(5, 7, 1);
            let happened = (0..40_000)
                .filter(|&n| chance.happens(draws, IVec3::new(n % 50, n / 50 % 40, -n / 2000)));
            let expected = 40_000.0 * f64::from(times) / f64::from(of);
            assert!(
                (happened.count() as f64 - expected).abs() <= expected.sqrt() * 4.0,
                "{times} of {of}"
            );
        }
    }
}
