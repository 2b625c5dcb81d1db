//! Random numbers that depend on what they are drawn for alone, so that every run is the same.

/// A sequence of random numbers.
#[derive(Clone, Debug)]
pub(super) struct RandomSequence(u64);

impl RandomSequence {
    /// The sequence for these numbers.
    #[inline]
    pub fn new(seed: u64, parts: [u64; 2]) -> RandomSequence {
        RandomSequence(parts.into_iter().fold(mix(seed), |hash, part| mix(hash ^ part)))
    }

    /// The next number.
    #[inline]
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        mix(self.0)
    }

    /// A number from 0 to below `limit`, which is not 0.
    #[inline]
    pub fn below(&mut self, limit: u32) -> u32 {
        (((self.next() >> 32) * u64::from(limit)) >> 32) as u32
    }

    /// A number from `-limit` to `limit`.
    #[inline]
    pub fn around(&mut self, limit: i32) -> i32 {
        self.below(2 * limit.unsigned_abs() + 1) as i32 - limit
    }
}

/// A step of splitmix64.
#[inline]
fn mix(n: u64) -> u64 {
    let n = (n ^ n >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
    let n = (n ^ n >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
    n ^ n >> 31
}
