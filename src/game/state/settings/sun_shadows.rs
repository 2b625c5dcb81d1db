//! Reach of the shadows that the sun and the moon cast.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};
use wgpu::DeviceType;

/// Reach of the shadows that the sun and the moon cast.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum SunShadows {
    /// `Near` on a graphics card, `Off` where the processor draws.
    #[default]
    Automatic,
    /// No shadows are drawn.
    Off,
    /// Shadows up to 96 m away.
    Near,
    /// Shadows up to 320 m away.
    Far,
}

impl SunShadows {
    /// All distances, in the order of the settings.
    pub const ALL: &'static [SunShadows] = SunShadows::VARIANTS;

    /// The name in the settings.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// The setting, with `Automatic` replaced by its value for an adapter of this type.
    #[must_use]
    pub fn on(self, adapter: DeviceType) -> SunShadows {
        match (self, adapter) {
            (SunShadows::Automatic, DeviceType::DiscreteGpu | DeviceType::IntegratedGpu) => {
                SunShadows::Near
            }
            (SunShadows::Automatic, _) => SunShadows::Off,
            (chosen, _) => chosen,
        }
    }

    /// Distance in metres and number of shadow maps; `None` without shadows.
    #[must_use]
    pub fn reach(self) -> Option<(f32, usize)> {
        match self {
            SunShadows::Automatic | SunShadows::Off => None,
            SunShadows::Near => Some((96.0, 2)),
            SunShadows::Far => Some((320.0, 4)),
        }
    }
}
