//! The caverns: rock without end in every direction, hollowed into storeys.
//!
//! Every 96 metres of height are a storey: a floor of rock, and over it halls held up by pillars, with shafts
//! to the next one. Regions of a storey are wet, dry or fiery; dikes of rock part them, and under a lake the
//! floor has no shaft, so no liquid stands beside or above open air.

use super::caves::{Underground, rock};
use super::lattice::Lattice;
use super::noise::{Field, Field3, hash, smooth, unit};
use super::ores;
use super::overlay::Overlay;
use super::palette::Palette;
use super::surface::WATER_LEVEL;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel};
use crate::world::Chunk;

/// Height of a storey.
pub(super) const STOREY: i32 = 96;
/// Heights over a storey's floor below which its hollows hold water, and lava.
const LAKE: i32 = 25;
const FIRE: i32 = 17;
/// Half the thickness of the sealed floor under liquids.
const SEAL: f64 = 8.0;
/// A place is wet where the region noise is above the one, fiery where it is below the other.
const WET: f64 = 0.06;
const FIERY: f64 = -0.20;

/// The noises of the caverns.
pub(super) struct Caverns {
    seed: u64,
    halls: Field3,
    pillars: Field,
    swells: Field,
    regions: Field,
    gardens: Field,
    underground: Underground,
}

impl Caverns {
    pub(super) fn new(seed: u64) -> Caverns {
        Caverns {
            seed,
            halls: Field3::new(seed, 80, 84.0, 60.0, 3),
            pillars: Field::new(seed, 81, 30.0, 1),
            swells: Field::new(seed, 84, 120.0, 2),
            regions: Field::new(seed, 82, 230.0, 2),
            gardens: Field::new(seed, 83, 34.0, 2),
            underground: Underground::new(seed),
        }
    }

    /// Wet, dry or fiery: the region noise of the storey that holds height `y`.
    fn region(&self, x: f64, y: i32, z: f64) -> f64 {
        let storey = f64::from(y.div_euclid(STOREY));
        self.regions.get(x + storey * 1731.0, z - storey * 977.0)
    }

    /// How open a place is; over 0 is air.
    pub(super) fn openness(&self, x: i32, y: i32, z: i32) -> f64 {
        let (fx, fz) = (f64::from(x), f64::from(z));
        let up = f64::from(y.rem_euclid(STOREY));
        // Distance to the nearest floor between storeys.
        let off = up.min(f64::from(STOREY) - up);
        // Floors and ceilings rise and sink by tens of metres.
        let swell = self.swells.get(fx + f64::from(y.div_euclid(STOREY)) * 577.0, fz) * 22.0;
        let room = smooth(2.0, 34.0, (up + swell).min(f64::from(STOREY) - up - swell * 0.4));
        let mut open = self.halls.get(fx, f64::from(y), fz) * 1.15 - 0.52 + 0.80 * room;
        open -= 0.6 * smooth(0.34, 0.6, self.pillars.get(fx, fz));
        if off < SEAL || up < f64::from(LAKE + 8) {
            let region = self.region(fx, y, fz);
            let above = if up > f64::from(STOREY) * 0.5 { self.region(fx, y + STOREY / 2, fz) } else { region };
            let shut = |region: f64| region > WET - 0.05 || region < FIERY + 0.05;
            if off < SEAL && (shut(region) || shut(above)) {
                return -0.4;
            }
            // The dike leans back over the liquid's level.
            let dike = smooth(f64::from(LAKE + 8), f64::from(LAKE + 1), up);
            let border = (region - WET).abs().min((region - FIERY).abs());
            open = open.min(0.4 - 0.8 * dike * smooth(0.085, 0.06, border));
        }
        open
    }

    /// The chunk at `pos`.
    pub(super) fn chunk(&self, p: &Palette, pos: ChunkPos) -> Chunk {
        let bounds = pos.bounds();
        let origin = bounds.min;
        let open = Lattice::sample(origin, -8, 40, |at| self.openness(at.x, at.y, at.z));
        let hollows = Hollows::new(&open);
        let strata = self.underground.strata(origin, 0, 32);
        let mut overlay = Overlay::new(pos);
        ores::veins(p, self.seed, bounds, true, &mut overlay);
        let mut writer = overlay.into_writer(p);
        let places: Vec<Place> =
            (0..1024).map(|i| self.place(origin.x + (i & 31), origin.y, origin.z + (i >> 5))).collect();
        for y in 0..CHUNK_SIDE {
            for z in 0..CHUNK_SIDE {
                let strata = strata.row(y, z);
                writer.push_row(&std::array::from_fn(|x| {
                    let column = x + (z << 5) as usize;
                    self.voxel(p, &hollows, &places[column], column, origin.y + y, y, strata[x])
                }));
            }
        }
        writer.finish()
    }

    fn place(&self, x: i32, y: i32, z: i32) -> Place {
        let (fx, fz) = (f64::from(x), f64::from(z));
        // A chunk lies in one storey: 96 is three chunks.
        Place { region: self.region(fx, y, fz), garden: self.gardens.get(fx, fz), x, z }
    }

