//! Dressing the caverns, column by column: lakes, lava, moss, mushrooms, crystals, dripstone.
//!
//! What covers a floor, stands on it or hangs from a ceiling depends on what is a few voxels above or below.
//! So a column keeps which of its voxels are open as one bit each in a word, from 8 below the chunk to 7
//! above it, and such questions are shifts.

use super::caves::rock;
use super::noise::unit;
use super::palette::Palette;
use super::surface::WATER_LEVEL;
use crate::voxel::{CHUNK_SIDE, Voxel};

/// Heights over a storey's floor below which its hollows hold water, and lava.
pub(super) const LAKE: i32 = 25;
pub(super) const FIRE: i32 = 17;

/// The lowest and one past the highest height, over the chunk's lowest voxel, that a column knows of.
pub(super) const SEEN: std::ops::Range<i32> = -8..CHUNK_SIDE + 8;

/// What is known of one column of a chunk.
pub(super) struct Grotto {
    /// Bit `y - SEEN.start` is set where the column is open.
    pub(super) open: u64,
    /// Over 0.05 moss, over 0.22 grass grows; below -0.3 crystals do.
    pub(super) garden: f64,
    /// [`LAKE`], [`FIRE`], or 0 where the storey is dry.
    pub(super) level: i32,
    /// The column's own random number.
    pub(super) own: u64,
}

impl Grotto {
    /// True if the voxel at `y` over the chunk's lowest is open.
    fn open(&self, y: i32) -> bool {
        self.open >> (y - SEEN.start) & 1 == 1
    }

    /// The voxel at `y` over the chunk's lowest, `up` over the storey's floor.
    pub(super) fn voxel(&self, p: &Palette, y: i32, up: i32, stratum: f32) -> Voxel {
        if !self.open(y) {
            self.covered(p, y, up, rock(p, stratum, (stratum * 400.0) as i32 - 62))
        } else if up >= self.level {
            self.growth(p, y, up)
        } else if self.level == FIRE {
            p.lava
        } else if up == LAKE - 1 {
            Voxel::new(p.water.material(), WATER_LEVEL)
        } else {
            p.water
        }
    }

    /// What stands or hangs in the open voxel at `y`.
    fn growth(&self, p: &Palette, y: i32, up: i32) -> Voxel {
        let (garden, chance) = (self.garden, unit(self.own));
        // Open voxels down to the floor. A floor under liquid is the liquid's.
        let floor = (0..6).find(|d| !self.open(y - 1 - d)).filter(|below| up - below >= self.level);
        if let Some(below) = floor {
            if garden < -0.30 && chance < 0.30 && below < 1 + ((self.own >> 20) % 4) as i32 {
                return p.crystal_block;
            }
            if below == 0 && self.level != FIRE {
                return match chance {
                    c if garden > 0.05 && c < 0.07 => p.glow_mushroom,
                    c if garden > 0.12 && c < 0.13 => p.mushroom,
                    c if garden > 0.22 && c < 0.55 => p.tall_grass,
                    c if c < 0.008 => p.glow_mushroom,
                    _ => Voxel::AIR,
                };
            }
        }
        let ceiling = (0..6).find(|d| !self.open(y + 1 + d));
        match ceiling {
            Some(gap) if chance > 0.955 && gap < 1 + ((self.own >> 24) % 6) as i32 => {
                if garden < -0.2 {
                    p.crystal_block
                } else {
                    p.stone
                }
            }
            _ => Voxel::AIR,
        }
    }

    /// The rock at `y`, or what covers it where it meets a hollow.
    fn covered(&self, p: &Palette, y: i32, up: i32, rock: Voxel) -> Voxel {
        if self.open(y + 1) {
            let pick = |often: bool, a: Voxel, b: Voxel| if often { a } else { b };
            return match self.level {
                LAKE if up + 1 < LAKE => pick(self.garden > 0.0, p.gravel, p.clay),
                LAKE if up < LAKE + 2 => p.sand,
                FIRE if up < FIRE + 4 => pick(self.own.is_multiple_of(5), p.obsidian, p.basalt),
                _ if self.garden > 0.22 => p.grass,
                _ if self.garden > 0.05 => p.mossy_cobblestone,
                _ => rock,
            };
        }
        if self.open(y + 2) && self.garden > 0.22 && self.level != FIRE {
            return p.dirt;
        }
        if self.open(y - 1) && self.own.is_multiple_of(61) { p.crystal_ore } else { rock }
    }
}
