//! The speed of the rules of the world.

use serde::{Deserialize, Serialize};
use strum::{IntoStaticStr, VariantArray};

/// Speed at which sand falls, water flows and grass spreads.
#[derive(
    Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize, VariantArray, IntoStaticStr,
)]
#[strum(serialize_all = "lowercase")]
pub enum RulesSpeed {
    /// Twenty steps per second.
    #[default]
    On,
    /// Two steps per second, so that the player can watch single steps.
    Slow,
    /// Steps only when the player asks for them.
    Off,
}

impl RulesSpeed {
    /// All speeds, the fastest first.
    pub const ALL: &'static [RulesSpeed] = RulesSpeed::VARIANTS;

    /// Name in the settings and in the console.
    #[must_use]
    pub fn name(self) -> &'static str {
        self.into()
    }

    /// Steps per second.
    #[must_use]
    pub const fn steps_per_second(self) -> f64 {
        match self {
            RulesSpeed::On => 20.0,
            RulesSpeed::Slow => 2.0,
            RulesSpeed::Off => 0.0,
        }
    }
}
