//! Caves and strata under ground that has a sky: three kinds of hollows and the rock around them.
//!
//! *Tunnels* run where two noises are both near zero: the crossing of two wavy sheets is a winding tube.
//! *Halls* open where a slower noise is high. Both thin out towards the foot of the world.

use super::lattice::Lattice;
use super::noise::{Field3, smooth};
use super::palette::Palette;
use crate::voxel::Voxel;
use glam::IVec3;

/// Below this there is nothing but deepstone.
pub(super) const FOOT: i32 = -160;
/// Hollows below this are filled with lava.
pub(super) const LAVA_LEVEL: i32 = -138;
/// About here stone turns to deepstone.
const DEEP: f32 = -62.0;

/// The noises of the underground.
pub(super) struct Underground {
    tunnels: [Field3; 2],
    halls: Field3,
    strata: Field3,
}

impl Underground {
    pub(super) fn new(seed: u64) -> Underground {
        Underground {
            tunnels: [Field3::new(seed, 60, 58.0, 44.0, 1), Field3::new(seed, 61, 58.0, 44.0, 1)],
            halls: Field3::new(seed, 62, 92.0, 46.0, 2),
            strata: Field3::new(seed, 63, 74.0, 38.0, 1),
        }
    }

    /// Samples a chunk: how hollow it is (over 0 is air), and its strata.
    pub(super) fn sample(&self, origin: IVec3) -> Rock {
        let hollow = Lattice::sample(origin, 0, 32, |at| {
            let [x, y, z] = at.as_dvec3().to_array();
            let deep = 1.0 - smooth(-128.0, -150.0, y);
            let (a, b) = (self.tunnels[0].get(x, y, z), self.tunnels[1].get(x, y, z));
            // Wider tubes further down.
            let width = 0.085 + 0.03 * smooth(20.0, -80.0, y);
            let tunnel = width * width - (a * a + b * b);
            let hall = self.halls.get(x, y, z) - 0.50 + 0.12 * smooth(10.0, -60.0, y);
            (tunnel * 12.0).max(hall) - (1.0 - deep)
        });
        let strata = self.strata(origin, 0, 32);
        Rock { hollow, strata }
    }

    /// Only the strata of a chunk, from `low` to `high` voxels over its lowest.
    pub(super) fn strata(&self, origin: IVec3, low: i32, high: i32) -> Lattice {
        Lattice::sample(origin, low, high, |at| self.strata.get(f64::from(at.x), f64::from(at.y), f64::from(at.z)))
    }
}

/// One chunk's underground.
pub(super) struct Rock {
    pub(super) hollow: Lattice,
    pub(super) strata: Lattice,
}

/// The rock of a stratum at height `y`.
pub(super) fn rock(p: &Palette, stratum: f32, y: i32) -> Voxel {
    let deep = (y as f32) < DEEP + stratum * 22.0;
    match stratum {
        s if s > 0.44 => p.granite,
        s if s < -0.46 && deep => p.basalt,
        // White rock on a mountain would pass for snow.
        s if s < -0.46 && y < 12 => p.marble,
        _ if deep => p.deepstone,
        _ => p.stone,
    }
}

/// The rock of a mesa at height `y`: flat bands, slightly wavy with the stratum.
pub(super) fn band(p: &Palette, stratum: f32, y: i32) -> Voxel {
    match (y + (stratum * 2.5) as i32).rem_euclid(13) {
        0 | 1 | 6 => p.red_sand,
        4 => p.clay,
        8 | 9 => p.granite,
        _ => p.sandstone,
    }
}
