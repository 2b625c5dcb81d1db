//! The surface: kind and depth of the soil, and its cover.
//!
//! Steep ground is bare rock, low ground at the sea is sand, high or cold ground has snow. On snow
//! and dunes the fractional part of the height becomes a partial voxel, so their slopes are smooth
//! where grass has steps.
//!
//! Soil and cover are at rest: powder that would fall or slide is firm rock instead, so the rules
//! change nothing in new terrain when an edit wakes them.

use super::fractions::Fractions;
use super::land_sample::{Biome, LandSample};
use super::noise::{NoiseField2, hash, unit};
use super::palette::TerrainPalette;
use super::plants::{self, GrowthNoise};
use super::terrain_column::{Fluid, SEA_LEVEL, SmoothColumn, TerrainColumn};
use crate::voxel::Voxel;

/// Temperature below which the sea freezes.
const FREEZING: f64 = -0.50;

/// Temperature below which snow lies on high ground.
const SNOW: f64 = -0.52;

/// Noise of cave entrances above which caves may open to the sky.
const MOUTH: f64 = 0.34;

/// Largest change of the noise of cave entrances within a metre.
const MOUTH_STEP: f64 = 0.06;

/// The four sides of a column: steps along x and z.
pub(super) const SIDES: [[i32; 2]; 4] = [[-1, 0], [1, 0], [0, -1], [0, 1]];

/// Heights of the ground around a column.
pub(super) struct SurroundingHeights {
    /// Height one metre away at each of the [`SIDES`].
    sides: [f64; 4],
    /// Lowest height within one metre, corners and the column itself included.
    lowest: f64,
}

impl SurroundingHeights {
    /// Samples the heights. `height` returns the height of the ground by steps along x and z.
    pub(super) fn new(height: impl Fn(i32, i32) -> f64) -> SurroundingHeights {
        let square = (-1..=1).flat_map(|dz| (-1..=1).map(move |dx| (dx, dz)));
        SurroundingHeights {
            sides: SIDES.map(|[dx, dz]| height(dx, dz)),
            lowest: square.map(|(dx, dz)| height(dx, dz)).fold(f64::MAX, f64::min),
        }
    }

    /// Height of the lowest voxel without ground at the lowest side; of smooth ground, the least
    /// height that it can have.
    fn lowest_free(&self, p: &TerrainPalette) -> i32 {
        let lowest = self.sides.into_iter().fold(f64::MAX, f64::min);
        match p.fractions {
            Some(_) => (lowest - 0.5 - Fractions::SURELY_GROUND).floor() as i32 + 1,
            None => lowest.floor() as i32,
        }
    }

    fn slope(&self) -> f64 {
        let [west, east, north, south] = self.sides;
        (west - east).abs().max((north - south).abs()) * 0.5
    }
}

/// Noise fields of the surface.
pub(super) struct SurfaceBuilder {
    seed: u64,
    /// Roughens borders between soils.
    fray: NoiseField2,
    /// Patches of gravel, clay and dirt.
    patches: NoiseField2,
    /// Cave entrances.
    mouths: NoiseField2,
    /// Growth of plants and trees.
    pub(super) growth: GrowthNoise,
}

impl SurfaceBuilder {
    pub(super) fn new(seed: u64) -> SurfaceBuilder {
        SurfaceBuilder {
            seed,
            fray: NoiseField2::new(seed, 50, 14.0, 2),
            patches: NoiseField2::new(seed, 51, 46.0, 2),
            mouths: NoiseField2::new(seed, 52, 85.0, 1),
            growth: GrowthNoise::new(seed),
        }
    }

