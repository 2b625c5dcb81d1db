//! Bodies of creatures: boxes that swing around joints.

use serde::{Deserialize, Deserializer};

/// A box of a body. Lengths are in sixteenths of a voxel, with x to the right, y up from the feet
/// and z backwards.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "part")]
pub struct BodyPart {
    /// Lowest corner.
    pub low: [f32; 3],
    /// Highest corner.
    pub high: [f32; 3],
    /// Colour, sRGB.
    pub colour: [u8; 3],
    /// Swing of the box; `None` for a rigid box.
    #[serde(default, deserialize_with = "some")]
    pub swing: Option<Swing>,
}

/// Reads an optional value that files write without `Some(..)`.
fn some<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Swing>, D::Error> {
    Swing::deserialize(deserializer).map(Some)
}

/// The swing of a box around an axis through its joint.
#[derive(Deserialize, Clone, PartialEq, Debug)]
#[serde(deny_unknown_fields, rename = "swing")]
pub struct Swing {
    /// The joint, in sixteenths of a voxel.
    pub joint: [f32; 3],
    /// The axis.
    pub axis: SwingAxis,
    /// Amplitude to each side, in degrees.
    pub degrees: f32,
    /// Phase at time 0, in swings: 0.5 is the opposite direction.
    #[serde(default)]
    pub phase: f32,
    /// Swings per second, which also run while the creature rests or hovers.
    #[serde(default)]
    pub rest: f32,
    /// Swings per voxel walked.
    #[serde(default)]
    pub stride: f32,
}

/// An axis of a swing.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, Debug)]
pub enum SwingAxis {
    /// Axis to the right, for legs.
    X,
    /// Upward axis, for tails.
    Y,
    /// Backward axis, for wings.
    Z,
}

impl Swing {
    /// Angle in radians after `seconds`, with `voxels` walked so far.
    #[must_use]
    pub fn angle(&self, seconds: f32, voxels: f32) -> f32 {
        let turns = self.phase + self.rest * seconds + self.stride * voxels;
        (turns * std::f32::consts::TAU).sin() * self.degrees.to_radians()
    }
}
