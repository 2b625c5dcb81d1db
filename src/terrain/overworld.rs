//! The overworld: generates chunks with a sky, from rock, caves, soil, water, plants and features.

use super::caves::{LAVA_LEVEL, RockSamples, UndergroundNoise, WORLD_FLOOR, band, rock};
use super::continents::Continents;
use super::feature_overlay::FeatureOverlay;
use super::features::{self, TALLEST};
use super::islands::Islands;
use super::land_sample::{LandSample, SlowNoise};
use super::noise::lerp;
use super::ores;
use super::palette::TerrainPalette;
use super::surface::{SurfaceBuilder, WATER_LEVEL};
use super::terrain_column::{Fluid, TerrainColumn};
use super::tile::{TerrainTile, TileCache};
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel};
use crate::world::Chunk;
use std::sync::Arc;

/// From this height on there is only air: the highest mountain with a tree stays below.
const SKY: i32 = 288;

/// Columns along the side of a tile, plus one at each end for slopes.
const PADDED_SIDE: usize = CHUNK_SIDE as usize + 2;

/// The plan of heights and climate.
pub(super) enum LandPlan {
    Continents(Box<Continents>),
    Islands(Box<Islands>),
}

impl LandPlan {
    fn slow(&self, x: f64, z: f64) -> SlowNoise {
        match self {
            LandPlan::Continents(plan) => plan.slow(x, z),
            LandPlan::Islands(plan) => plan.slow(x, z),
        }
    }

    fn land(&self, x: f64, z: f64, slow: &SlowNoise) -> LandSample {
        match self {
            LandPlan::Continents(plan) => plan.land(x, z, slow),
            LandPlan::Islands(plan) => plan.land(x, z, slow),
        }
    }

    /// The land at `x`, `z`, without the interpolation that tiles apply.
    pub(super) fn land_at(&self, x: i32, z: i32) -> LandSample {
        let (x, z) = (f64::from(x), f64::from(z));
        self.land(x, z, &self.slow(x, z))
    }

    /// The land of a tile's columns plus one on each side, x fastest, then z.
    fn lands(&self, tile_x: i32, tile_z: i32) -> Vec<LandSample> {
        /// Lattice points along a side: every fourth column, from 4 before to 4 past the tile.
        const POINTS: i32 = 11;
        let (x0, z0) = (tile_x * CHUNK_SIDE, tile_z * CHUNK_SIDE);
        let at = |i: i32| [f64::from(x0 + i % POINTS * 4 - 4), f64::from(z0 + i / POINTS * 4 - 4)];
        let slow: Vec<SlowNoise> = (0..POINTS * POINTS).map(at).map(|[x, z]| self.slow(x, z)).collect();
        let mut lands = Vec::with_capacity(PADDED_SIDE * PADDED_SIDE);
        for z in -1..=CHUNK_SIDE {
            for x in -1..=CHUNK_SIDE {
                let (u, v) = (x + 4, z + 4);
                let (fu, fv) = (f64::from(u % 4) * 0.25, f64::from(v % 4) * 0.25);
                let corner = (u / 4 + v / 4 * POINTS) as usize;
                let [a, b] = [&slow[corner], &slow[corner + 1]];
                let [c, d] = [&slow[corner + POINTS as usize], &slow[corner + POINTS as usize + 1]];
                let here = std::array::from_fn(|i| lerp(lerp(a[i], b[i], fu), lerp(c[i], d[i], fu), fv));
                lands.push(self.land(f64::from(x0 + x), f64::from(z0 + z), &here));
            }
        }
        lands
    }
}

/// Generator of a world with a sky.
pub(super) struct Overworld {
    seed: u64,
    pub(super) plan: LandPlan,
    surface: SurfaceBuilder,
    underground: UndergroundNoise,
    tiles: TileCache,
}

impl Overworld {
    pub(super) fn new(seed: u64, plan: LandPlan) -> Overworld {
        Overworld {
            seed,
            plan,
            surface: SurfaceBuilder::new(seed),
            underground: UndergroundNoise::new(seed),
            tiles: TileCache::new(),
        }
    }

    /// The tile at `x`, `z`, in chunks.
    pub(super) fn tile(&self, p: &TerrainPalette, x: i32, z: i32) -> Arc<TerrainTile> {
        self.tiles.get([x, z], || self.make_tile(p, x, z))
    }

