//! Time of day: a clock of 24 hours, displayed in hours and minutes.

use std::fmt;
use std::str::FromStr;

/// Minutes in a day.
const DAY_MINUTES: u32 = 24 * 60;
/// Number added before minutes are rounded down, so that a clock set to a minute shows that minute.
const ROUNDING: f64 = 1e-6;

/// A time of day, stored as the part of the day since midnight, from 0 to below 1.
#[derive(Clone, Copy, PartialEq, PartialOrd, Debug, Default)]
pub struct TimeOfDay(f64);

/// Error of a text that is no time of day.
#[derive(thiserror::Error, Clone, Copy, PartialEq, Eq, Debug)]
#[error("expected a time of day such as 14:05, or hours from 0 to 24")]
pub struct TimeError;

impl TimeOfDay {
    /// Creates the time at a part of a day, modulo 1. A part that is not finite gives midnight.
    #[must_use]
    pub fn from_part(part: f64) -> TimeOfDay {
        let part = if part.is_finite() { part.rem_euclid(1.0) } else { 0.0 };
        // The remainder of a tiny negative number is rounded to 1.
        TimeOfDay(if part < 1.0 { part } else { 0.0 })
    }

    /// Creates the time `minutes` after midnight, modulo a day.
    #[must_use]
    pub fn from_minutes(minutes: i32) -> TimeOfDay {
        TimeOfDay::from_part(f64::from(minutes) / f64::from(DAY_MINUTES))
    }

    /// Returns the part of the day that has passed: 0 at midnight, 0.5 at noon.
    #[must_use]
    pub fn part(self) -> f64 {
        self.0
    }

    /// Returns the whole minutes since midnight, 0 to 1439.
    #[must_use]
    pub fn minutes(self) -> u32 {
        (self.0 * f64::from(DAY_MINUTES) + ROUNDING) as u32 % DAY_MINUTES
    }

    /// Returns the time `seconds` later, if a day lasts `day_minutes` minutes.
    #[must_use]
    pub fn after(self, seconds: f64, day_minutes: f64) -> TimeOfDay {
        TimeOfDay::from_part(self.0 + seconds / (60.0 * day_minutes))
    }

    /// Returns the time `steps` quarters of an hour later, or earlier if negative. From a time
    /// between two quarters, the first step leads to the next quarter in that direction.
    #[must_use]
    pub fn quarters_later(self, steps: i32) -> TimeOfDay {
        let minutes = self.minutes() as i32;
        let from = if steps < 0 { (minutes + 14) / 15 } else { minutes / 15 };
        TimeOfDay::from_minutes((from + steps % 96) * 15)
    }
}

/// Formats hours and minutes, such as `06:30`.
impl fmt::Display for TimeOfDay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:02}:{:02}", self.minutes() / 60, self.minutes() % 60)
    }
}

/// Parses `HH:MM`, from 00:00 to 24:00, or hours as a number from 0 to 24. 24 gives midnight.
impl FromStr for TimeOfDay {
    type Err = TimeError;

    fn from_str(text: &str) -> Result<TimeOfDay, TimeError> {
        let Some((hours, minutes)) = text.split_once(':') else {
            let hours = text.parse().ok().filter(|hours| (0.0..=24.0).contains(hours));
            return hours.map(|hours: f64| TimeOfDay::from_part(hours / 24.0)).ok_or(TimeError);
        };
        let number = |text: &str, digits: std::ops::RangeInclusive<usize>| {
            let is_number =
                digits.contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
            text.parse::<i32>().ok().filter(|_| is_number).ok_or(TimeError)
        };
        let total = number(hours, 1..=2)? * 60
            + number(minutes, 2..=2).and_then(|m| if m < 60 { Ok(m) } else { Err(TimeError) })?;
        if total <= DAY_MINUTES as i32 {
            Ok(TimeOfDay::from_minutes(total))
        } else {
            Err(TimeError)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_minute_is_shown_as_it_was_set() {
        for minutes in 0..1440 {
            let time = TimeOfDay::from_minutes(minutes);
            assert_eq!(time.minutes(), minutes as u32);
            let text = format!("{:02}:{:02}", minutes / 60, minutes % 60);
            assert_eq!((time.to_string(), text.parse()), (text.clone(), Ok(time)));
        }
        assert_eq!(TimeOfDay::from_part(0.999_999_999_9).to_string(), "00:00");
    }

    #[test]
    fn parts_of_a_day_wrap_around_midnight() {
        for (part, expected) in
            [(0.0, 0.0), (1.0, 0.0), (1.25, 0.25), (-0.25, 0.75), (-1e-20, 0.0), (f64::NAN, 0.0)]
        {
            assert_eq!(TimeOfDay::from_part(part).part(), expected, "{part}");
        }
        assert_eq!(TimeOfDay::from_minutes(-1).to_string(), "23:59");
    }

    #[test]
    fn day_lasts_as_long_as_it_is_set() {
        let noon = TimeOfDay::from_minutes(720);
        assert_eq!(noon.after(50.0, 20.0).to_string(), "13:00");
        assert_eq!(noon.after(600.0, 20.0).to_string(), "00:00");
        assert_eq!(noon.after(300.0, 120.0).to_string(), "13:00");
    }

    #[test]
    fn quarters_meet_the_clock() {
        let moved = |text: &str, steps| {
            text.parse::<TimeOfDay>().map(|time| time.quarters_later(steps).to_string())
        };
        for (from, steps, to) in [
            ("14:00", 1, "14:15"),
            ("14:05", 1, "14:15"),
            ("14:05", -1, "14:00"),
            ("14:00", -1, "13:45"),
            ("23:50", 1, "00:00"),
            ("00:00", -1, "23:45"),
            ("06:10", -3, "05:30"),
            ("12:00", i32::MAX, "19:45"),
        ] {
            assert_eq!(moved(from, steps), Ok(to.to_owned()), "{from} {steps}");
        }
    }

    #[test]
    fn only_times_of_day_are_read() {
        for (text, expected) in [
            ("6:30", "06:30"),
            ("24:00", "00:00"),
            ("24", "00:00"),
            ("18.5", "18:30"),
            ("0", "00:00"),
        ] {
            assert_eq!(
                text.parse::<TimeOfDay>().map(|time| time.to_string()),
                Ok(expected.to_owned())
            );
        }
        for bad in [
            "", "25", "-1", "24:01", "12:60", "12:5", "123:00", "12:000", "+1:00", "1:+5", ":",
            "12:", "nan", "noon",
        ] {
            assert_eq!(bad.parse::<TimeOfDay>(), Err(TimeError), "{bad}");
        }
    }
}
