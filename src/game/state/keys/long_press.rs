//! Keys that have another action when they are held for longer.

/// Seconds after which a press is long.
const LONG: f32 = 0.6;
/// Maximum time that counts per frame, in seconds. At low frame rates, a tap that lasts two frames
/// must not count as long.
const MAX_FRAME: f32 = 0.2;

/// Time for which a key is held, in seconds; `None` while it is up.
#[derive(Clone, Copy, Debug, Default)]
pub struct LongPress(Option<f32>);

impl LongPress {
    /// Advances the time. Returns true once for each press, in the frame in which it becomes long.
    /// The time of the press's own frame does not count, because it has passed before the press.
    pub fn is_complete(&mut self, is_held: bool, seconds: f32) -> bool {
        let before = self.0;
        self.0 = is_held.then(|| before.map_or(0.0, |held| held + seconds.min(MAX_FRAME)));
        before.is_none_or(|held| held < LONG) && self.0.is_some_and(|held| held >= LONG)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn press_is_long_once() {
        let mut press = LongPress::default();
        let long = (0..60).filter(|_| press.is_complete(true, 0.016)).count();
        assert_eq!((long, press.is_complete(false, 0.016)), (1, false));
        assert!((0..30).all(|_| !press.is_complete(true, 0.016)), "half a second");
    }

    #[test]
    fn tap_at_two_frames_a_second_is_not_long() {
        let mut press = LongPress::default();
        let frames =
            [true, true, false, true, false].map(|is_held| press.is_complete(is_held, 0.5));
        assert_eq!(frames, [false; 5]);
    }
}
