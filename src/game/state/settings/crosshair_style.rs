//! The shape of the crosshair.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// Shape of the crosshair.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum CrosshairStyle {
    /// Two crossed strokes.
    #[default]
    Cross,
    /// A dot.
    Dot,
    /// A ring with a dot.
    Ring,
    /// No crosshair is drawn.
    Off,
}

impl CrosshairStyle {
    /// All shapes, in the order of the settings.
    pub const ALL: &'static [CrosshairStyle] = CrosshairStyle::VARIANTS;

    /// The name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }
}
