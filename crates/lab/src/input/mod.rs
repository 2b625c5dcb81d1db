//! Inputs of the tables: maps, importable files, generated worlds and the world of the 0fps text.

mod error;
mod files;
mod lcg;
mod numbered_world;

pub use error::InputError;
pub use files::{for_each_chunk, import_undamaged, input_name, is_map, open_undamaged, read_world};
pub use lcg::Lcg;
pub use numbered_world::{NumberedWorld, VoxelId, ZERO_FPS_SIDE, zero_fps_world};
pub use stonerun_engine::random::Random;

use glam::IVec3;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, MaterialTable};
use stonerun_engine::world::World;

/// Generates the terrain of `seed` around the origin: `radius` chunks in each horizontal direction,
/// `height` chunks up and down.
#[must_use]
pub fn generated_world(seed: u64, kind: TerrainKind, radius: i32, height: i32) -> World {
    let generator = Generator::new(seed, kind, &MaterialTable::builtin());
    let extent = IVec3::new(radius, height, radius) * CHUNK_SIDE;
    let mut world = World::new();
    for pos in (Box3 { min: -extent, max: extent }).chunks() {
        world.insert(pos, generator.chunk(pos));
    }
    world
}
