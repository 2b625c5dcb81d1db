//! Columns of the caverns: lakes, lava, moss, mushrooms, crystals and dripstone.
//!
//! The cover of a floor, and the growth on it or on a ceiling, depend on the voxels a few steps
//! above or below. A column therefore stores one bit per voxel, from 8 below the chunk to 7 above
//! it, which is set if the voxel is open. Such look-ups are then shifts.

use super::caves::rock;
use super::fractions::with_density;
use super::noise::unit;
use super::palette::TerrainPalette;
use super::terrain_column::{WATER_LEVEL, at_water_level};
use crate::voxel::{CHUNK_SIDE, Voxel};

/// Height above a wet storey's floor below which hollows hold water.
pub(super) const LAKE_LEVEL: i32 = 25;
/// Height above a fiery storey's floor below which hollows hold lava.
pub(super) const LAVA_LAKE_LEVEL: i32 = 17;

/// Heights covered by a column, relative to the lowest voxel of the chunk.
pub(super) const COLUMN_HEIGHTS: std::ops::Range<i32> = -8..CHUNK_SIDE + 8;

/// One column of a chunk in the caverns.
pub(super) struct CavernColumn {
    /// Bit `y - COLUMN_HEIGHTS.start` is set where the column is open.
    pub(super) open_bits: u64,
    /// Growth noise: moss above 0.05, grass above 0.22, crystals below -0.3.
    pub(super) garden: f64,
    /// Level of the storey's liquid: [`LAKE_LEVEL`], [`LAVA_LAKE_LEVEL`], or 0 where it is dry.
    pub(super) liquid_level: i32,
    /// Random number of the column.
    pub(super) hash: u64,
}

impl CavernColumn {
    /// True if the voxel at `y` above the chunk's lowest voxel is open.
    fn is_open(&self, y: i32) -> bool {
        self.open_bits >> (y - COLUMN_HEIGHTS.start) & 1 == 1
    }

    /// The voxel at `y` above the chunk's lowest voxel and `up` above the storey's floor.
    pub(super) fn voxel(&self, p: &TerrainPalette, y: i32, up: i32, stratum: f32) -> Voxel {
        if !self.is_open(y) {
            self.covered(p, y, up, rock(p, stratum, (stratum * 400.0) as i32 - 62))
        } else if up >= self.liquid_level {
            self.growth(p, y, up)
        } else if self.liquid_level == LAVA_LAKE_LEVEL {
            p.lava
        } else if up == LAKE_LEVEL - 1 {
            Voxel::new(p.water.material(), WATER_LEVEL)
        } else {
            p.water
        }
    }

    /// The voxel at `y`, with its density of ground. Growth that stands on little ground, or hangs
    /// from it, takes its place, so that no gap is left.
    pub(super) fn smooth_voxel(
        &self,
        p: &TerrainPalette,
        y: i32,
        up: i32,
        stratum: f32,
        density: u8,
    ) -> Voxel {
        let voxel = self.voxel(p, y, up, stratum);
        if density == 0 {
            return voxel;
        }
        if density < 128 {
            for step in [1, -1] {
                let is_growth = self.is_open(y + step) && up + step >= self.liquid_level;
                let growth = if is_growth { self.growth(p, y + step, up + step) } else { continue };
                if growth == p.crystal_block || growth == p.stone {
                    return growth;
                }
            }
        }
        let ground = with_density(voxel.material(), density);
        match self.liquid_level {
            level if level != LAKE_LEVEL || up >= level => ground,
            level if up == level - 1 => at_water_level(ground),
            _ => ground.with_liquid(u8::MAX),
        }
    }

    /// The growth in the open voxel at `y`, or air.
    fn growth(&self, p: &TerrainPalette, y: i32, up: i32) -> Voxel {
        let garden = self.garden;
        let chance = unit(self.hash);
        // Number of open voxels down to the floor. A floor below the liquid level does not count.
        let floor = (0..6)
            .find(|d| !self.is_open(y - 1 - d))
            .filter(|below| up - below >= self.liquid_level);
        if let Some(below) = floor {
            if garden < -0.30 && chance < 0.30 && below < 1 + ((self.hash >> 20) % 4) as i32 {
                return p.crystal_block;
            }
            if below == 0 && self.liquid_level == LAVA_LAKE_LEVEL {
                return Voxel::AIR;
            }
            if below == 0 {
                return match chance {
                    c if garden > 0.05 && c < 0.07 => p.glow_mushroom,
                    c if garden > 0.12 && c < 0.13 => p.mushroom,
                    c if garden > 0.22 && c < 0.55 => p.tall_grass,
                    c if c < 0.008 => p.glow_mushroom,
                    _ => Voxel::AIR,
                };
            }
        }
        let ceiling = (0..6).find(|d| !self.is_open(y + 1 + d));
        match ceiling {
            Some(gap) if chance > 0.955 && gap < 1 + ((self.hash >> 24) % 6) as i32 => {
                if garden < -0.2 { p.crystal_block } else { p.stone }
            }
            _ => Voxel::AIR,
        }
    }

    /// The rock at `y`, or its cover next to a hollow. No cover is powder: it would slide down the
    /// uneven floors, and the columns around are not known here.
    fn covered(&self, p: &TerrainPalette, y: i32, up: i32, rock: Voxel) -> Voxel {
        if self.is_open(y + 1) {
            let pick = |often: bool, a: Voxel, b: Voxel| if often { a } else { b };
            return match self.liquid_level {
                LAKE_LEVEL if up + 1 < LAKE_LEVEL => {
                    pick(self.garden > 0.0, p.mossy_cobblestone, p.clay)
                }
                LAKE_LEVEL if up < LAKE_LEVEL + 2 => p.sandstone,
                LAVA_LAKE_LEVEL if up < LAVA_LAKE_LEVEL + 4 => {
                    pick(self.hash.is_multiple_of(5), p.obsidian, p.basalt)
                }
                _ if self.garden > 0.22 => p.grass,
                _ if self.garden > 0.05 => p.mossy_cobblestone,
                _ => rock,
            };
        }
        if self.is_open(y + 2) && self.garden > 0.22 && self.liquid_level != LAVA_LAKE_LEVEL {
            return p.dirt;
        }
        if self.is_open(y - 1) && self.hash.is_multiple_of(61) { p.crystal_ore } else { rock }
    }
}
