//! The caverns: endless rock, hollowed into storeys.
//!
//! A storey is 96 metres high: a floor of rock, halls with pillars above it, and shafts to the next
//! storey. Regions of a storey are wet, dry or fiery. Dikes of rock separate them, and a floor
//! below liquid has no shaft, so no liquid lies next to or above open air.

use super::cavern_column::{COLUMN_HEIGHTS, CavernColumn, LAKE_LEVEL, LAVA_LAKE_LEVEL};
use super::caves::UndergroundNoise;
use super::feature_overlay::FeatureOverlay;
use super::lattice::Lattice;
use super::noise::{NoiseField2, NoiseField3, hash, smooth};
use super::ores;
use super::palette::TerrainPalette;
use crate::voxel::{CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, linear_index};
use crate::world::Chunk;
use glam::IVec3;

/// Height of a storey in voxels.
pub(super) const STOREY: i32 = 96;
/// Half the thickness of the sealed floor below liquids.
const SEAL: f64 = 8.0;
/// Region noise above which a region is wet.
const WET: f64 = 0.06;
/// Region noise below which a region is fiery.
const FIERY: f64 = -0.20;

/// Generator of the caverns.
pub(super) struct Caverns {
    seed: u64,
    halls: NoiseField3,
    pillars: NoiseField2,
    swells: NoiseField2,
    regions: NoiseField2,
    gardens: NoiseField2,
    underground: UndergroundNoise,
}

impl Caverns {
    pub(super) fn new(seed: u64) -> Caverns {
        Caverns {
            seed,
            halls: NoiseField3::new(seed, 80, 84.0, 60.0, 3),
            pillars: NoiseField2::new(seed, 81, 30.0, 1),
            swells: NoiseField2::new(seed, 84, 120.0, 2),
            regions: NoiseField2::new(seed, 82, 230.0, 2),
            gardens: NoiseField2::new(seed, 83, 34.0, 2),
            underground: UndergroundNoise::new(seed),
        }
    }

    /// Region noise of the storey at height `y`: wet above [`WET`], fiery below [`FIERY`], else
    /// dry.
    fn region(&self, x: f64, y: i32, z: f64) -> f64 {
        let storey = f64::from(y.div_euclid(STOREY));
        self.regions.get(x + storey * 1731.0, z - storey * 977.0)
    }

    /// Openness of a voxel; above 0 is air.
    pub(super) fn openness(&self, x: i32, y: i32, z: i32) -> f64 {
        let fx = f64::from(x);
        let fz = f64::from(z);
        let up = f64::from(y.rem_euclid(STOREY));
        // Distance to the nearest floor between storeys.
        let off = up.min(f64::from(STOREY) - up);
        // Floors and ceilings vary by tens of metres.
        let swell = self.swells.get(fx + f64::from(y.div_euclid(STOREY)) * 577.0, fz) * 22.0;
        let room = smooth(2.0, 34.0, (up + swell).min(f64::from(STOREY) - up - swell * 0.4));
        let mut open = self.halls.get(fx, f64::from(y), fz) * 1.15 - 0.52 + 0.80 * room;
        open -= 0.6 * smooth(0.34, 0.6, self.pillars.get(fx, fz));
        if off < SEAL || up < f64::from(LAKE_LEVEL + 8) {
            let region = self.region(fx, y, fz);
            let above = if up > f64::from(STOREY) * 0.5 {
                self.region(fx, y + STOREY / 2, fz)
            } else {
                region
            };
            let shut = |region: f64| !(FIERY + 0.05..=WET - 0.05).contains(&region);
            if off < SEAL && (shut(region) || shut(above)) {
                return -0.4;
            }
            // The dike fades out above the liquid level.
            let dike = smooth(f64::from(LAKE_LEVEL + 8), f64::from(LAKE_LEVEL + 1), up);
            let border = (region - WET).abs().min((region - FIERY).abs());
            open = open.min(0.4 - 0.8 * dike * smooth(0.085, 0.06, border));
        }
        open
    }

    /// The chunk at `pos`.
    pub(super) fn chunk(&self, p: &TerrainPalette, pos: ChunkPos) -> Chunk {
        let bounds = pos.bounds();
        let origin = bounds.min;
        let open = Lattice::sample(origin, COLUMN_HEIGHTS.start, COLUMN_HEIGHTS.end, |at| {
            self.openness(at.x, at.y, at.z)
        });
        let offsets = (0..CHUNK_SIDE).flat_map(|z| (0..CHUNK_SIDE).map(move |x| (x, z)));
        let mut columns: Vec<CavernColumn> =
            offsets.map(|(x, z)| self.column(origin.x + x, origin.y, origin.z + z)).collect();
        let mut densities = vec![u8::MAX; if p.fractions.is_some() { CHUNK_VOLUME } else { 0 }];
        for y in COLUMN_HEIGHTS {
            for (z, row) in columns.chunks_exact_mut(32).enumerate() {
                let z = z as i32;
                let is_open: [bool; 32] = match &p.fractions {
                    Some(fractions) => {
                        let row = open.distances(y, z).map(|depth| fractions.density(-depth));
                        if (0..CHUNK_SIDE).contains(&y) {
                            let start = linear_index(IVec3::new(0, y, z));
                            densities[start..start + row.len()].copy_from_slice(&row);
                        }
                        row.map(|density| density == 0)
                    }
                    None => open.row(y, z).map(|openness| openness > 0.0),
                };
                for (column, is_open) in row.iter_mut().zip(is_open) {
                    column.open_bits |= u64::from(is_open) << (y - COLUMN_HEIGHTS.start);
                }
            }
        }
        let strata = self.underground.strata(origin, 0, CHUNK_SIDE);
        let mut overlay = FeatureOverlay::new(pos);
        ores::veins(p, self.seed, bounds, true, &mut overlay);
        let mut writer = overlay.into_writer(p);
        for y in 0..CHUNK_SIDE {
            let up = (origin.y + y).rem_euclid(STOREY);
            for (z, row) in columns.chunks_exact(32).enumerate() {
                let strata = strata.row(y, z as i32);
                let start = linear_index(IVec3::new(0, y, z as i32));
                writer.push_row(&std::array::from_fn(|x| match densities.get(start + x) {
                    Some(&density) => row[x].smooth_voxel(p, y, up, strata[x], density),
                    None => row[x].voxel(p, y, up, strata[x]),
                }));
            }
        }
        writer.finish()
    }

    /// Height of the liquids in the storey at `at` above the floor, or 0 where the storey is dry.
    pub(super) fn liquid_level(&self, at: IVec3) -> i32 {
        match self.region(f64::from(at.x), at.y, f64::from(at.z)) {
            region if region > WET => LAKE_LEVEL,
            region if region < FIERY => LAVA_LAKE_LEVEL,
            _ => 0,
        }
    }

    /// A column of the chunk whose lowest voxels are at height `y`, before hollowing. A storey is
    /// three chunks high, so a chunk lies in one storey.
    fn column(&self, x: i32, y: i32, z: i32) -> CavernColumn {
        let fx = f64::from(x);
        let fz = f64::from(z);
        let liquid_level = self.liquid_level(IVec3::new(x, y, z));
        let own = hash(self.seed ^ 0xCA7, [x, y.div_euclid(STOREY), z]);
        CavernColumn { open_bits: 0, garden: self.gardens.get(fx, fz), liquid_level, hash: own }
    }
}
