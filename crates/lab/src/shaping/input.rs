//! Terrain to shape.

use glam::IVec3;
use rayon::prelude::*;
use std::sync::Arc;
use stonerun_engine::edit::shaping::ShapingMaterials;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Seed of the terrain.
const SEED: u64 = 5;
/// Voxels of terrain around the box, so that no filter reads beyond it.
const MARGIN: i32 = 24;

/// Generated terrain without plants, and the box of it that is smoothed. The flat array does not
/// let plants follow the ground.
pub struct ShapingInput {
    /// Name in the table.
    pub name: String,
    pub(super) world: World,
    pub(super) materials: Arc<ShapingMaterials>,
    /// The box, which does not begin or end at chunk borders.
    pub(super) region: Box3,
}

impl ShapingInput {
    /// Terrain around a cube of `side` voxels, half of which is below sea level.
    #[must_use]
    pub fn terrain(kind: TerrainKind, side: i32) -> ShapingInput {
        let region = Box3 {
            min: IVec3::new(MARGIN, -side / 2 + 5, MARGIN),
            max: IVec3::new(MARGIN + side, side - side / 2 + 5, MARGIN + side),
        };
        let around = Box3 { min: region.min - MARGIN, max: region.max + MARGIN };
        let table = MaterialTable::builtin();
        let generator = Generator::new(SEED, kind, &table);
        // Sorted by columns, because the generator caches columns.
        let mut positions: Vec<ChunkPos> = around.chunks().collect();
        positions.sort_unstable_by_key(|pos| (pos.z, pos.x, pos.y));
        let materials = Arc::new(ShapingMaterials::from_materials(&table));
        let without_plants = |pos: ChunkPos| {
            let bare = |voxel| if materials.is_plant(voxel) { Voxel::AIR } else { voxel };
            (pos, generator.chunk(pos).map(bare))
        };
        let chunks: Vec<(ChunkPos, Chunk)> =
            positions.par_iter().with_min_len(64).map(|&pos| without_plants(pos)).collect();
        let mut world = World::new();
        for (pos, chunk) in chunks {
            world.insert(pos, chunk);
        }
        ShapingInput { name: kind.name().to_owned(), world, materials, region }
    }

    /// Highest ground in the middle of the box.
    pub(super) fn hill(&self) -> IVec3 {
        let middle = self.region.min + self.region.size() / 2;
        let heights = (self.region.min.y..self.region.max.y).rev();
        let column = heights.map(|y| middle.with_y(y));
        let ground = column.into_iter().find(|&at| self.materials.is_ground(self.world.get(at)));
        ground.unwrap_or(middle)
    }
}
