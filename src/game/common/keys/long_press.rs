//! Keys that do something else when they are held for long.

/// Seconds after which a press is long.
const LONG: f32 = 0.6;

/// Time for which a key is held.
#[derive(Clone, Copy, Debug, Default)]
pub struct LongPress(f32);

impl LongPress {
    /// Lets time pass. True once for each press, in the frame in which it becomes a long one.
    pub fn is_complete(&mut self, is_held: bool, seconds: f32) -> bool {
        let before = self.0;
        self.0 = if is_held { before + seconds } else { 0.0 };
        before < LONG && self.0 >= LONG
    }
}
