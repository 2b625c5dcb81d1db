//! Small plants of one voxel: grass, flowers, mushrooms and reeds.
//!
//! A slow noise sets the density, so meadows and bare patches alternate. A second noise selects the
//! flower, so flowers grow in patches of one colour.

use super::land_sample::{Biome, LandSample};
use super::noise::{NoiseField2, hash, smooth, unit};
use super::palette::TerrainPalette;
use super::terrain_column::TerrainColumn;
use crate::voxel::Voxel;

/// Noise fields that decide where plants and trees grow.
pub(super) struct GrowthNoise {
    /// Density of plants.
    pub(super) density: NoiseField2,
    /// Preferred species of flowers and trees.
    pub(super) stands: NoiseField2,
}

impl GrowthNoise {
    pub(super) fn new(seed: u64) -> GrowthNoise {
        GrowthNoise {
            density: NoiseField2::new(seed, 53, 82.0, 3),
            stands: NoiseField2::new(seed, 54, 210.0, 2),
        }
    }
}

/// The plant on `column` at `x`, `z`, or air. `chance` is the column's random number, 0..1.
pub(super) fn plant(
    p: &TerrainPalette,
    noise: &GrowthNoise,
    column: &TerrainColumn,
    land: &LandSample,
    x: i32,
    z: i32,
    chance: f64,
) -> Voxel {
    let grassy = column.top_soil == p.grass || column.top_soil == p.dry_grass;
    let probability = match column.biome {
        Biome::Desert => 0.012,
        // Snow covers plants.
        Biome::Tundra => 0.0,
        Biome::Taiga => 0.05,
        _ if grassy => 0.42,
        _ => 0.0,
    };
    // The random number alone rejects most columns, before any noise is sampled.
    if chance >= probability {
        return Voxel::AIR;
    }
    let fx = f64::from(x);
    let fz = f64::from(z);
    let growth = noise.density.get(fx * 1.9, fz * 1.9);
    let density = smooth(-0.15, 0.45, growth);
    let pick = unit(hash(chance.to_bits(), [x, 7, z]));
    let share = chance / probability;
    let flower = |stand: f64| match stand {
        s if s > 0.14 => p.flower_red,
        s if s > -0.12 => p.flower_yellow,
        _ => p.flower_blue,
    };
    match column.biome {
        Biome::Desert => p.dead_bush,
        Biome::Savanna if share < 0.25 + 0.6 * density => {
            if pick < 0.03 {
                p.dead_bush
            } else {
                p.tall_grass
            }
        }
        Biome::Forest if share < 0.12 + 0.4 * density => match pick {
            n if n < 0.06 => p.mushroom,
            n if n < 0.12 => flower(land.moisture - 0.2),
            _ => p.tall_grass,
        },
        Biome::Taiga if grassy && pick < 0.12 => p.mushroom,
        Biome::Taiga if grassy && share < 0.7 => p.tall_grass,
        Biome::Plains if share < 0.05 + 0.6 * density => {
            let stand = noise.stands.get(fx * 2.2, fz * 2.2);
            if pick < 0.30 * smooth(0.2, 0.5, growth) + 0.02 { flower(stand) } else { p.tall_grass }
        }
        _ => Voxel::AIR,
    }
}

/// A reed at the water's edge, or air. `patch` is the patch noise of the surface.
pub(super) fn reed(p: &TerrainPalette, land: &LandSample, chance: f64, patch: f64) -> Voxel {
    let probability = smooth(0.0, 0.3, patch) * (0.25 + land.river * 0.5);
    if land.temperature > -0.3 && land.moisture > -0.15 && chance < probability {
        p.reeds
    } else {
        Voxel::AIR
    }
}
