//! The caverns: rock without end in every direction, hollowed into storeys.
//!
//! Every 96 metres of height are a storey: a floor of rock, and over it halls held up by pillars, with shafts
//! to the next one. Regions of a storey are wet, dry or fiery; dikes of rock part them, and under a lake the
//! floor has no shaft, so no liquid stands beside or above open air.

use super::caves::Underground;
use super::grotto::{FIRE, Grotto, LAKE, SEEN};
use super::lattice::Lattice;
use super::noise::{Field, Field3, hash, smooth};
use super::ores;
use super::overlay::Overlay;
use super::palette::Palette;
use crate::voxel::{CHUNK_SIDE, ChunkPos};
use crate::world::Chunk;

/// Height of a storey.
pub(super) const STOREY: i32 = 96;
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
            let shut = |region: f64| !(FIERY + 0.05..=WET - 0.05).contains(&region);
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
        let open = Lattice::sample(origin, SEEN.start, SEEN.end, |at| self.openness(at.x, at.y, at.z));
        let mut columns: Vec<Grotto> =
            (0..1024).map(|i| self.grotto(origin.x + (i & 31), origin.y, origin.z + (i >> 5))).collect();
        for y in SEEN {
            for (z, row) in columns.chunks_exact_mut(32).enumerate() {
                for (column, openness) in row.iter_mut().zip(open.row(y, z as i32)) {
                    column.open |= u64::from(openness > 0.0) << (y - SEEN.start);
                }
            }
        }
        let strata = self.underground.strata(origin, 0, CHUNK_SIDE);
        let mut overlay = Overlay::new(pos);
        ores::veins(p, self.seed, bounds, true, &mut overlay);
        let mut writer = overlay.into_writer(p);
        for y in 0..CHUNK_SIDE {
            let up = (origin.y + y).rem_euclid(STOREY);
            for (z, row) in columns.chunks_exact(32).enumerate() {
                let strata = strata.row(y, z as i32);
                writer.push_row(&std::array::from_fn(|x| row[x].voxel(p, y, up, strata[x])));
            }
        }
        writer.finish()
    }

    /// What is known of a column of the chunk whose lowest voxels are at height `y`, before it is hollowed.
    /// A chunk lies in one storey: 96 is three chunks.
    fn grotto(&self, x: i32, y: i32, z: i32) -> Grotto {
        let (fx, fz) = (f64::from(x), f64::from(z));
        let level = match self.region(fx, y, fz) {
            region if region > WET => LAKE,
            region if region < FIERY => FIRE,
            _ => 0,
        };
        let own = hash(self.seed ^ 0xCA7, [x, y.div_euclid(STOREY), z]);
        Grotto { open: 0, garden: self.gardens.get(fx, fz), level, own }
    }
}
