//! The speed of flying.

use serde::{Deserialize, Serialize};
use stonerun_engine::body::walking::FLY;

/// Speed of flying, in steps of the mouse wheel. Two steps double it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(transparent)]
pub struct FlyingSpeed(pub i32);

impl FlyingSpeed {
    /// Lowest step: an eighth of the usual speed.
    pub const SLOWEST: i32 = -6;
    /// Highest step: four times the usual speed.
    pub const FASTEST: i32 = 4;

    /// The speed `steps` faster (slower if negative), within the limits.
    #[must_use]
    pub fn faster(self, steps: i32) -> FlyingSpeed {
        FlyingSpeed(self.0.saturating_add(steps).clamp(FlyingSpeed::SLOWEST, FlyingSpeed::FASTEST))
    }

    /// Factor of the usual speed.
    #[must_use]
    pub fn factor(self) -> f64 {
        (f64::from(self.0) / 2.0).exp2()
    }

    /// Speed in metres per second.
    #[must_use]
    pub fn metres_per_second(self) -> f64 {
        FLY * self.factor()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn two_steps_double_the_speed_within_limits() {
        let speed = FlyingSpeed::default();
        assert_eq!(speed.metres_per_second(), FLY);
        assert!((speed.faster(2).metres_per_second() - 2.0 * FLY).abs() < 1e-9);
        assert_eq!([speed.faster(99).factor(), speed.faster(i32::MIN).factor()], [4.0, 0.125]);
        assert_eq!(speed.faster(99).faster(-4), speed);
    }
}
