//! Reproducible random numbers.
//!
//! Terrain, rules, creatures and stored checksums depend on these sequences: changing one alters
//! existing worlds.

/// Increment of splitmix64: 2^64 divided by the golden ratio, made odd.
const INCREMENT: u64 = 0x9E37_79B9_7F4A_7C15;

/// Mixes the bits of `n`, so that each bit of the result depends on all of them (the finalizer of
/// splitmix64). Maps 0 to 0; use [`hash`] where 0 is a valid input.
#[inline]
#[must_use]
pub fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}

/// Hashes `n`: the first number of the sequence with seed `n`. Unlike [`mix`], it maps 0 to another
/// number.
#[inline]
#[must_use]
pub fn hash(n: u64) -> u64 {
    mix(n.wrapping_add(INCREMENT))
}

/// A pseudo-random number generator (splitmix64) that gives the same numbers in every run.
#[derive(Clone, Debug, Default)]
pub struct Random(u64);

impl Random {
    /// Starts the sequence of `seed`.
    #[must_use]
    pub fn new(seed: u64) -> Random {
        Random(seed)
    }

    /// Starts a sequence of its own for `seed` and `parts`, such as a tick and a creature's number.
    #[inline]
    #[must_use]
    pub(crate) fn with_parts(seed: u64, parts: [u64; 2]) -> Random {
        Random(parts.into_iter().fold(mix(seed), |state, part| mix(state ^ part)))
    }

    /// Returns the next number.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(INCREMENT);
        mix(self.0)
    }

    /// Returns a number in `0..limit`, or 0 if `limit` is 0.
    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.draw() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// Returns an index into a list of `len` entries, at least 1 and below 2^32.
    #[inline]
    pub fn index(&mut self, len: usize) -> usize {
        debug_assert!(len > 0 && u32::try_from(len).is_ok(), "{len} entries");
        self.below(len as u32) as usize
    }

    /// Returns a number from `-limit` to `limit`, both inclusive.
    #[inline]
    pub fn around(&mut self, limit: i32) -> i32 {
        self.below(2 * limit.unsigned_abs() + 1) as i32 - limit
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sequences_are_those_that_stored_worlds_depend_on() {
        let mut random = Random::new(1);
        assert_eq!([random.draw(), random.draw()], [0x910A_2DEC_8902_5CC1, 0xBEEB_8DA1_658E_EC67]);
        assert_eq!(hash(1), Random::new(1).draw());
        assert_eq!(Random::with_parts(1, [2, 3]).0, mix(mix(mix(1) ^ 2) ^ 3));
    }

    #[test]
    fn numbers_stay_within_limits_and_reach_both_ends() {
        let mut random = Random::new(3);
        let below: Vec<u32> = (0..1000).map(|_| random.below(7)).collect();
        assert_eq!((below.iter().min(), below.iter().max()), (Some(&0), Some(&6)));
        let around: Vec<i32> = (0..1000).map(|_| random.around(3)).collect();
        assert_eq!((around.iter().min(), around.iter().max()), (Some(&-3), Some(&3)));
    }
}
