//! The shape of the crosshair.

use serde::{Deserialize, Serialize};

/// Shape of the crosshair.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum CrosshairStyle {
    /// Two crossed strokes.
    #[default]
    Cross,
    /// A dot.
    Dot,
    /// A ring with a dot.
    Ring,
    /// No crosshair.
    Off,
}

impl CrosshairStyle {
    /// All shapes, in the order of the settings.
    pub const ALL: [CrosshairStyle; 4] =
        [CrosshairStyle::Cross, CrosshairStyle::Dot, CrosshairStyle::Ring, CrosshairStyle::Off];

    /// The name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            CrosshairStyle::Cross => "cross",
            CrosshairStyle::Dot => "dot",
            CrosshairStyle::Ring => "ring",
            CrosshairStyle::Off => "off",
        }
    }
}
