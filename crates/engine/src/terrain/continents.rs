//! The plan of the continents: land and sea, mountains and rivers.
//!
//! One slow, warped noise separates ocean, shelf, coast and inland. Others mask hills, mountain
//! ranges and stepped ground. Each landform has its own mask with soft edges, so most places have
//! one clear landform, and borders are slopes instead of walls.

use super::land_sample::{LandSample, SlowNoise};
use super::noise::{NoiseField2, lerp, polyline, smooth};

/// Ground height by inland noise.
const SHELF: [(f64, f64); 9] = [
    (-0.75, -58.0),
    (-0.42, -40.0),
    (-0.20, -15.0),
    (-0.06, -4.0),
    (0.00, 0.8),
    (0.05, 3.6),
    (0.22, 10.0),
    (0.50, 22.0),
    (0.90, 34.0),
];

/// Noise fields of the plan.
pub(super) struct Continents {
    warp: [NoiseField2; 2],
    inland: NoiseField2,
    ranges: NoiseField2,
    peaks: NoiseField2,
    hilly: NoiseField2,
    hills: NoiseField2,
    rough: NoiseField2,
    rivers: NoiseField2,
    steps: NoiseField2,
    mesas: NoiseField2,
    dunes: NoiseField2,
    temperature: NoiseField2,
    moisture: NoiseField2,
}

impl Continents {
    pub(super) fn new(seed: u64) -> Continents {
        Continents {
            warp: [NoiseField2::new(seed, 10, 300.0, 2), NoiseField2::new(seed, 11, 300.0, 2)],
            inland: NoiseField2::new(seed, 12, 1150.0, 5),
            ranges: NoiseField2::new(seed, 13, 820.0, 2),
            peaks: NoiseField2::new(seed, 14, 330.0, 5),
            hilly: NoiseField2::new(seed, 15, 430.0, 1),
            hills: NoiseField2::new(seed, 16, 125.0, 3),
            rough: NoiseField2::new(seed, 17, 38.0, 2),
            rivers: NoiseField2::new(seed, 18, 760.0, 3),
            steps: NoiseField2::new(seed, 19, 390.0, 1),
            mesas: NoiseField2::new(seed, 20, 170.0, 3),
            dunes: NoiseField2::new(seed, 21, 95.0, 2),
            temperature: NoiseField2::new(seed, 22, 2300.0, 2),
            moisture: NoiseField2::new(seed, 23, 1350.0, 3),
        }
    }

    /// The slow noises at `x`, `z`: warped position, inland, range, hilly, river, steps,
    /// temperature, moisture.
    pub(super) fn slow(&self, x: f64, z: f64) -> SlowNoise {
        let wx = x + self.warp[0].get(x, z) * 55.0;
        let wz = z + self.warp[1].get(x, z) * 55.0;
        [
            wx,
            wz,
            self.inland.get(wx, wz) * 1.9 + 0.10,
            self.ranges.get(wx, wz),
            self.hilly.get(wx, wz),
            self.rivers.get(wx, wz),
            self.steps.get(x, z),
            self.temperature.get(x, z) * 1.6,
            self.moisture.get(x, z) * 1.6,
        ]
    }

    /// The land at `x`, `z` for these slow noises.
    pub(super) fn land(&self, x: f64, z: f64, slow: &SlowNoise) -> LandSample {
        let [wx, wz, inland, ranges, hilly, river, steps, temperature, moisture] = *slow;
        let arid = smooth(0.16, 0.32, temperature) * smooth(0.08, -0.08, moisture);

        let mut height = polyline(&SHELF, inland);
        let ashore = smooth(-0.02, 0.16, inland);
        let rough = self.rough.get(x, z);
        height += rough * lerp(0.8, 2.2, ashore);

        let hilly = smooth(-0.15, 0.45, hilly) * ashore * (1.0 - 0.8 * arid);
        if hilly > 0.0 {
            let hills = self.hills.get(x, z);
            height += hilly * (hills + 0.35).max(-0.2) * 30.0;
        }

        let range = smooth(0.02, 0.46, ranges + inland * 0.12) * smooth(0.06, 0.34, inland);
        let range = range * (1.0 - 0.75 * arid);
        if range > 0.0 {
            let peaks = self.peaks.ridged(wx, wz);
            // The square gives long foot slopes and sharp peaks.
            height += range * (8.0 + 60.0 * peaks + 130.0 * peaks * peaks);
        }

        height = stepped(steps, height, ashore);
        let mut mesa = 0.0;
        if arid > 0.0 && inland > 0.0 {
            let dry = arid * ashore;
            let plateau = self.mesas.get(wx, wz);
            mesa = smooth(0.10, 0.17, plateau) * dry;
            height +=
                (mesa * 24.0 + smooth(0.25, 0.31, plateau) * dry * 17.0) * (1.0 + 0.1 * rough);
            // Long ridges across the wind direction, x.
            let dunes = self.dunes.ridged(x * 1.7, z * 0.55);
            height += dry * (1.0 - mesa) * dunes * dunes * 13.0;
        }

        let (height, river) = carved(river.abs(), height, inland);
        let cooling = (height - 22.0).max(0.0) * 0.0062;
        LandSample {
            height,
            temperature: temperature - cooling,
            moisture,
            river,
            mesa,
            volcano: 0.0,
            lava: None,
        }
    }
}

/// Adds cliffs and ledges where the ground is stepped.
fn stepped(steps: f64, height: f64, ashore: f64) -> f64 {
    let amount = smooth(0.20, 0.45, steps) * ashore * 0.9;
    if amount == 0.0 || height < 5.0 {
        return height;
    }
    const RISE: f64 = 11.0;
    let level = (height - 5.0) / RISE;
    let fraction = level - level.floor();
    let step = (level.floor() + smooth(0.55, 0.85, fraction) + fraction * 0.12) * RISE + 5.0;
    lerp(height, step, amount)
}

/// Carves rivers along the zero line of a noise, of which `off` is the absolute value: a wide
/// valley and in it a channel below sea level. High up the valley has no channel. Returns the new
/// height and the river mask.
fn carved(off: f64, height: f64, inland: f64) -> (f64, f64) {
    if inland < -0.1 || height < -6.0 {
        return (height, 0.0);
    }
    let low = smooth(64.0, 26.0, height);
    let valley = smooth(0.17, 0.02, off) * smooth(120.0, 50.0, height);
    let banks =
        if height > 2.0 { lerp(height, lerp(height * 0.55, 2.0, low), valley) } else { height };
    let channel = smooth(0.034, 0.012, off) * low;
    (
        lerp(banks, -4.5_f64.min(banks), channel),
        smooth(0.075, 0.045, off) * low * smooth(-0.02, 0.06, inland),
    )
}
