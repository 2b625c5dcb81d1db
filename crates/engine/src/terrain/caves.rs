//! Caves and strata below the overworld.
//!
//! *Tunnels* run where two noises are both near zero: two wavy sheets cross in a winding tube.
//! *Halls* open where a slower noise is high. Both thin out towards the floor of the world.

use super::lattice::Lattice;
use super::noise::{NoiseField3, smooth};
use super::palette::TerrainPalette;
use crate::voxel::Voxel;
use glam::IVec3;

/// Height below which everything is deepstone.
pub(super) const WORLD_FLOOR: i32 = -160;
/// Height below which hollows are filled with lava.
pub(super) const LAVA_LEVEL: i32 = -138;
/// Mean height at which stone turns to deepstone.
const DEEP: f32 = -62.0;

/// Noise fields of the underground.
pub(super) struct UndergroundNoise {
    tunnels: [NoiseField3; 2],
    halls: NoiseField3,
    strata: NoiseField3,
}

impl UndergroundNoise {
    pub(super) fn new(seed: u64) -> UndergroundNoise {
        UndergroundNoise {
            tunnels: [
                NoiseField3::new(seed, 60, 58.0, 44.0, 1),
                NoiseField3::new(seed, 61, 58.0, 44.0, 1),
            ],
            halls: NoiseField3::new(seed, 62, 92.0, 46.0, 2),
            strata: NoiseField3::new(seed, 63, 74.0, 38.0, 1),
        }
    }

    /// Samples hollowness (above 0 is air) and strata of a chunk.
    pub(super) fn sample(&self, origin: IVec3) -> RockSamples {
        let hollow = Lattice::sample(origin, 0, 32, |at| {
            let [x, y, z] = at.as_dvec3().to_array();
            let deep = 1.0 - smooth(-128.0, -150.0, y);
            let a = self.tunnels[0].get(x, y, z);
            let b = self.tunnels[1].get(x, y, z);
            // Tunnels are wider further down.
            let width = 0.085 + 0.03 * smooth(20.0, -80.0, y);
            let tunnel = width * width - (a * a + b * b);
            let hall = self.halls.get(x, y, z) - 0.50 + 0.12 * smooth(10.0, -60.0, y);
            (tunnel * 12.0).max(hall) - (1.0 - deep)
        });
        let strata = self.strata(origin, 0, 32);
        RockSamples { hollow, strata }
    }

    /// Samples the strata of a chunk, from `low` to `high` voxels above its lowest voxel.
    pub(super) fn strata(&self, origin: IVec3, low: i32, high: i32) -> Lattice {
        Lattice::sample(origin, low, high, |at| {
            self.strata.get(f64::from(at.x), f64::from(at.y), f64::from(at.z))
        })
    }
}

/// Samples of one chunk.
pub(super) struct RockSamples {
    pub(super) hollow: Lattice,
    pub(super) strata: Lattice,
}

/// The rock of a stratum at height `y`.
pub(super) fn rock(p: &TerrainPalette, stratum: f32, y: i32) -> Voxel {
    let deep = (y as f32) < DEEP + stratum * 22.0;
    match stratum {
        s if s > 0.44 => p.granite,
        s if s < -0.46 && deep => p.basalt,
        // White rock on a mountain looks like snow.
        s if s < -0.46 && y < 12 => p.marble,
        _ if deep => p.deepstone,
        _ => p.stone,
    }
}

/// The rock of a mesa at height `y`: horizontal bands, slightly wavy with the stratum.
pub(super) fn band(p: &TerrainPalette, stratum: f32, y: i32) -> Voxel {
    match (y + (stratum * 2.5) as i32).rem_euclid(13) {
        0 | 1 | 6 => p.red_sandstone,
        4 => p.clay,
        8 | 9 => p.granite,
        _ => p.sandstone,
    }
}
