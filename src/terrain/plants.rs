//! Small plants, one voxel each: grass, flowers, mushrooms, reeds.
//!
//! A slow noise says where plants are many, so meadows and bare patches alternate; another says which flower
//! grows where, so flowers stand in drifts of one colour.

use super::land::{Biome, Land};
use super::noise::{hash, smooth, unit};
use super::palette::Palette;
use super::surface::Surface;
use super::tile::Column;
use crate::voxel::Voxel;

/// The plant on `column` at `x`, `z`, or air. `chance` is the column's own number, 0..1.
pub(super) fn plant(p: &Palette, s: &Surface, column: &Column, land: &Land, x: i32, z: i32, chance: f64) -> Voxel {
    let grassy = column.surface == p.grass || column.surface == p.dry_grass;
    let likely = match column.biome {
        Biome::Desert => 0.012,
        // Under snow nothing shows.
        Biome::Tundra => 0.0,
        Biome::Taiga => 0.05,
        _ if grassy => 0.42,
        _ => 0.0,
    };
    // Most columns are decided by their own number alone; the noises are asked only for the rest.
    if chance >= likely {
        return Voxel::AIR;
    }
    let (fx, fz) = (f64::from(x), f64::from(z));
    let growth = s.growth.get(fx * 1.9, fz * 1.9);
    let many = smooth(-0.15, 0.45, growth);
    let pick = unit(hash(chance.to_bits(), [x, 7, z]));
    let share = chance / likely;
    let flower = |stand: f64| match stand {
        s if s > 0.14 => p.flower_red,
        s if s > -0.12 => p.flower_yellow,
        _ => p.flower_blue,
    };
    match column.biome {
        Biome::Desert => p.dead_bush,
        Biome::Savanna if share < 0.25 + 0.6 * many => {
            if pick < 0.03 {
                p.dead_bush
            } else {
                p.tall_grass
            }
        }
        Biome::Forest if share < 0.12 + 0.4 * many => match pick {
            n if n < 0.06 => p.mushroom,
            n if n < 0.12 => flower(land.moisture - 0.2),
            _ => p.tall_grass,
        },
        Biome::Taiga if grassy && pick < 0.12 => p.mushroom,
        Biome::Taiga if grassy && share < 0.7 => p.tall_grass,
        Biome::Plains if share < 0.05 + 0.6 * many => {
            let stand = s.stands.get(fx * 2.2, fz * 2.2);
            if pick < 0.30 * smooth(0.2, 0.5, growth) + 0.02 { flower(stand) } else { p.tall_grass }
        }
        _ => Voxel::AIR,
    }
}

/// A reed at the water's edge, or air.
pub(super) fn reed(p: &Palette, land: &Land, chance: f64, patch: f64) -> Voxel {
    let likely = smooth(0.0, 0.3, patch) * (0.25 + land.river * 0.5);
    if land.temperature > -0.3 && land.moisture > -0.15 && chance < likely { p.reeds } else { Voxel::AIR }
}
