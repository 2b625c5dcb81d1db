//! Viewpoints: positions of players and the directions they look in.
//!
//! Code that chooses the first view of a new, imported or reopened map returns a [`Viewpoint`].

use glam::DVec3;

/// Height of the eyes above the feet in voxels.
pub const EYES: f64 = 1.62;

/// The golden angle in radians, which spreads the points of a spiral evenly.
const GOLDEN_ANGLE: f64 = 2.399_963;

/// Position of a player, and the direction in which they look.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Viewpoint {
    /// Position of the player's feet.
    pub feet: DVec3,
    /// Direction to the left of north (-z), in radians.
    pub yaw: f32,
    /// Direction upwards, in radians.
    pub pitch: f32,
}

impl Viewpoint {
    /// Viewpoint at `feet` that looks north and level.
    #[must_use]
    pub fn level(feet: DVec3) -> Viewpoint {
        Viewpoint { feet, yaw: 0.0, pitch: 0.0 }
    }

    /// Position of the eyes.
    #[must_use]
    pub fn eyes(&self) -> DVec3 {
        eyes_above(self.feet)
    }
}

/// Position of the eyes of a player who stands at `feet`.
#[must_use]
pub fn eyes_above(feet: DVec3) -> DVec3 {
    feet + DVec3::Y * EYES
}

/// Position of the feet of a player with these eyes.
#[must_use]
pub fn feet_below(eyes: DVec3) -> DVec3 {
    eyes - DVec3::Y * EYES
}

/// Sine and cosine of the direction of point `number` on a spiral. Searches for a viewpoint around
/// a position use it.
#[must_use]
pub fn spiral_direction(number: i32) -> (f64, f64) {
    (f64::from(number) * GOLDEN_ANGLE).sin_cos()
}
