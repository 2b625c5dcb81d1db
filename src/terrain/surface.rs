//! Dressing the land: which soil, how deep, what lies on it.
//!
//! Steep ground is bare rock, low ground by the sea is sand, high or cold ground is snow. Where snow or dunes
//! lie, the fraction that the height has over its last whole metre becomes a partial voxel, so their slopes
//! are smooth where grass has steps.

use super::land::{Biome, Land};
use super::noise::{Field, hash, unit};
use super::palette::Palette;
use super::plants;
use super::tile::{Column, Fluid};
use crate::voxel::Voxel;

/// Occupancy of the uppermost layer of water: 14/16, so the surface lies a little below the shore.
pub(super) const WATER_LEVEL: u8 = 223;

/// Temperature below which the sea freezes.
const FREEZING: f64 = -0.50;

/// Temperature below which snow lies on high ground.
const SNOW: f64 = -0.52;

/// The noises that dress the land.
pub(super) struct Surface {
    seed: u64,
    /// Frays borders between soils.
    fray: Field,
    /// Patches of gravel, clay and dirt.
    patches: Field,
    /// Where caves open to the sky.
    mouths: Field,
    /// Where plants are many or few.
    pub(super) growth: Field,
    /// Which flower or tree a place prefers.
    pub(super) stands: Field,
}

impl Surface {
    pub(super) fn new(seed: u64) -> Surface {
        Surface {
            seed,
            fray: Field::new(seed, 50, 14.0, 2),
            patches: Field::new(seed, 51, 46.0, 2),
            mouths: Field::new(seed, 52, 85.0, 1),
            growth: Field::new(seed, 53, 82.0, 3),
            stands: Field::new(seed, 54, 210.0, 2),
        }
    }

    /// The column of `land` at `x`, `z`. `around` are the heights one metre west, east, north and south;
    /// `lowest` is the least height within one metre, corners counted.
    pub(super) fn column(&self, p: &Palette, land: &Land, x: i32, z: i32, around: [f64; 4], lowest: f64) -> Column {
        let (fx, fz) = (f64::from(x), f64::from(z));
        let fray = self.fray.get(fx, fz) * 1.6;
        let top = land.height.floor() as i32;
        let biome = land.biome(fray);
        let slope = (around[0] - around[1]).abs().max((around[2] - around[3]).abs()) * 0.5;
        let lowest = lowest.floor() as i32;
        let mut column = Column {
            top,
            roof: if lowest < 5 { lowest - 10 } else { lowest - 5 },
            fluid_top: top,
            fluid: Fluid::None,
            biome,
            banded: land.mesa > 0.02,
            open: false,
            soil: 3 + (fray * 1.5) as i32,
            surface: p.grass,
            under: p.dirt,
            cap: Voxel::AIR,
        };
        if land.volcano > 0.0 {
            // Nothing may drain the crater.
            column.roof = -30;
        } else if lowest >= 7 && self.mouths.get(fx, fz) > 0.34 {
            (column.open, column.roof) = (true, top + 1);
        }
        if let Some(level) = land.lava {
            (column.fluid, column.fluid_top) = (Fluid::Lava, level.max(top));
        } else if top < 0 {
            let frozen = land.temperature + fray * 0.05 < FREEZING;
            (column.fluid, column.fluid_top) = (if frozen { Fluid::FrozenWater } else { Fluid::Water }, 0);
        }

        let patch = self.patches.get(fx, fz);
        (column.surface, column.under) = match biome {
            Biome::Sea if patch > 0.44 && top < -2 => (p.gravel, p.gravel),
            Biome::Sea if patch < -0.50 && top > -16 => (p.clay, p.clay),
            Biome::Sea if top < -24 => (p.gravel, p.stone),
            Biome::Beach if land.temperature < -0.3 => (p.gravel, p.gravel),
            Biome::Sea | Biome::Beach => (p.sand, if land.temperature > 0.1 { p.sandstone } else { p.sand }),
            Biome::Desert if column.banded && land.mesa > 0.5 => (p.red_sand, p.sandstone),
            Biome::Desert => (p.sand, p.sandstone),
            Biome::Savanna => (p.dry_grass, p.dirt),
            Biome::Tundra => (p.snowy_grass, p.dirt),
            Biome::Taiga if patch > 0.42 => (p.dirt, p.dirt),
            Biome::Plains if land.moisture < -0.12 + fray * 0.06 => (p.dry_grass, p.dirt),
            Biome::Rock => (p.basalt, p.basalt),
            _ => (p.grass, p.dirt),
        };
        self.weather(p, land, &mut column, slope, fray, patch);
        if column.cap.is_air() && column.soil > 0 && !column.open && top >= 0 && land.lava.is_none() {
            column.cap = plants::plant(p, self, &column, land, x, z, unit(hash(self.seed, [x, 5, z])));
        }
        if top == 0 && lowest < 0 && column.fluid == Fluid::None {
            column.cap = plants::reed(p, land, unit(hash(self.seed, [x, 6, z])), patch);
        }
        column
    }

    /// Bares steep ground and lays snow on high and cold ground, sand on dunes.
    fn weather(&self, p: &Palette, land: &Land, column: &mut Column, slope: f64, fray: f64, patch: f64) {
        let top = column.top;
        if top < 0 || column.biome == Biome::Rock {
            return;
        }
        let cold = SNOW - land.temperature + fray * 0.05;
        let high = land.height > 40.0;
        // Meadows hold on gentler ground the higher they are.
        let holds = if high { 1.15 - (land.height - 40.0) * 0.006 } else { 1.3 } + fray * 0.15;
        let layer = |of: Voxel| {
            let eighths = ((land.height - land.height.floor()) * 8.0) as i32;
            if eighths > 0 { Voxel::new(of.material(), (eighths * 32 - 1) as u8) } else { Voxel::AIR }
        };
        if cold > 0.0 && slope < 2.1 && column.biome != Biome::Sea && land.height > 2.0 {
            (column.surface, column.under) =
                if high || cold > 0.2 { (p.snow, p.stone) } else { (p.snowy_grass, p.dirt) };
            if cold > 0.03 {
                column.cap = layer(p.snow);
            }
        } else if slope > holds.max(0.5) {
            column.soil = 0;
        } else if high && land.temperature < -0.30 + patch * 0.1 {
            // Between meadow and snow: scree and bare rock.
            if patch > 0.1 {
                (column.surface, column.under) = (p.gravel, p.stone);
            } else {
                column.soil = 0;
            }
        }
        if column.biome == Biome::Desert && column.surface == p.sand && column.soil > 0 && slope < 0.7 {
            column.cap = layer(p.sand);
        }
    }
}
