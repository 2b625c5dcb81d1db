//! The overworld: generates chunks with a sky, from rock, caves, soil, water, plants and features.

use super::caves::{LAVA_LEVEL, RockSamples, UndergroundNoise, WORLD_FLOOR, band, rock};
use super::feature_overlay::FeatureOverlay;
use super::features::{self, TALLEST};
use super::land_plan::LandPlan;
use super::ores;
use super::palette::TerrainPalette;
use super::smooth_rows::smooth_row;
use super::surface::{SIDES, SurfaceBuilder};
use super::terrain_column::{TerrainColumn, column_index};
use super::tile::{TerrainTile, TileCache};
use super::tile_land::TileLand;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel};
use crate::world::Chunk;
use std::sync::Arc;

/// Height from which upwards there is only air: the highest mountain with a tree stays below.
const SKY: i32 = 288;

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
        let land = TileLand::new(&self.plan, tile_x, tile_z);
        let tile = [tile_x, tile_z];
        let mut columns = Vec::with_capacity(1024);
        for z in 0..CHUNK_SIDE {
            for x in 0..CHUNK_SIDE {
                columns.push(self.column(p, &land, tile, [x, z]));
            }
        }
        if p.fractions.is_none() {
            self.firm_layers(p, &land, tile, &mut columns);
        }
        let features = features::in_tile(p, &self.surface.growth, self.seed, tile, &columns);
        TerrainTile::new(columns, features)
    }

    /// The column at `at`, relative to the tile and up to one outside.
    fn column(
        &self,
        p: &TerrainPalette,
        land: &TileLand<'_>,
        tile: [i32; 2],
        at: [i32; 2],
    ) -> TerrainColumn {
        let [x, z] = at;
        let world_x = tile[0] * CHUNK_SIDE + x;
        let world_z = tile[1] * CHUNK_SIDE + z;
        self.surface.column(p, &land.get(x, z), world_x, world_z, &land.heights_around(x, z))
    }

    /// Makes layers of sand firm where they would slide: where the ground at a side is lower and
    /// has no layer. A firm layer supports higher layers like any other, so the order does not
    /// matter.
    fn firm_layers(
        &self,
        p: &TerrainPalette,
        land: &TileLand<'_>,
        tile: [i32; 2],
        columns: &mut [TerrainColumn],
    ) {
        for z in 0..CHUNK_SIDE {
            for x in 0..CHUNK_SIDE {
                let column = columns[column_index(x, z)];
                if column.cover.is_air() || column.cover.material() != p.sand.material() {
                    continue;
                }
                let rests = SIDES.into_iter().all(|[dx, dz]| {
                    let at = [x + dx, z + dz];
                    let side_top = land.get(at[0], at[1]).height.floor() as i32;
                    if side_top != column.top - 1 {
                        return side_top >= column.top;
                    }
                    let is_inside = at.into_iter().all(|part| (0..CHUNK_SIDE).contains(&part));
                    // Few columns outside the tile are needed: only columns below the edges of
                    // dunes.
                    let side = if is_inside {
                        columns[column_index(at[0], at[1])]
                    } else {
                        self.column(p, land, tile, at)
                    };
                    !side.cover.is_air() && p.is_solid(side.cover)
                });
                if !rests {
                    columns[column_index(x, z)].cover = p.firm(column.cover);
                }
            }
        }
    }

    /// See [`super::Generator::set_view_distance`].
    pub(super) fn set_view_distance(&self, chunks: i32) {
        self.tiles.set_view_distance(chunks);
    }

    /// The chunk at `pos`.
    pub(super) fn chunk(&self, p: &TerrainPalette, pos: ChunkPos) -> Chunk {
        let bounds = pos.bounds();
        let low = bounds.min.y;
        let high = bounds.max.y;
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
                    for f in &tile.features {
                        features::place(p, f, bounds, &mut overlay);
                    }
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
                        let row = match &p.fractions {
                            Some(f) => smooth_row(p, f, &tile, rock, height, y, z),
                            None => rock_row(p, &tile, rock, height, y, z),
                        };
                        writer.push_row(&row);
                    }
                }
                _ => {
                    for z in 0..CHUNK_SIDE {
                        writer.push_row(&std::array::from_fn(|x| {
                            tile.column(x as i32, z).above(p, height)
                        }));
                    }
                }
            }
        }
        writer.finish()
    }
}

/// A row below the highest ground, at world height `height` and chunk height `y`.
fn rock_row(
    p: &TerrainPalette,
    tile: &TerrainTile,
    samples: &RockSamples,
    height: i32,
    y: i32,
    z: i32,
) -> [Voxel; 32] {
    let hollow = samples.hollow.row(y, z);
    let strata = samples.strata.row(y, z);
    std::array::from_fn(|x| {
        let column = tile.column(x as i32, z);
        if height >= column.top {
            column.above(p, height)
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
