//! The clock that counts due steps of the rules.

use crate::game::state::settings::rules_speed::RulesSpeed;
use bevy::prelude::Resource;

/// Maximum number of overdue steps. Steps beyond it are dropped, so the rules slow down.
const MAX_LATE_STEPS: f64 = 4.0;
/// Number of requested steps up to which one is taken per frame. Of more requested steps, each
/// frame takes 1%.
const MAX_SINGLE_STEPS: u32 = 100;
/// Maximum number of requested steps taken per frame: one second of the rules.
const MAX_STEPS_AT_ONCE: u32 = 20;

/// Counts the steps that are due.
#[derive(Resource, Clone, Copy, PartialEq, Debug, Default)]
pub struct RulesClock {
    /// Number of due steps, including the elapsed part of the next one.
    due: f64,
    /// Number of requested steps that are not taken yet.
    asked: u32,
    /// Seconds that the clock has lost because steps took too long.
    lost: f64,
}

impl RulesClock {
    /// Advances the clock.
    pub fn pass(&mut self, seconds: f64, speed: RulesSpeed) {
        let rate = speed.steps_per_second();
        let due = self.due + seconds * rate;
        self.due = if rate > 0.0 { due.min(MAX_LATE_STEPS) } else { 0.0 };
        if rate > 0.0 {
            self.lost += (due - self.due) / rate;
        }
    }

    /// Requests further steps, in addition to the steps that time makes due.
    pub fn ask(&mut self, steps: u32) {
        self.asked = self.asked.saturating_add(steps);
    }

    /// Drops the requested steps that are not taken yet.
    pub fn forget_asked(&mut self) {
        self.asked = 0;
    }

    /// Removes and returns the number of steps to carry out now.
    pub fn take(&mut self) -> u32 {
        // Fits, because `due` is at most `MAX_LATE_STEPS`.
        let steps = self.due as u32;
        self.due -= f64::from(steps);
        let asked = self.asked.div_ceil(MAX_SINGLE_STEPS).min(MAX_STEPS_AT_ONCE);
        self.asked -= asked;
        steps + asked
    }

    /// Number of overdue and requested steps that are not taken yet.
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
    fn clock_loses_time_beyond_the_maximum_delay() {
        let mut clock = RulesClock::default();
        clock.pass(0.12, RulesSpeed::On);
        assert_eq!((clock.take(), clock.take()), (2, 0));
        clock.pass(10.0, RulesSpeed::On);
        assert_eq!((clock.late(), clock.take()), (4, 4));
        assert!(
            (clock.lost_seconds() - (10.0 + 0.02 - 0.2)).abs() < 1e-9,
            "{}",
            clock.lost_seconds()
        );
    }

    #[test]
    fn requested_steps_are_taken_one_by_one_or_by_percent() {
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
        let steps: Vec<u32> =
            std::iter::from_fn(|| Some(clock.take()).filter(|&steps| steps > 0)).collect();
        assert_eq!((steps.iter().sum::<u32>(), steps.last()), (10_000 - 40, Some(&1)));
    }
}
