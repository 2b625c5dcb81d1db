//! Sketches: chunks with only the large shapes of the land, made in a fraction of the time.
//!
//! They stand for distant chunks in the search for a good view. A sketch has cells of 8 metres,
//! without plants, caves and ores.

use super::cavern_column::{LAKE_LEVEL, LAVA_LAKE_LEVEL};
use super::caverns::{Caverns, STOREY};
use super::land_sample::{Biome, LandSample};
use super::palette::TerrainPalette;
use super::{Generator, WorldGenerator, flat};
use crate::runs::RunBuilder;
use crate::voxel::{CHUNK_SIDE, ChunkPos, Voxel};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// Side of a cell in voxels.
const CELL: i32 = 8;
/// Number of cells along the side of a chunk.
const CELLS: i32 = CHUNK_SIDE / CELL;

/// Makes the sketches of one world.
pub(super) struct Sketcher<'a> {
    generator: &'a Generator,
    /// The land by x and z of the chunk: several chunks above each other need it.
    lands: FxHashMap<[i32; 2], Vec<LandSample>>,
}

impl Sketcher<'_> {
    pub(super) fn new(generator: &Generator) -> Sketcher<'_> {
        Sketcher { generator, lands: FxHashMap::default() }
    }

    /// A sketch of the chunk at `pos`.
    pub(super) fn chunk(&mut self, pos: ChunkPos) -> Chunk {
        let palette = &self.generator.palette;
        match &self.generator.world {
            WorldGenerator::Overworld(overworld) => {
                let sample = |at: IVec3| overworld.plan.land_at(at.x, at.z);
                let lands = self.lands.entry([pos.x, pos.z]);
                land(
                    palette,
                    pos,
                    lands.or_insert_with(|| centres(pos.origin()).map(sample).collect()),
                )
            }
            WorldGenerator::Caverns(caverns) => halls(caverns, palette, pos),
            WorldGenerator::Flat => flat(palette, pos),
            WorldGenerator::Void => Chunk::uniform(Voxel::AIR),
        }
    }
}

/// Centres of the cells of a layer, x fastest, then z.
fn centres(origin: IVec3) -> impl Iterator<Item = IVec3> {
    (0..CELLS * CELLS).map(move |i| origin + IVec3::new(i % CELLS, 0, i / CELLS) * CELL + CELL / 2)
}

/// Writes a chunk layer by layer. `layer` gives the voxels of the cells at a height above the
/// chunk's lowest voxel.
fn chunk_from_layers(mut layer: impl FnMut(i32) -> [Voxel; (CELLS * CELLS) as usize]) -> Chunk {
    let mut builder = RunBuilder::new();
    for y in 0..CHUNK_SIDE {
        let cells = layer(y);
        for z in 0..CHUNK_SIDE {
            let row = (z / CELL * CELLS) as usize;
            for &voxel in &cells[row..row + CELLS as usize] {
                builder.push(CELL as u32, voxel);
            }
        }
    }
    builder.finish()
}

/// A sketch of land and sea. `lands` holds the land of each cell of a layer.
fn land(p: &TerrainPalette, pos: ChunkPos, lands: &[LandSample]) -> Chunk {
    let low = pos.origin().y;
    let voxels: Vec<Voxel> = lands.iter().map(|land| ground(p, land)).collect();
    chunk_from_layers(|y| {
        std::array::from_fn(|cell| {
            let land = &lands[cell];
            match low + y {
                height if f64::from(height) < land.height => voxels[cell],
                height if height < 0 => p.water,
                height if land.lava.is_some_and(|lava| height < lava) => p.lava,
                _ => Voxel::AIR,
            }
        })
    })
}

/// The voxel that covers the ground.
fn ground(p: &TerrainPalette, land: &LandSample) -> Voxel {
    match land.biome(0.0) {
        Biome::Sea | Biome::Beach | Biome::Desert => p.sand,
        Biome::Savanna => p.dry_grass,
        Biome::Plains | Biome::Forest | Biome::Taiga => p.grass,
        Biome::Tundra => p.snow,
        Biome::Rock => p.stone,
    }
}

/// A sketch of caves and their lakes.
fn halls(caverns: &Caverns, p: &TerrainPalette, pos: ChunkPos) -> Chunk {
    let origin = pos.origin();
    let mut cells = [Voxel::AIR; (CELLS * CELLS) as usize];
    chunk_from_layers(|y| {
        if y % CELL == 0 {
            for (cell, at) in cells.iter_mut().zip(centres(origin + IVec3::Y * y)) {
                *cell = match caverns.liquid_level(at) {
                    _ if caverns.openness(at.x, at.y, at.z) <= 0.0 => p.stone,
                    LAKE_LEVEL if at.y.rem_euclid(STOREY) < LAKE_LEVEL => p.water,
                    LAVA_LAKE_LEVEL if at.y.rem_euclid(STOREY) < LAVA_LAKE_LEVEL => p.lava,
                    _ => Voxel::AIR,
                };
            }
        }
        cells
    })
}
