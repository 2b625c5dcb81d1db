//! Writing a chunk of ground that has a sky: rock, caves, soil, water, plants, features.

use super::caves::{FOOT, LAVA_LEVEL, Rock, Underground, band, rock};
use super::continents::Continents;
use super::features::{self, TALLEST};
use super::islands::Islands;
use super::land::{Land, Slow};
use super::noise::lerp;
use super::ores;
use super::overlay::Overlay;
use super::palette::Palette;
use super::surface::{Surface, WATER_LEVEL};
use super::tile::{Column, Fluid, Tile, TileStore};
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel};
use crate::world::Chunk;
use std::sync::Arc;

/// Above this there is only air: the highest mountain and a tree on it stay below.
const SKY: i32 = 288;

/// Columns along a tile's side and one more on each end, for slopes.
const WIDE: usize = CHUNK_SIDE as usize + 2;

/// The plan the ground follows.
pub(super) enum Plan {
    Continents(Box<Continents>),
    Islands(Box<Islands>),
}

impl Plan {
    fn slow(&self, x: f64, z: f64) -> Slow {
        match self {
            Plan::Continents(plan) => plan.slow(x, z),
            Plan::Islands(plan) => plan.slow(x, z),
        }
    }

    fn land(&self, x: f64, z: f64, slow: &Slow) -> Land {
        match self {
            Plan::Continents(plan) => plan.land(x, z, slow),
            Plan::Islands(plan) => plan.land(x, z, slow),
        }
    }

    /// The land at `x`, `z`, up to what the lattice of a tile smooths out.
    pub(super) fn land_about(&self, x: i32, z: i32) -> Land {
        let (x, z) = (f64::from(x), f64::from(z));
        self.land(x, z, &self.slow(x, z))
    }

    /// The land of the columns of a tile and one more on each side, x fastest, then z.
    fn lands(&self, tile_x: i32, tile_z: i32) -> Vec<Land> {
        /// Lattice points along a side: every fourth column, from 4 before the tile to 4 past its end.
        const POINTS: i32 = 11;
        let (x0, z0) = (tile_x * CHUNK_SIDE, tile_z * CHUNK_SIDE);
        let at = |i: i32| [f64::from(x0 + i % POINTS * 4 - 4), f64::from(z0 + i / POINTS * 4 - 4)];
        let slow: Vec<Slow> = (0..POINTS * POINTS).map(at).map(|[x, z]| self.slow(x, z)).collect();
        let mut lands = Vec::with_capacity(WIDE * WIDE);
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

/// A world with a sky.
pub(super) struct Ground {
    seed: u64,
    pub(super) plan: Plan,
    surface: Surface,
    underground: Underground,
    tiles: TileStore,
}

impl Ground {
    pub(super) fn new(seed: u64, plan: Plan) -> Ground {
        Ground { seed, plan, surface: Surface::new(seed), underground: Underground::new(seed), tiles: TileStore::new() }
    }

    /// The tile at `x`, `z`, in chunks.
    pub(super) fn tile(&self, p: &Palette, x: i32, z: i32) -> Arc<Tile> {
        self.tiles.get([x, z], || self.make_tile(p, x, z))
    }

    fn make_tile(&self, p: &Palette, tile_x: i32, tile_z: i32) -> Tile {
        let (x0, z0) = (tile_x * CHUNK_SIDE, tile_z * CHUNK_SIDE);
        let lands = self.plan.lands(tile_x, tile_z);
        let mut columns = Vec::with_capacity(1024);
        for z in 0..CHUNK_SIDE {
            for x in 0..CHUNK_SIDE {
                let at = (x + 1) as usize + (z + 1) as usize * WIDE;
                let height = |i: usize| lands[i].height;
                let around = [height(at - 1), height(at + 1), height(at - WIDE), height(at + WIDE)];
                let corners = [at - WIDE - 1, at - WIDE + 1, at + WIDE - 1, at + WIDE + 1].map(height);
                let lowest = around.into_iter().chain(corners).fold(height(at), f64::min);
                columns.push(self.surface.column(p, &lands[at], x0 + x, z0 + z, around, lowest));
            }
        }
        let features = features::rooted(p, &self.surface, self.seed, [tile_x, tile_z], &columns);
        Tile::new(columns, features)
    }

    /// See [`super::Generator::keep_view`].
    pub(super) fn keep_view(&self, chunks: i32) {
        self.tiles.keep_view(chunks);
    }

    /// The chunk at `pos`.
    pub(super) fn chunk(&self, p: &Palette, pos: ChunkPos) -> Chunk {
        let bounds = pos.bounds();
        let (low, high) = (bounds.min.y, bounds.max.y);
        if low >= SKY {
            return Chunk::uniform(Voxel::AIR);
        }
        if high <= FOOT {
            return Chunk::uniform(p.deepstone);
        }
        let tile = self.tile(p, pos.x, pos.z);
        let mut overlay = Overlay::new(pos);
        for z in pos.z - 1..=pos.z + 1 {
            for x in pos.x - 1..=pos.x + 1 {
                let tile = self.tile(p, x, z);
                if tile.ceiling + TALLEST >= low {
                    tile.features.iter().for_each(|f| features::draw(p, f, bounds, &mut overlay));
                }
            }
        }
        if low >= tile.ceiling && overlay.is_empty() {
            return Chunk::uniform(Voxel::AIR);
        }
        let rocky = low < tile.highest;
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
                Some(rock) if height < tile.highest => {
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

/// A row that holds some ground, at the world's `height`, which is `y` in its chunk.
fn rock_row(p: &Palette, tile: &Tile, rock_of: &Rock, height: i32, y: i32, z: i32) -> [Voxel; 32] {
    let (hollow, strata) = (rock_of.hollow.row(y, z), rock_of.strata.row(y, z));
    std::array::from_fn(|x| {
        let column = tile.column(x as i32, z);
        if height >= column.top {
            above(p, column, height)
        } else if hollow[x] > 0.0 && height < column.roof {
            if height < LAVA_LEVEL { p.lava } else { Voxel::AIR }
        } else if height >= column.top - column.soil {
            if height == column.top - 1 { column.surface } else { column.under }
        } else if column.banded && height > 0 {
            band(p, strata[x], height)
        } else {
            rock(p, strata[x], height)
        }
    })
}

/// The voxel of `column` at `height`, over the ground.
fn above(p: &Palette, column: &Column, height: i32) -> Voxel {
    if height == column.top && !column.cap.is_air() {
        return column.cap;
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