    fn make_tile(&self, p: &TerrainPalette, tile_x: i32, tile_z: i32) -> TerrainTile {
        let (x0, z0) = (tile_x * CHUNK_SIDE, tile_z * CHUNK_SIDE);
        let lands = self.plan.lands(tile_x, tile_z);
        let mut columns = Vec::with_capacity(1024);
        for z in 0..CHUNK_SIDE {
            for x in 0..CHUNK_SIDE {
                let at = (x + 1) as usize + (z + 1) as usize * PADDED_SIDE;
                let height = |i: usize| lands[i].height;
                let around = [height(at - 1), height(at + 1), height(at - PADDED_SIDE), height(at + PADDED_SIDE)];
                let corners = [at - PADDED_SIDE - 1, at - PADDED_SIDE + 1, at + PADDED_SIDE - 1, at + PADDED_SIDE + 1]
                    .map(height);
                let lowest = around.into_iter().chain(corners).fold(height(at), f64::min);
                columns.push(self.surface.column(p, &lands[at], x0 + x, z0 + z, around, lowest));
            }
        }
        let features = features::in_tile(p, &self.surface.growth, self.seed, [tile_x, tile_z], &columns);
        TerrainTile::new(columns, features)
    }

    /// See [`super::Generator::set_view_distance`].
    pub(super) fn set_view_distance(&self, chunks: i32) {
        self.tiles.set_view_distance(chunks);
    }

    /// The chunk at `pos`.
    pub(super) fn chunk(&self, p: &TerrainPalette, pos: ChunkPos) -> Chunk {
        let bounds = pos.bounds();
        let (low, high) = (bounds.min.y, bounds.max.y);
        if low >= SKY {
            return Chunk::uniform(Voxel::AIR);
        }
        if high <= WORLD_FLOOR {
            return Chunk::uniform(p.deepstone);
        }
        let tile = self.tile(p, pos.x, pos.z);
        let mut overlay = FeatureOverlay::new(pos);
        for z in pos.z - 1..=pos.z + 1 {
            for x in pos.x - 1..=pos.x + 1 {
                let tile = self.tile(p, x, z);
                if tile.ceiling + TALLEST >= low {
                    tile.features.iter().for_each(|f| features::place(p, f, bounds, &mut overlay));
                }
            }
        }
        if low >= tile.ceiling && overlay.is_empty() {
            return Chunk::uniform(Voxel::AIR);
        }
        let rocky = low < tile.highest_ground;
        if rocky {
            ores::veins(p, self.seed, bounds, false, &mut overlay);
        }
        let rock = rocky.then(|| self.underground.sample(bounds.min));
        let mut writer = overlay.into_writer(p);
        for y in 0..CHUNK_SIDE {
            let height = low + y;
            if height >= tile.ceiling {
                break;
            }
            match &rock {
                Some(rock) if height < tile.highest_ground => {
                    for z in 0..CHUNK_SIDE {
                        writer.push_row(&rock_row(p, &tile, rock, height, y, z));
                    }
                }
                _ => {
                    for z in 0..CHUNK_SIDE {
                        writer.push_row(&std::array::from_fn(|x| above(p, tile.column(x as i32, z), height)));
                    }
                }
            }
        }
        writer.finish()
    }
}

/// A row below the highest ground, at world height `height` and chunk height `y`.
fn rock_row(p: &TerrainPalette, tile: &TerrainTile, samples: &RockSamples, height: i32, y: i32, z: i32) -> [Voxel; 32] {
    let (hollow, strata) = (samples.hollow.row(y, z), samples.strata.row(y, z));
    std::array::from_fn(|x| {
        let column = tile.column(x as i32, z);
        if height >= column.top {
            above(p, column, height)
        } else if hollow[x] > 0.0 && height < column.cave_ceiling {
            if height < LAVA_LEVEL { p.lava } else { Voxel::AIR }
        } else if height >= column.top - column.soil_depth {
            if height == column.top - 1 { column.top_soil } else { column.subsoil }
        } else if column.banded && height > 0 {
            band(p, strata[x], height)
        } else {
            rock(p, strata[x], height)
        }
    })
}

/// The voxel of `column` at `height`, above the ground.
fn above(p: &TerrainPalette, column: &TerrainColumn, height: i32) -> Voxel {
    if height == column.top && !column.cover.is_air() {
        return column.cover;
    }
    if height >= column.fluid_top {
        return Voxel::AIR;
    }
    let surface = height == column.fluid_top - 1;
    match column.fluid {
        Fluid::None => Voxel::AIR,
        Fluid::FrozenWater if surface => p.ice,
        Fluid::Water if surface => Voxel::new(p.water.material(), WATER_LEVEL),
        Fluid::Water | Fluid::FrozenWater => p.water,
        Fluid::Lava => p.lava,
    }
}
