//! Terrain: generates worlds from a seed.
//!
//! A chunk depends only on the seed, the kind of terrain and its position, not on the order of
//! generation or the machine. Generation proceeds from large to small:
//!
//! - A *plan* (`land_plan`: `continents` or `islands`) gives height and climate of every column.
//! - `surface` adds soil, snow and plants to the land of a tile (`tile_land`); a `tile` caches
//!   these 32x32 columns.
//! - `caves` and `ores` shape the underground, sampled on a coarse `lattice`.
//! - `features` are structures that cross chunk borders, mostly trees.
//! - `overworld` writes all parts layer by layer as runs; `feature_overlay` merges the features in.
//!
//! Generated terrain is at rest: rules that are woken in it change nothing
//! (`rules/tests/fresh_terrain.rs`).
//!
//! `caverns` with `cavern_column` is a world without a sky. Sea level is y = 0; a voxel is one
//! metre.

mod cavern_column;
mod caverns;
mod caves;
mod continents;
mod feature_overlay;
mod features;
mod first_view;
mod fractions;
mod ground_style;
mod islands;
mod kind;
mod land_plan;
mod land_sample;
mod lattice;
mod noise;
mod ores;
mod overworld;
mod palette;
mod plants;
pub mod seed;
mod sketch;
mod smooth_rows;
mod spawn;
mod surface;
mod terrain_column;
mod tile;
mod tile_land;

#[cfg(test)]
mod tests;

pub use ground_style::{GroundStyle, UnknownGround};
pub use kind::{TerrainKind, UnknownTerrain};

use crate::voxel::{ChunkPos, MaterialId, MaterialTable, Voxel, chunk_coord, local_coord};
use crate::world::Chunk;
use caverns::Caverns;
use continents::Continents;
use fractions::Fractions;
use glam::IVec3;
use islands::Islands;
use land_plan::LandPlan;
use overworld::Overworld;
use palette::TerrainPalette;

/// Generates the chunks of one world. Can be shared between threads.
///
/// ```
/// use stonerun_engine::terrain::{Generator, TerrainKind};
/// use stonerun_engine::voxel::{ChunkPos, MaterialTable};
///
/// let materials = MaterialTable::builtin();
/// let islands = Generator::new(42, TerrainKind::Islands, &materials);
/// let pos = ChunkPos::new(3, -1, 7);
/// // The same seed, kind and position always give the same chunk.
/// let same_islands = Generator::new(42, TerrainKind::Islands, &materials);
/// assert_eq!(islands.chunk(pos), same_islands.chunk(pos));
///
/// // Flat terrain has grass up to y = 0, so the chunk above is air.
/// let flat = Generator::new(42, TerrainKind::Flat, &materials);
/// assert!(flat.chunk(ChunkPos::new(0, 0, 0)).as_uniform().is_some_and(|voxel| voxel.is_air()));
/// ```
pub struct Generator {
    palette: TerrainPalette,
    world: WorldGenerator,
    placed_states: Vec<(MaterialId, MaterialId)>,
}

/// The generator of each kind of terrain.
enum WorldGenerator {
    Overworld(Box<Overworld>),
    Caverns(Box<Caverns>),
    Flat,
    Void,
}

/// Temperature of the ground of a world by x and z, from about -1 (frozen) to 1 (hot); `None` for
/// kinds of terrain without a climate.
#[must_use]
pub fn temperatures(
    seed: u64,
    kind: TerrainKind,
) -> Option<impl Fn(i32, i32) -> f32 + Send + Sync + 'static> {
    let plan = match kind {
        TerrainKind::Continents => LandPlan::Continents(Box::new(Continents::new(seed))),
        TerrainKind::Islands => LandPlan::Islands(Box::new(Islands::new(seed))),
        TerrainKind::Caverns | TerrainKind::Flat | TerrainKind::Void => return None,
    };
    Some(move |x, z| plan.land_at(x, z).temperature as f32)
}

impl Generator {
    /// A generator of blocks that builds with the materials of a map.
    ///
    /// Missing materials are replaced: ground by stone or else the first solid material, plants and
    /// liquids by air.
    #[must_use]
    pub fn new(seed: u64, kind: TerrainKind, materials: &MaterialTable) -> Generator {
        Generator::with_fractions(seed, kind, None, materials)
    }

