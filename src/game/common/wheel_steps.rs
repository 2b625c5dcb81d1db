//! Whole steps of the mouse wheel.

use bevy::input::mouse::{AccumulatedMouseScroll, MouseScrollUnit};

/// Pixels of a touch pad that count as a step.
const PIXELS: f32 = 40.0;

/// Counts the steps of the wheel. Touch pads scroll in fractions of a step, which add up.
#[derive(Default, Debug)]
pub struct WheelSteps {
    /// Part of a step that is not counted yet, between -1 and 1.
    rest: f32,
}

impl WheelSteps {
    /// Whole steps since the last call, positive away from the player.
    pub fn take(&mut self, wheel: &AccumulatedMouseScroll) -> i32 {
        let unit = match wheel.unit {
            MouseScrollUnit::Line => 1.0,
            MouseScrollUnit::Pixel => PIXELS,
        };
        self.rest += wheel.delta.y / unit;
        let steps = self.rest.trunc();
        self.rest -= steps;
        steps as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::math::Vec2;

    #[test]
    fn fractions_add_up_to_whole_steps() {
        let mut steps = WheelSteps::default();
        let mut take = |unit, y| steps.take(&AccumulatedMouseScroll { unit, delta: Vec2::new(9.0, y) });
        assert_eq!([take(MouseScrollUnit::Line, 2.0), take(MouseScrollUnit::Line, -1.0)], [2, -1]);
        assert_eq!([30.0, 30.0, 19.0, 2.0].map(|y| take(MouseScrollUnit::Pixel, y)), [0, 1, 0, 1]);
        assert_eq!([-30.0, -30.0].map(|y| take(MouseScrollUnit::Pixel, y)), [0, -1]);
    }
}