    /// The column at `x`, `z`. A layer of sand on it may still have to be made firm, which depends
    /// on the columns around: see `Overworld::firm_layers`.
    pub(super) fn column(
        &self,
        p: &TerrainPalette,
        land: &LandSample,
        x: i32,
        z: i32,
        around: &SurroundingHeights,
    ) -> TerrainColumn {
        let fx = f64::from(x);
        let fz = f64::from(z);
        let fray = self.fray.get(fx, fz) * 1.6;
        let top = land.height.floor() as i32;
        let biome = land.biome(fray);
        let slope = around.slope();
        let lowest = around.lowest.floor() as i32;
        let mouth = self.mouths.get(fx, fz);
        let mut column = TerrainColumn {
            top,
            free: top,
            smooth: SmoothColumn::default(),
            cave_ceiling: if lowest < 5 { lowest - 10 } else { lowest - 5 },
            fluid_top: top,
            fluid: Fluid::None,
            biome,
            banded: land.mesa > 0.02,
            cave_mouth: false,
            soil_depth: 3 + (fray * 1.5) as i32,
            top_soil: p.grass,
            subsoil: p.dirt,
            cover: Voxel::AIR,
        };
        if land.volcano > 0.0 {
            // A cave would drain the crater.
            column.cave_ceiling = -30;
        } else if lowest >= 7 && mouth > MOUTH {
            column.cave_mouth = true;
            column.cave_ceiling = top + 1;
        }
        if let Some(fractions) = &p.fractions {
            column.smooth = self.smooth_column(land, around, [fx, fz], mouth);
            while fractions.density(column.smooth.depth(column.free)) > 0 {
                column.free += 1;
            }
        }
        if let Some(level) = land.lava {
            column.fluid = Fluid::Lava;
            column.fluid_top = level.max(top);
        } else if top < SEA_LEVEL {
            let frozen = land.temperature + fray * 0.05 < FREEZING;
            column.fluid = if frozen { Fluid::FrozenWater } else { Fluid::Water };
            column.fluid_top = SEA_LEVEL;
        }

        let patch = self.patches.get(fx, fz);
        (column.top_soil, column.subsoil) = match biome {
            Biome::Sea if patch > 0.44 && top < -2 => (p.gravel, p.gravel),
            Biome::Sea if patch < -0.50 && top > -16 => (p.clay, p.clay),
            Biome::Sea if top < -24 => (p.gravel, p.stone),
            Biome::Beach if land.temperature < -0.3 => (p.gravel, p.gravel),
            Biome::Sea | Biome::Beach => {
                (p.sand, if land.temperature > 0.1 { p.sandstone } else { p.sand })
            }
            Biome::Desert if column.banded && land.mesa > 0.5 => (p.red_sand, p.sandstone),
            Biome::Desert => (p.sand, p.sandstone),
            Biome::Savanna => (p.dry_grass, p.dirt),
            Biome::Tundra => (p.snowy_grass, p.dirt),
            // Not dirt, over which grass would spread.
            Biome::Taiga if patch > 0.42 => (p.dry_grass, p.dirt),
            Biome::Plains if land.moisture < -0.12 + fray * 0.06 => (p.dry_grass, p.dirt),
            Biome::Rock => (p.basalt, p.basalt),
            _ => (p.grass, p.dirt),
        };
        self.weather(p, land, &mut column, slope, fray, patch);
        let is_near_mouth = top >= 7 && mouth > MOUTH - MOUTH_STEP;
        rest(p, &mut column, around.lowest_free(p), is_near_mouth);
        if column.cover.is_air()
            && column.soil_depth > 0
            && !column.cave_mouth
            && top >= 0
            && land.lava.is_none()
        {
            column.cover = plants::plant(
                p,
                &self.growth,
                &column,
                land,
                x,
                z,
                unit(hash(self.seed, [x, 5, z])),
            );
        }
        if top == 0 && lowest < 0 && column.fluid == Fluid::None {
            column.cover = plants::reed(p, land, unit(hash(self.seed, [x, 6, z])), patch);
        }
        column
    }