    /// The voxel at world height `height`, which is `y` in its chunk.
    #[allow(clippy::too_many_arguments)]
    fn voxel(
        &self,
        p: &Palette,
        hollows: &Hollows,
        place: &Place,
        column: usize,
        height: i32,
        y: i32,
        stratum: f32,
    ) -> Voxel {
        let up = height.rem_euclid(STOREY);
        let level = if place.region > WET {
            LAKE
        } else if place.region < FIERY {
            FIRE
        } else {
            0
        };
        let own = hash(self.seed ^ 0xCA7, [place.x, height.div_euclid(STOREY), place.z]);
        if !hollows.open(column, y) {
            return self.solid(
                p,
                hollows,
                place,
                column,
                up,
                level,
                y,
                own,
                rock(p, stratum, (stratum * 400.0) as i32 - 62),
            );
        }
        if up < level {
            return match level {
                LAKE if up == level - 1 => Voxel::new(p.water.material(), WATER_LEVEL),
                LAKE => p.water,
                _ => p.lava,
            };
        }
        let chance = unit(own);
        let clusters = place.garden < -0.30 && chance < 0.30;
        let floor = hollows.floor_below(column, y);
        if let Some(below) = floor {
            // A floor under liquid is the liquid's.
            let on_land = up - below >= level;
            if clusters && on_land && below < 1 + ((own >> 20) % 4) as i32 {
                return p.crystal_block;
            }
            if below == 0 && on_land && level != FIRE {
                let garden = place.garden;
                return match chance {
                    c if garden > 0.05 && c < 0.07 => p.glow_mushroom,
                    c if garden > 0.12 && c < 0.13 => p.mushroom,
                    c if garden > 0.22 && c < 0.55 => p.tall_grass,
                    c if c < 0.008 => p.glow_mushroom,
                    _ => Voxel::AIR,
                };
            }
        }
        match hollows.ceiling_above(column, y) {
            Some(gap) if chance > 0.955 && gap < 1 + ((own >> 24) % 6) as i32 => {
                if place.garden < -0.2 {
                    p.crystal_block
                } else {
                    p.stone
                }
            }
            _ => Voxel::AIR,
        }
    }

    /// Rock, and what covers it where it meets a hollow.
    #[allow(clippy::too_many_arguments)]
    fn solid(
        &self,
        p: &Palette,
        hollows: &Hollows,
        place: &Place,
        column: usize,
        up: i32,
        level: i32,
        y: i32,
        own: u64,
        rock: Voxel,
    ) -> Voxel {
        if hollows.open(column, y + 1) {
            let wet = up + 1 < level;
            return match level {
                LAKE if wet => {
                    if place.garden > 0.0 {
                        p.gravel
                    } else {
                        p.clay
                    }
                }
                LAKE if up < level + 2 => p.sand,
                FIRE if up < level + 4 => {
                    if own % 5 == 0 {
                        p.obsidian
                    } else {
                        p.basalt
                    }
                }
                _ if place.garden > 0.22 => p.grass,
                _ if place.garden > 0.05 => p.mossy_cobblestone,
                _ => rock,
            };
        }
        if hollows.open(column, y + 2) && place.garden > 0.22 && level != FIRE {
            return p.dirt;
        }
        if hollows.open(column, y - 1) && own % 61 == 0 { p.crystal_ore } else { rock }
    }
}

/// What is known of one column of a chunk.
struct Place {
    region: f64,
    garden: f64,
    x: i32,
    z: i32,
}

/// Which voxels of each column are open, one bit each, from 8 below the chunk to 7 above it.
struct Hollows {
    bits: Vec<u64>,
}

impl Hollows {
    const BELOW: i32 = 8;

    fn new(open: &Lattice) -> Hollows {
        let mut bits = vec![0u64; 1024];
        for y in -Self::BELOW..CHUNK_SIDE + 8 {
            for z in 0..CHUNK_SIDE {
                let row = open.row(y, z);
                let columns = &mut bits[(z << 5) as usize..][..32];
                for (column, value) in columns.iter_mut().zip(row) {
                    *column |= u64::from(value > 0.0) << (y + Self::BELOW);
                }
            }
        }
        Hollows { bits }
    }

    fn open(&self, column: usize, y: i32) -> bool {
        self.bits[column] >> (y + Self::BELOW) & 1 == 1
    }

    /// Open voxels between the open voxel at `y` and the floor; none if that is more than six.
    fn floor_below(&self, column: usize, y: i32) -> Option<i32> {
        (0..6).find(|d| !self.open(column, y - 1 - d))
    }

    /// Open voxels between the open voxel at `y` and the ceiling; none if that is more than six.
    fn ceiling_above(&self, column: usize, y: i32) -> Option<i32> {
        (0..6).find(|d| !self.open(column, y + 1 + d))
    }
}
