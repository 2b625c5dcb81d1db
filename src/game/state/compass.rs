//! The eight directions of the compass. North is -z, east is +x.

use glam::DVec2;

/// Names of the directions from north counter-clockwise, the direction in which yaw increases.
const NAMES: [&str; 8] =
    ["north", "north-west", "west", "south-west", "south", "south-east", "east", "north-east"];

/// The direction of a view turned by `yaw` radians to the left from north.
#[must_use]
pub fn direction(yaw: f32) -> &'static str {
    if !yaw.is_finite() {
        return NAMES[0];
    }
    let eighths = (yaw / std::f32::consts::FRAC_PI_4).round().rem_euclid(8.0);
    NAMES[eighths as usize % 8]
}

/// The direction of a point at `offset` (x, z).
#[must_use]
pub fn towards(offset: DVec2) -> &'static str {
    direction((-offset.x).atan2(-offset.y) as f32)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::f32::consts::{FRAC_PI_2, PI, TAU};

    #[test]
    fn yaw_turns_left_from_north() {
        assert_eq!(
            [0.0, FRAC_PI_2, PI, -FRAC_PI_2].map(direction),
            ["north", "west", "south", "east"]
        );
        assert_eq!(
            direction(TAU - 0.39),
            "north",
            "a sixteenth of a turn belongs to the nearest direction"
        );
        assert_eq!((direction(0.4), direction(TAU - 0.4)), ("north-west", "north-east"));
        assert_eq!((direction(f32::NAN), direction(1e30).is_empty()), ("north", false));
    }

    #[test]
    fn east_is_positive_x_and_south_positive_z() {
        let at = |x, z| towards(DVec2::new(x, z));
        assert_eq!(
            [at(0.0, -9.0), at(9.0, 0.0), at(0.0, 9.0), at(-9.0, 0.0)],
            ["north", "east", "south", "west"]
        );
        assert_eq!([at(5.0, -6.0), at(-5.0, 6.0)], ["north-east", "south-west"]);
    }

    /// The player's direction of view agrees with the names.
    #[test]
    fn view_points_where_the_name_says() {
        for eighth in 0..8 {
            let yaw = eighth as f32 * std::f32::consts::FRAC_PI_4;
            let view = glam::Quat::from_rotation_y(yaw) * glam::Vec3::NEG_Z;
            assert_eq!(direction(yaw), towards(DVec2::new(f64::from(view.x), f64::from(view.z))));
        }
    }
}