    /// The surfaces of a column of smooth ground, at the place `at`. They follow the rules for
    /// blocks without rounding. Caves stay one metre further below the ground, because powder above
    /// a fraction would fall.
    fn smooth_column(
        &self,
        land: &LandSample,
        around: &SurroundingHeights,
        at: [f64; 2],
        mouth: f64,
    ) -> SmoothColumn {
        /// Distance far from a cave mouth.
        const FAR: f64 = 100.0;
        let slope = around.slope();
        let low = if around.lowest < 5.0 { 11.0 } else { 6.0 };
        let mut column = SmoothColumn {
            height: land.height as f32,
            flatness: (1.0 / slope.max(1.0)) as f32,
            cave_ceiling: (around.lowest - low) as f32,
            mouth: -FAR as f32,
        };
        if land.volcano > 0.0 {
            column.cave_ceiling = -30.0;
        } else if around.lowest > 6.0 && mouth > MOUTH - MOUTH_STEP {
            let [x, z] = at;
            let east = self.mouths.get(x + 1.0, z) - mouth;
            let south = self.mouths.get(x, z + 1.0) - mouth;
            let to_mouth = (mouth - MOUTH) / east.abs().max(south.abs()).max(1e-4);
            let to_low_ground = (around.lowest - 7.0) / slope.max(0.05);
            column.mouth = to_mouth.min(to_low_ground).clamp(-FAR, FAR) as f32;
        }
        column
    }

    /// Removes soil from steep ground; adds snow to high and cold ground and sand to dunes.
    fn weather(
        &self,
        p: &TerrainPalette,
        land: &LandSample,
        column: &mut TerrainColumn,
        slope: f64,
        fray: f64,
        patch: f64,
    ) {
        let top = column.top;
        if top < 0 || column.biome == Biome::Rock {
            return;
        }
        let cold = SNOW - land.temperature + fray * 0.05;
        let high = land.height > 40.0;
        // Higher meadows need gentler slopes.
        let max_slope = if high { 1.15 - (land.height - 40.0) * 0.006 } else { 1.3 } + fray * 0.15;
        let layer = |of: Voxel| {
            if p.fractions.is_some() {
                return Voxel::AIR;
            }
            let eighths = ((land.height - land.height.floor()) * 8.0) as i32;
            if eighths > 0 {
                Voxel::new(of.material(), (eighths * 32 - 1) as u8)
            } else {
                Voxel::AIR
            }
        };
        if cold > 0.0 && slope < 2.1 && column.biome != Biome::Sea && land.height > 2.0 {
            (column.top_soil, column.subsoil) =
                if high || cold > 0.2 { (p.snow, p.stone) } else { (p.snowy_grass, p.dirt) };
            if cold > 0.03 {
                column.cover = layer(p.snow);
                if p.fractions.is_some() {
                    column.top_soil = p.snow;
                }
            }
        } else if slope > max_slope.max(0.5) {
            column.soil_depth = 0;
        } else if high && land.temperature < -0.30 + patch * 0.1 {
            // Between meadow and snow: scree and bare rock.
            if patch > 0.1 {
                column.top_soil = p.gravel;
                column.subsoil = p.stone;
            } else {
                column.soil_depth = 0;
            }
        }
        if column.biome == Biome::Desert
            && column.top_soil == p.sand
            && column.soil_depth > 0
            && slope < 0.7
        {
            column.cover = layer(p.sand);
        }
    }
}

/// Makes powder firm where it would fall or slide: at steps of two metres, which a voxel slides
/// down, and where caves may open below it or next to it. `lowest_free` is the lowest voxel without
/// ground at the four sides.
fn rest(p: &TerrainPalette, column: &mut TerrainColumn, lowest_free: i32, is_near_mouth: bool) {
    if lowest_free < column.free - 1 || is_near_mouth {
        column.top_soil = p.firm(column.top_soil);
    }
    if lowest_free < column.free - 2 || is_near_mouth {
        column.subsoil = p.firm(column.subsoil);
    }
    if column.cave_mouth {
        column.cover = Voxel::AIR;
        // Dirt in an open cave would become grass.
        if column.subsoil == p.dirt {
            column.subsoil = p.stone;
        }
    } else if is_near_mouth && column.cover.material() != p.snow.material() {
        // Snow does not slide.
        column.cover = p.firm(column.cover);
    }
}
