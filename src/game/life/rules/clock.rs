//! When the next steps are due.

use crate::game::state::settings::rules_speed::RulesSpeed;
use bevy::prelude::Resource;

/// Most steps that may be late. A longer delay slows the clock down.
const MOST_LATE: f64 = 4.0;
/// Up to this many requested steps are taken one by one; of more, 1% at a time.
const SEEN_EACH: u32 = 100;
/// Most steps that are taken at once of those that were asked for: a second of the world.
const MOST_AT_ONCE: u32 = 20;

/// Counts the steps that are due.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct RulesClock {
    /// Steps that are due, with the part of the next one.
    due: f64,
    /// Steps that the player asked for.
    asked: u32,
    /// Seconds that the clock has lost because steps took too long.
    lost: f64,
}

impl RulesClock {
    /// Lets time pass.
    pub fn pass(&mut self, seconds: f64, speed: RulesSpeed) {
        let rate = speed.steps_per_second();
        let due = self.due + seconds * rate;
        self.due = if rate > 0.0 { due.min(MOST_LATE) } else { 0.0 };
        if rate > 0.0 {
            self.lost += (due - self.due) / rate;
        }
    }

    /// Requests single steps. Steps of the clock go on.
    pub fn ask(&mut self, steps: u32) {
        self.asked = self.asked.saturating_add(steps);
    }

    /// Drops the steps that were asked for and not taken.
    pub fn forget_asked(&mut self) {
        self.asked = 0;
    }

    /// Takes the steps that are due.
    pub fn take(&mut self) -> u32 {
        // At most MOST_LATE.
        let steps = self.due as u32;
        self.due -= f64::from(steps);
        let asked = self.asked.div_ceil(SEEN_EACH).min(MOST_AT_ONCE);
        self.asked -= asked;
        steps + asked
    }

    /// Steps that are late.
    #[must_use]
    pub fn late(&self) -> u32 {
        (self.due as u32).saturating_add(self.asked)
    }

    /// Seconds that the clock has lost since the map was opened.
    #[must_use]
    pub fn lost_seconds(&self) -> f64 {
        self.lost
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clock_slows_down_rather_than_fall_behind() {
        let mut clock = RulesClock::default();
        clock.pass(0.12, RulesSpeed::On);
        assert_eq!((clock.take(), clock.take()), (2, 0));
        clock.pass(10.0, RulesSpeed::On);
        assert_eq!((clock.late(), clock.take()), (4, 4));
        assert!((clock.lost_seconds() - (10.0 + 0.02 - 0.2)).abs() < 1e-9, "{}", clock.lost_seconds());
    }

    #[test]
    fn steps_that_are_asked_for_come_one_by_one() {
        let mut clock = RulesClock::default();
        clock.pass(10.0, RulesSpeed::Off);
        assert_eq!(clock.take(), 0);
        clock.ask(2);
        assert_eq!([clock.take(), clock.take(), clock.take()], [1, 1, 0]);
        clock.ask(500);
        clock.forget_asked();
        assert_eq!(clock.take(), 0);
        clock.ask(10_000);
        assert_eq!((clock.take(), clock.take()), (20, 20));
        let steps: Vec<u32> = std::iter::from_fn(|| Some(clock.take()).filter(|&steps| steps > 0)).collect();
        assert_eq!((steps.iter().sum::<u32>(), steps.last()), (10_000 - 40, Some(&1)));
    }
}
