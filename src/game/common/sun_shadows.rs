//! How far the sun's shadows reach.

use serde::{Deserialize, Serialize};

/// How far the sun's shadows reach.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum SunShadows {
    /// No shadows.
    #[default]
    Off,
    /// Shadows up to 96 m away.
    Near,
    /// Shadows up to 320 m away.
    Far,
}

impl SunShadows {
    /// All distances, in the order of the settings.
    pub const ALL: [SunShadows; 3] = [SunShadows::Off, SunShadows::Near, SunShadows::Far];

    /// The name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            SunShadows::Off => "off",
            SunShadows::Near => "near",
            SunShadows::Far => "far",
        }
    }

    /// Distance in metres and number of shadow maps; `None` without shadows.
    #[must_use]
    pub fn reach(self) -> Option<(f32, usize)> {
        match self {
            SunShadows::Off => None,
            SunShadows::Near => Some((96.0, 2)),
            SunShadows::Far => Some((320.0, 4)),
        }
    }
}
