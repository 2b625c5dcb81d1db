//! A held mouse button: acts at once, then repeats at shorter and shorter intervals.

use bevy::prelude::*;

/// Pause after the first action, in seconds. Long enough that a click acts once.
const FIRST_PAUSE: f32 = 0.3;
/// Pause after the first repeat, in seconds.
const MAX_PAUSE: f32 = 0.2;
/// Factor by which each pause is shorter than the previous one.
const PAUSE_FACTOR: f32 = 0.85;
/// Minimum pause between two repeats, in seconds.
const MIN_PAUSE: f32 = 0.05;

/// The mouse button that is held, and the time of its next action.
#[derive(Clone, Copy, Debug)]
pub(super) struct Hold {
    /// The button.
    pub button: MouseButton,
    /// Seconds since the button was pressed.
    pub seconds: f32,
    until_next: f32,
    /// Pause that will follow the next action; `None` before the first action.
    pause: Option<f32>,
}

impl Hold {
    /// The state of a button that was just pressed. Its first action is due.
    pub fn new(button: MouseButton) -> Hold {
        Hold { button, seconds: 0.0, until_next: 0.0, pause: None }
    }

    /// Counts `seconds` of holding.
    pub fn advance(&mut self, seconds: f32) {
        self.seconds += seconds;
        self.until_next -= seconds;
    }

    /// True if the action is due.
    pub fn is_due(&self) -> bool {
        self.until_next <= 0.0
    }

    /// Records that the due action was done.
    pub fn acted(&mut self) {
        self.until_next = self.pause.unwrap_or(FIRST_PAUSE);
        self.pause =
            Some(self.pause.map_or(MAX_PAUSE, |pause| (pause * PAUSE_FACTOR).max(MIN_PAUSE)));
    }

    /// Restarts with the pause before the first repeat.
    pub fn restart(&mut self) {
        self.until_next = FIRST_PAUSE;
        self.pause = Some(MAX_PAUSE);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Times of the actions of a button that is held for some seconds.
    fn times(seconds: f32) -> Vec<f32> {
        let mut hold = Hold::new(MouseButton::Left);
        let mut times = Vec::new();
        while hold.seconds < seconds {
            if hold.is_due() {
                times.push(hold.seconds);
                hold.acted();
            }
            hold.advance(0.001);
        }
        times
    }

    #[test]
    fn click_acts_once_and_holding_speeds_up() {
        assert_eq!(times(0.25), [0.0]);
        let pauses: Vec<f32> = times(5.0).windows(2).map(|pair| pair[1] - pair[0]).collect();
        assert!(pauses.windows(2).all(|pair| pair[1] < pair[0] + 0.0015), "{pauses:?}");
        let last = pauses[pauses.len() - 1];
        assert!((pauses[0] - 0.3).abs() < 0.002 && (last - 0.05).abs() < 0.002, "{pauses:?}");
        assert!(times(5.0).len() > 60);
    }
}
