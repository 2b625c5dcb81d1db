//! The plan of the islands: a warm sea with archipelagos, volcanoes and atolls.
//!
//! Small islands come from noise; a slower noise groups them into archipelagos. Volcanoes and
//! atolls are round: each cell of a wide grid has at most one, chosen by a hash.

use super::land_sample::{LandSample, SlowNoise};
use super::noise::{NoiseField2, hash, lerp, polyline, smooth, unit};

/// Side of a grid cell for volcanoes and atolls, in metres.
const CELL: f64 = 560.0;

/// Depth below every sea bed. Round landforms start here, so they meet the bed in a slope.
const ABYSS: f64 = -50.0;

/// Ground height by island noise.
const SHELF: [(f64, f64); 7] = [
    (-0.8, -46.0),
    (-0.35, -30.0),
    (-0.12, -8.0),
    (-0.03, -2.0),
    (0.06, 2.2),
    (0.15, 5.0),
    (0.6, 34.0),
];

/// Noise fields of the plan.
pub(super) struct Islands {
    seed: u64,
    warp: [NoiseField2; 2],
    groups: NoiseField2,
    islands: NoiseField2,
    hills: NoiseField2,
    rough: NoiseField2,
    moisture: NoiseField2,
}

impl Islands {
    pub(super) fn new(seed: u64) -> Islands {
        Islands {
            seed,
            warp: [NoiseField2::new(seed, 30, 190.0, 2), NoiseField2::new(seed, 31, 190.0, 2)],
            groups: NoiseField2::new(seed, 32, 720.0, 2),
            islands: NoiseField2::new(seed, 33, 210.0, 4),
            hills: NoiseField2::new(seed, 34, 190.0, 3),
            rough: NoiseField2::new(seed, 35, 34.0, 2),
            moisture: NoiseField2::new(seed, 36, 420.0, 2),
        }
    }

    /// The slow noises at `x`, `z`: warped position, island, moisture.
    pub(super) fn slow(&self, x: f64, z: f64) -> SlowNoise {
        let wx = x + self.warp[0].get(x, z) * 34.0;
        let wz = z + self.warp[1].get(x, z) * 34.0;
        let island = self.islands.get(wx, wz) * 1.1 + self.groups.get(x, z) * 0.9 - 0.30;
        [wx, wz, island, self.moisture.get(x, z) + 0.12, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// The land at `x`, `z` for these slow noises.
    pub(super) fn land(&self, x: f64, z: f64, slow: &SlowNoise) -> LandSample {
        let [wx, wz, island, moisture, ..] = *slow;
        let ashore = smooth(0.05, 0.32, island);
        let rough = self.rough.get(x, z);
        let mut land = LandSample {
            height: polyline(&SHELF, island) + rough * lerp(0.7, 2.0, ashore),
            temperature: 0.11,
            moisture,
            river: 0.0,
            mesa: 0.0,
            volcano: 0.0,
            lava: None,
        };
        if ashore > 0.0 {
            let ridges = self.hills.ridged(wx, wz);
            land.height += ashore * ridges * ridges * 38.0;
        }
        // A round landform extends less than half a cell beyond its own cell, so only the nearest
        // four cells matter.
        let cx = (x / CELL - 0.5).floor();
        let cz = (z / CELL - 0.5).floor();
        for (dx, dz) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            self.add_round(cx + dx, cz + dz, wx, wz, rough, &mut land);
        }
        land
    }

    /// Adds the volcano or atoll of one cell, if any.
    fn add_round(&self, cx: f64, cz: f64, x: f64, z: f64, rough: f64, land: &mut LandSample) {
        let h = hash(self.seed, [cx as i32, 71, cz as i32]);
        let part = |salt: i32| unit(hash(h, [salt, 0, 0]));
        // The centre lies in the middle half of the cell.
        let mx = (cx + 0.25 + part(1) * 0.5) * CELL;
        let mz = (cz + 0.25 + part(2) * 0.5) * CELL;
        let distance = ((x - mx) * (x - mx) + (z - mz) * (z - mz)).sqrt();
        let radius = lerp(85.0, 150.0, part(3));
        match part(0) {
            p if p < 0.42 => {
                let r = distance / radius;
                if r < 1.5 {
                    volcano(r, lerp(62.0, 128.0, part(4)), rough, land);
                }
            }
            p if p < 0.72 => {
                // A ring of sand around a lagoon. Its height varies, which opens channels to the
                // sea.
                let off = (distance - radius * 0.7).abs();
                let crest = 3.6 + rough * 3.0 + self.hills.get(x, z) * 9.0;
                let ring = lerp(ABYSS, crest, smooth(42.0, 4.0, off));
                let lagoon =
                    lerp(ABYSS, -3.5 + rough, smooth(radius * 0.72, radius * 0.58, distance));
                land.height = land.height.max(ring).max(lagoon);
            }
            _ => {}
        }
    }
}

/// Adds a volcano of height `tall` at relative distance `r` from its centre: a cone that is steeper
/// towards the rim, and a crater with lava.
fn volcano(r: f64, tall: f64, rough: f64, land: &mut LandSample) {
    /// Relative distance of the rim from the centre.
    const RIM: f64 = 0.17;
    let slope = ((1.5 - r) / (1.5 - RIM)).clamp(0.0, 1.0);
    let cone = ABYSS + (tall - ABYSS) * (0.62 * slope + 0.38 * slope * slope * slope) + rough * 3.0;
    if r < RIM {
        let crater = tall - 20.0 * smooth(RIM, RIM * 0.45, r) + rough * 1.5;
        land.height = crater;
        land.lava = Some((tall - 13.0) as i32);
        land.volcano = 1.0;
    } else if cone > land.height {
        land.volcano = smooth(0.62, 0.42, r);
        land.height = cone;
    }
}
