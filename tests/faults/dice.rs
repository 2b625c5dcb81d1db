//! Pseudorandom numbers that are the same in every run.

use stonerun_engine::random::Random;

#[derive(Default)]
pub struct Dice(Random);

impl Dice {
    pub fn new(seed: u64) -> Dice {
        Dice(Random::new(seed))
    }

    /// A random number less than `end`.
    pub fn below(&mut self, end: u64) -> u64 {
        self.0.draw() % end
    }

    pub fn one_in(&mut self, of: u64) -> bool {
        self.below(of) == 0
    }
}
