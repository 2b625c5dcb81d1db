//! Deterministic numbers for this module's tests.

/// A splitmix64 generator: the same numbers in every run.
pub struct TestRandom(u64);

impl TestRandom {
    /// Starts the sequence that belongs to `seed`.
    pub fn new(seed: u64) -> TestRandom {
        TestRandom(seed)
    }

    /// The next number.
    pub fn draw(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9E37_79B9_7F4A_7C15);
        let z = (self.0 ^ self.0 >> 30).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let z = (z ^ z >> 27).wrapping_mul(0x94D0_49BB_1331_11EB);
        z ^ z >> 31
    }
}
