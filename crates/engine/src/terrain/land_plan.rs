//! The plan of the land: heights and climate, by the kind of terrain.

use super::continents::Continents;
use super::islands::Islands;
use super::land_sample::{LandSample, SlowNoise};

/// The plan of heights and climate.
pub(super) enum LandPlan {
    Continents(Box<Continents>),
    Islands(Box<Islands>),
}

impl LandPlan {
    pub(super) fn slow(&self, x: f64, z: f64) -> SlowNoise {
        match self {
            LandPlan::Continents(plan) => plan.slow(x, z),
            LandPlan::Islands(plan) => plan.slow(x, z),
        }
    }

    pub(super) fn land(&self, x: f64, z: f64, slow: &SlowNoise) -> LandSample {
        match self {
            LandPlan::Continents(plan) => plan.land(x, z, slow),
            LandPlan::Islands(plan) => plan.land(x, z, slow),
        }
    }

    /// The land at `x`, `z`, without the interpolation that tiles apply.
    pub(super) fn land_at(&self, x: i32, z: i32) -> LandSample {
        let x = f64::from(x);
        let z = f64::from(z);
        self.land(x, z, &self.slow(x, z))
    }
}
