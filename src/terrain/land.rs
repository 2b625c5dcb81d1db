//! What the land is like at one place of the plane, before it is dressed with soil and plants.
//!
//! Each kind of world with a sky is a function from a place to a [`Land`]; everything after it
//! (soil, snow, plants, caves, trees) is shared.

/// The noises of a plan that change little in four metres, at one place. They are sampled on a lattice and
/// interpolated; each plan gives the parts its own meaning.
pub(super) type Slow = [f64; 9];

/// The land at one place.
#[derive(Clone, Copy, Debug)]
pub(super) struct Land {
    /// Height of the ground over the sea, metres.
    pub(super) height: f64,
    /// About -1 (frozen) to 1 (hot); falls with height.
    pub(super) temperature: f64,
    /// About -1 (dry) to 1 (wet).
    pub(super) moisture: f64,
    /// 1 on the banks of a river, 0 away from it: no beaches there.
    pub(super) river: f64,
    /// 1 on a mesa's flanks and top: banded rock.
    pub(super) mesa: f64,
    /// 1 on a volcano: basalt.
    pub(super) volcano: f64,
    /// Height up to which a crater is filled with lava.
    pub(super) lava: Option<i32>,
}

/// Climate and height together name a biome.
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

impl Land {
    /// The biome. `jitter`, a noise of about -1..1, frays the borders.
    pub(super) fn biome(&self, jitter: f64) -> Biome {
        let (t, m) = (self.temperature + jitter * 0.04, self.moisture + jitter * 0.05);
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
