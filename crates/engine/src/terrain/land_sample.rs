//! Land samples: height and climate of one column, before soil and plants.
//!
//! Each overworld plan is a function from a column to a [`LandSample`]. All later stages (soil,
//! snow, plants, caves, trees) are shared.

/// The slow noises of a plan at one column. They change little within four metres, so they are
/// sampled on a lattice and interpolated. Each plan defines the components.
pub(super) type SlowNoise = [f64; 9];

/// Height and climate of one column.
#[derive(Clone, Copy, Debug)]
pub(super) struct LandSample {
    /// Height of the ground above sea level in metres.
    pub(super) height: f64,
    /// About -1 (frozen) to 1 (hot); decreases with height.
    pub(super) temperature: f64,
    /// About -1 (dry) to 1 (wet).
    pub(super) moisture: f64,
    /// 1 on river banks, which have no beaches; 0 away from rivers.
    pub(super) river: f64,
    /// 1 on the flanks and top of a mesa, which have banded rock.
    pub(super) mesa: f64,
    /// 1 on a volcano, which is basalt.
    pub(super) volcano: f64,
    /// Level of the lava in a crater.
    pub(super) lava: Option<i32>,
}

/// Biome, a function of climate and height.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Biome {
    Sea,
    Beach,
    Desert,
    Savanna,
    Plains,
    Forest,
    Taiga,
    Tundra,
    Rock,
}

impl LandSample {
    /// The biome. `jitter`, a noise of about -1..1, roughens the borders.
    pub(super) fn biome(&self, jitter: f64) -> Biome {
        let t = self.temperature + jitter * 0.04;
        let m = self.moisture + jitter * 0.05;
        if self.height < 0.0 {
            Biome::Sea
        } else if self.volcano > 0.5 + jitter * 0.2 {
            Biome::Rock
        } else if self.height < 2.4 + jitter && self.river < 0.5 {
            Biome::Beach
        } else if t < -0.45 {
            Biome::Tundra
        } else if t < -0.16 {
            Biome::Taiga
        } else if t > 0.22 && m < -0.02 {
            Biome::Desert
        } else if t > 0.12 && m < 0.14 {
            Biome::Savanna
        } else if m > 0.03 {
            Biome::Forest
        } else {
            Biome::Plains
        }
    }
}
