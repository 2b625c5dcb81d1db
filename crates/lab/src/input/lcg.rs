//! The fast random generator of tables and benchmarks whose figures are recorded.

/// A linear congruential generator. Only its upper bits are random enough, but choosing a position
/// with it costs less than the read that is measured. All other code uses
/// [`Random`](super::Random).
#[derive(Clone, Debug)]
pub struct Lcg(pub u64);

impl Lcg {
    /// Advances the generator, and returns the new state.
    #[inline]
    pub fn draw(&mut self) -> u64 {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        self.0
    }
}
