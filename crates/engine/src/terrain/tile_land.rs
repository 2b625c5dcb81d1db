//! The land of a tile, with a margin around it.

use super::land_plan::LandPlan;
use super::land_sample::{LandSample, SlowNoise};
use super::noise::lerp;
use super::surface::SurroundingHeights;
use crate::voxel::CHUNK_SIDE;

/// Columns along the side of a tile, plus one at each end for slopes.
const PADDED_SIDE: i32 = CHUNK_SIDE + 2;

/// Lattice points along a side: every fourth column, from 4 before to 4 past the tile.
const POINTS: i32 = 11;

/// The land of a tile. Positions are relative to its lowest column.
pub(super) struct TileLand<'a> {
    plan: &'a LandPlan,
    /// The lowest column in the world, by x and z.
    origin: [i32; 2],
    /// Slow noises of the lattice, x fastest, then z.
    slow: Vec<SlowNoise>,
    /// The columns of the tile plus one on each side, x fastest, then z.
    samples: Vec<LandSample>,
}

impl TileLand<'_> {
    /// The land of the tile at `tile_x`, `tile_z`, in chunks.
    pub(super) fn new(plan: &LandPlan, tile_x: i32, tile_z: i32) -> TileLand<'_> {
        let origin = [tile_x * CHUNK_SIDE, tile_z * CHUNK_SIDE];
        let mut slow = Vec::with_capacity((POINTS * POINTS) as usize);
        for z in 0..POINTS {
            for x in 0..POINTS {
                slow.push(
                    plan.slow(f64::from(origin[0] + x * 4 - 4), f64::from(origin[1] + z * 4 - 4)),
                );
            }
        }
        let mut land = TileLand { plan, origin, slow, samples: Vec::new() };
        let mut samples = Vec::with_capacity((PADDED_SIDE * PADDED_SIDE) as usize);
        for z in -1..=CHUNK_SIDE {
            for x in -1..=CHUNK_SIDE {
                samples.push(land.sample(x, z));
            }
        }
        land.samples = samples;
        land
    }

    /// The land at a column up to three outside the tile.
    pub(super) fn get(&self, x: i32, z: i32) -> LandSample {
        let is_kept = (-1..=CHUNK_SIDE).contains(&x) && (-1..=CHUNK_SIDE).contains(&z);
        if is_kept {
            self.samples[(x + 1 + (z + 1) * PADDED_SIDE) as usize]
        } else {
            self.sample(x, z)
        }
    }

    /// Heights around a column up to two outside the tile.
    pub(super) fn heights_around(&self, x: i32, z: i32) -> SurroundingHeights {
        SurroundingHeights::new(|dx, dz| self.get(x + dx, z + dz).height)
    }

    /// Interpolates between the lattice points.
    fn sample(&self, x: i32, z: i32) -> LandSample {
        let u = x + 4;
        let v = z + 4;
        let fu = f64::from(u % 4) * 0.25;
        let fv = f64::from(v % 4) * 0.25;
        let corner = (u / 4 + v / 4 * POINTS) as usize;
        let [a, b] = [&self.slow[corner], &self.slow[corner + 1]];
        let [c, d] =
            [&self.slow[corner + POINTS as usize], &self.slow[corner + POINTS as usize + 1]];
        let here = std::array::from_fn(|i| lerp(lerp(a[i], b[i], fu), lerp(c[i], d[i], fu), fv));
        self.plan.land(f64::from(self.origin[0] + x), f64::from(self.origin[1] + z), &here)
    }
}