    /// A generator of this style that builds with the materials of a map. The style decides about
    /// the fractions of the ground, the materials about its look.
    #[must_use]
    pub fn with_ground(
        seed: u64,
        kind: TerrainKind,
        ground: GroundStyle,
        materials: &MaterialTable,
    ) -> Generator {
        match ground {
            GroundStyle::Blocks => Generator::new(seed, kind, materials),
            GroundStyle::Smooth => {
                Generator::with_fraction_bits(seed, kind, Fractions::BITS, materials)
            }
        }
    }

    /// A generator of smooth ground whose fractions have `bits` bits, 4 to 8. The generator of a
    /// map is made by [`Generator::with_ground`]; other numbers of bits are for measurements.
    #[must_use]
    pub fn with_fraction_bits(
        seed: u64,
        kind: TerrainKind,
        bits: u32,
        materials: &MaterialTable,
    ) -> Generator {
        Generator::with_fractions(seed, kind, Some(Fractions::new(bits)), materials)
    }

    fn with_fractions(
        seed: u64,
        kind: TerrainKind,
        fractions: Option<Fractions>,
        materials: &MaterialTable,
    ) -> Generator {
        let world = match kind {
            TerrainKind::Continents => WorldGenerator::Overworld(Box::new(Overworld::new(
                seed,
                LandPlan::Continents(Box::new(Continents::new(seed))),
            ))),
            TerrainKind::Islands => WorldGenerator::Overworld(Box::new(Overworld::new(
                seed,
                LandPlan::Islands(Box::new(Islands::new(seed))),
            ))),
            TerrainKind::Caverns => WorldGenerator::Caverns(Box::new(Caverns::new(seed))),
            TerrainKind::Flat => WorldGenerator::Flat,
            TerrainKind::Void => WorldGenerator::Void,
        };
        Generator {
            palette: TerrainPalette::new(materials, fractions),
            world,
            placed_states: materials.placed_states(),
        }
    }

    /// States that rules may remove, each with the permanent state that edits place instead. See
    /// [`MaterialTable::placed_states`].
    #[must_use]
    pub(crate) fn placed_states(&self) -> &[(MaterialId, MaterialId)] {
        &self.placed_states
    }

    /// Generates the chunk at `pos`; air outside the world.
    ///
    /// Deterministic for the same seed, kind, position and order of materials. (Where two tree
    /// crowns overlap, the material listed first wins.)
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Chunk {
        if !pos.in_world() {
            return Chunk::uniform(Voxel::AIR);
        }
        match &self.world {
            WorldGenerator::Overworld(overworld) => overworld.chunk(&self.palette, pos),
            WorldGenerator::Caverns(caverns) => caverns.chunk(&self.palette, pos),
            WorldGenerator::Flat => flat(&self.palette, pos),
            WorldGenerator::Void => Chunk::uniform(Voxel::AIR),
        }
    }

    /// Sizes the cache of column data for a view of `chunks` chunks in each direction. Affects only
    /// speed and memory.
    pub fn set_view_distance(&self, chunks: i32) {
        if let WorldGenerator::Overworld(overworld) = &self.world {
            overworld.set_view_distance(chunks);
        }
    }

    /// Openness of the caverns at `at`; above 0 is air.
    fn openness(&self, at: IVec3) -> f64 {
        match &self.world {
            WorldGenerator::Caverns(caverns) => caverns.openness(at.x, at.y, at.z),
            _ => 1.0,
        }
    }

    /// Height of the lowest voxel at `x`, `z` without ground.
    fn top(&self, overworld: &Overworld, x: i32, z: i32) -> i32 {
        overworld
            .tile(&self.palette, chunk_coord(x), chunk_coord(z))
            .column(local_coord(x), local_coord(z))
            .free
    }

    /// True if a player can stand on the voxel: on smooth ground at any fraction.
    fn carries(&self, voxel: Voxel) -> bool {
        self.palette.is_solid(voxel) && (voxel.is_full() || self.palette.fractions.is_some())
    }
}

/// A chunk of the flat world: one metre of grass below y = 0, three of dirt, then stone.
fn flat(p: &TerrainPalette, pos: ChunkPos) -> Chunk {
    /// Voxels in a layer.
    const LAYER: u32 = 32 * 32;
    match pos.y {
        0.. => Chunk::uniform(Voxel::AIR),
        -1 => Chunk::from_runs([(28 * LAYER, p.stone), (3 * LAYER, p.dirt), (LAYER, p.grass)]),
        _ => Chunk::uniform(p.stone),
    }
}
