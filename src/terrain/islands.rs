//! The plan of the islands: a warm sea with archipelagos, now and then a volcano or an atoll.
//!
//! Small islands come from noise, gathered into archipelagos by a slower one. Volcanoes and atolls are round
//! things with a centre: one per cell of a wide grid, where a hash says so.

use super::land::{Land, Slow};
use super::noise::{Field, hash, lerp, polyline, smooth, unit};

/// Side of the grid that volcanoes and atolls stand on, metres.
const CELL: f64 = 560.0;

/// Below every sea bed: round things begin here, so that they end where they meet the bed, not at a wall.
const ABYSS: f64 = -50.0;

/// Height of the ground over the island noise.
const SHELF: [(f64, f64); 7] =
    [(-0.8, -46.0), (-0.35, -30.0), (-0.12, -8.0), (-0.03, -2.0), (0.06, 2.2), (0.15, 5.0), (0.6, 34.0)];

/// The noises of the plan.
pub(super) struct Islands {
    seed: u64,
    warp: [Field; 2],
    groups: Field,
    islands: Field,
    hills: Field,
    rough: Field,
    moisture: Field,
}

impl Islands {
    pub(super) fn new(seed: u64) -> Islands {
        Islands {
            seed,
            warp: [Field::new(seed, 30, 190.0, 2), Field::new(seed, 31, 190.0, 2)],
            groups: Field::new(seed, 32, 720.0, 2),
            islands: Field::new(seed, 33, 210.0, 4),
            hills: Field::new(seed, 34, 190.0, 3),
            rough: Field::new(seed, 35, 34.0, 2),
            moisture: Field::new(seed, 36, 420.0, 2),
        }
    }

    /// The slow noises at `x`, `z`: warped position, island, moisture.
    pub(super) fn slow(&self, x: f64, z: f64) -> Slow {
        let wx = x + self.warp[0].get(x, z) * 34.0;
        let wz = z + self.warp[1].get(x, z) * 34.0;
        let island = self.islands.get(wx, wz) * 1.1 + self.groups.get(x, z) * 0.9 - 0.30;
        [wx, wz, island, self.moisture.get(x, z) + 0.12, 0.0, 0.0, 0.0, 0.0, 0.0]
    }

    /// The land at `x`, `z`, where the slow noises are `slow`.
    pub(super) fn land(&self, x: f64, z: f64, slow: &Slow) -> Land {
        let [wx, wz, island, moisture, ..] = *slow;
        let ashore = smooth(0.05, 0.32, island);
        let rough = self.rough.get(x, z);
        let mut land = Land {
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
        // A round thing reaches less than half a cell beyond its own, so the nearest four cells matter.
        let (cx, cz) = ((x / CELL - 0.5).floor(), (z / CELL - 0.5).floor());
        for (dx, dz) in [(0.0, 0.0), (1.0, 0.0), (0.0, 1.0), (1.0, 1.0)] {
            self.round(cx + dx, cz + dz, wx, wz, rough, &mut land);
        }
        land
    }

    /// The volcano or atoll of one cell, if it has one.
    fn round(&self, cx: f64, cz: f64, x: f64, z: f64, rough: f64, land: &mut Land) {
        let h = hash(self.seed, [cx as i32, 71, cz as i32]);
        let part = |salt: i32| unit(hash(h, [salt, 0, 0]));
        // A centre in the middle half of the cell.
        let (mx, mz) = ((cx + 0.25 + part(1) * 0.5) * CELL, (cz + 0.25 + part(2) * 0.5) * CELL);
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
                // A ring of sand with a lagoon inside; the ring's height wavers, so the sea finds ways in.
                let off = (distance - radius * 0.7).abs();
                let crest = 3.6 + rough * 3.0 + self.hills.get(x, z) * 9.0;
                let ring = lerp(ABYSS, crest, smooth(42.0, 4.0, off));
                let lagoon = lerp(ABYSS, -3.5 + rough, smooth(radius * 0.72, radius * 0.58, distance));
                land.height = land.height.max(ring).max(lagoon);
            }
            _ => {}
        }
    }
}

/// Raises a volcano of height `tall` at the relative distance `r` from its middle: a cone that grows steeper
/// towards the rim, a crater, lava in it.
fn volcano(r: f64, tall: f64, rough: f64, land: &mut Land) {
    /// The rim, in parts of the foot's radius.
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
