//! How fast the rules of the world run.

use serde::{Deserialize, Serialize};

/// How fast sand falls, water flows and grass spreads.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub enum RulesSpeed {
    /// Twenty steps per second.
    #[default]
    On,
    /// Two steps per second, to watch them.
    Slow,
    /// Steps only when the player asks for them.
    Off,
}

impl RulesSpeed {
    /// All speeds, the fastest first.
    pub const ALL: [RulesSpeed; 3] = [RulesSpeed::On, RulesSpeed::Slow, RulesSpeed::Off];

    /// Name in the settings and in the console.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            RulesSpeed::On => "on",
            RulesSpeed::Slow => "slow",
            RulesSpeed::Off => "off",
        }
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
