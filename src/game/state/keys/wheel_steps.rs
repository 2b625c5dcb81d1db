//! Whole notches of the mouse wheel.

use bevy::input::mouse::{MouseScrollUnit, MouseWheel};

/// Pixels of a touch pad that count as a notch.
const PIXELS: f32 = 40.0;

/// Counts the notches of the wheel. Touch pads and fine wheels turn in fractions of a notch, which
/// add up.
///
/// All turns must be counted here, once a frame: a frame may have messages in different units. On
/// X, a device without scroll axes (`xdotool`, some remote desktops) sends a notch at both the
/// press and the release of its wheel button, which looks like two notches.
#[derive(Default, Debug)]
pub struct WheelSteps {
    /// Turn that was not returned yet, in notches.
    rest: f32,
}

impl WheelSteps {
    /// Adds a turn.
    pub fn add(&mut self, turn: &MouseWheel) {
        self.rest += match turn.unit {
            MouseScrollUnit::Line => turn.y,
            MouseScrollUnit::Pixel => turn.y / PIXELS,
        };
    }

    /// Removes and returns the whole notches, positive away from the player.
    pub fn take(&mut self) -> i32 {
        let steps = self.rest.trunc();
        self.rest -= steps;
        steps as i32
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use bevy::ecs::entity::Entity;
    use bevy::input::touch::TouchPhase;

    fn turn(unit: MouseScrollUnit, y: f32) -> MouseWheel {
        MouseWheel { unit, x: 9.0, y, window: Entity::PLACEHOLDER, phase: TouchPhase::Moved }
    }

    #[test]
    fn fractions_add_up_to_whole_notches() {
        let mut steps = WheelSteps::default();
        let mut take = |unit, y| {
            steps.add(&turn(unit, y));
            steps.take()
        };
        assert_eq!([take(MouseScrollUnit::Line, 2.0), take(MouseScrollUnit::Line, -1.0)], [2, -1]);
        assert_eq!([30.0, 30.0, 19.0, 2.0].map(|y| take(MouseScrollUnit::Pixel, y)), [0, 1, 0, 1]);
        assert_eq!([-30.0, -30.0].map(|y| take(MouseScrollUnit::Pixel, y)), [0, -1]);
    }

    #[test]
    fn units_of_one_frame_count_each_for_itself() {
        let mut steps = WheelSteps::default();
        steps.add(&turn(MouseScrollUnit::Line, 1.0));
        steps.add(&turn(MouseScrollUnit::Pixel, 40.0));
        assert_eq!((steps.take(), steps.take()), (2, 0), "41 lines or 41 pixels before");
    }
}
