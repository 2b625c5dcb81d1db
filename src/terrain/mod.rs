//! Terrain: worlds from a seed.
//!
//! A chunk depends on the seed, the kind of world and its position, and on nothing else: not on the order in
//! which chunks are made, nor on the machine. A world is planned from the large to the small:
//!
//! - a *plan* (`continents`, `islands`) says for every place of the plane how high and how warm it is;
//! - `surface` dresses it with soil, snow and plants; a `tile` keeps 32x32 such columns;
//! - `caves` and `ores` fill the underground, sampled on a coarse `lattice`;
//! - `features` are what crosses chunk borders, trees above all;
//! - `ground` writes it all layer by layer as runs, with the features merged in by `overlay`.
//!
//! `caverns`, dressed by `grotto`, is a world of its own, without a sky. Sea level is y = 0; a voxel is a metre.

mod caverns;
mod caves;
mod continents;
mod features;
mod grotto;
mod ground;
mod islands;
mod kind;
mod land;
mod lattice;
mod noise;
mod ores;
mod overlay;
mod palette;
mod plants;
pub mod seed;
mod spawn;
mod surface;
mod tile;

#[cfg(test)]
mod tests;

pub use kind::{TerrainKind, UnknownTerrain};

use crate::voxel::{ChunkPos, MaterialTable, Voxel, chunk_coord, local_coord};
use crate::world::Chunk;
use caverns::Caverns;
use continents::Continents;
use glam::{DVec3, IVec3};
use ground::{Ground, Plan};
use islands::Islands;
use palette::Palette;

/// Makes the chunks of one world. Shared freely between threads.
pub struct Generator {
    palette: Palette,
    world: Plot,
}

enum Plot {
    Ground(Box<Ground>),
    Caverns(Box<Caverns>),
    Flat,
    Void,
}

impl Generator {
    /// A generator for the world `seed` of this kind, built from the materials of a map.
    ///
    /// Materials that `materials` lacks are replaced: ground by stone, or by the first solid material; plants
    /// and liquids by air.
    #[must_use]
    pub fn new(seed: u64, kind: TerrainKind, materials: &MaterialTable) -> Generator {
        let world = match kind {
            TerrainKind::Continents => {
                Plot::Ground(Box::new(Ground::new(seed, Plan::Continents(Box::new(Continents::new(seed))))))
            }
            TerrainKind::Islands => {
                Plot::Ground(Box::new(Ground::new(seed, Plan::Islands(Box::new(Islands::new(seed))))))
            }
            TerrainKind::Caverns => Plot::Caverns(Box::new(Caverns::new(seed))),
            TerrainKind::Flat => Plot::Flat,
            TerrainKind::Void => Plot::Void,
        };
        Generator { palette: Palette::new(materials), world }
    }

    /// The chunk at `pos`; the same for the same seed, kind, position and order of materials, always. (Where two
    /// crowns meet, the material listed first wins.) Outside the world there is only air.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Chunk {
        if !pos.in_world() {
            return Chunk::uniform(Voxel::AIR);
        }
        match &self.world {
            Plot::Ground(ground) => ground.chunk(&self.palette, pos),
            Plot::Caverns(caverns) => caverns.chunk(&self.palette, pos),
            Plot::Flat => flat(&self.palette, pos),
            Plot::Void => Chunk::uniform(Voxel::AIR),
        }
    }

    /// Says how many chunks in each direction are in view: what their columns have in common is then kept, and no
    /// more. Changes nothing but speed and memory.
    pub fn keep_view(&self, chunks: i32) {
        if let Plot::Ground(ground) = &self.world {
            ground.keep_view(chunks);
        }
    }

    /// Where a new player's feet are: the middle of a voxel's floor, on dry ground with free air above, near
    /// the origin; in the caverns inside a large cave. In an empty world it is above the origin. Should there be
    /// no land (no cave) for a mile around, it is on the sea (in the middle of a storey, maybe in rock: the player
    /// is lifted out of that).
    #[must_use]
    pub fn spawn(&self) -> DVec3 {
        match &self.world {
            Plot::Ground(ground) => spawn::on_land(self, ground),
            Plot::Caverns(_) => spawn::in_cave(self),
            Plot::Flat | Plot::Void => DVec3::new(0.5, 0.0, 0.5),
        }
    }

    /// How open the caverns are at `at`: over 0 is air.
    fn openness(&self, at: IVec3) -> f64 {
        match &self.world {
            Plot::Caverns(caverns) => caverns.openness(at.x, at.y, at.z),
            _ => 1.0,
        }
    }

    /// The height of the ground at `x`, `z`.
    fn top(&self, ground: &Ground, x: i32, z: i32) -> i32 {
        ground.tile(&self.palette, chunk_coord(x), chunk_coord(z)).column(local_coord(x), local_coord(z)).top
    }

    fn is_solid(&self, voxel: Voxel) -> bool {
        self.palette.is_solid(voxel)
    }
}

/// A chunk of the flat world: a metre of grass up to y = 0, on dirt, on stone.
fn flat(p: &Palette, pos: ChunkPos) -> Chunk {
    /// Voxels in a layer.
    const LAYER: u32 = 32 * 32;
    match pos.y {
        0.. => Chunk::uniform(Voxel::AIR),
        -1 => Chunk::from_runs([(28 * LAYER, p.stone), (3 * LAYER, p.dirt), (LAYER, p.grass)]),
        _ => Chunk::uniform(p.stone),
    }
}
