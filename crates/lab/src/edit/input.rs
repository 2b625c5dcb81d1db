//! Terrain for the table of edits.

use super::MeasureError;
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use rayon::prelude::*;
use stonerun_engine::edit::EditableWorld;
use stonerun_engine::history::History;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Seed of the terrain.
const SEED: u64 = 5;

/// A cube of generated terrain, half of it below sea level. Its different voxels are numbered, so
/// that a flat array of numbers holds the same information.
pub struct EditInput {
    /// Chunks of `Voxel::full(id)`, one at each position of the box.
    pub(super) world: World,
    /// The box of the terrain, which consists of whole chunks.
    pub(super) area: Box3,
    /// The most frequent voxel apart from air.
    pub(super) common: VoxelId,
    /// A voxel that the terrain does not contain.
    pub(super) unused: VoxelId,
}

/// Size of an input.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EditInputSize {
    /// Number of voxels in the box.
    pub voxels: u64,
    /// Number of chunks in the box.
    pub chunks: u64,
    /// Number of chunks with a single value.
    pub uniform_chunks: u64,
    /// Number of runs of all chunks.
    pub runs: u64,
}

impl EditInput {
    /// Generates continents in a cube of `side` voxels.
    ///
    /// # Errors
    /// The terrain has too many different voxels, or only air.
    ///
    /// # Panics
    /// Panics if `side` is not a positive multiple of two chunks.
    pub fn terrain(side: i32) -> Result<EditInput, MeasureError> {
        assert!(side > 0 && side % (2 * CHUNK_SIDE) == 0, "a side of {side} voxels");
        let area = Box3 { min: IVec3::new(0, -side / 2, 0), max: IVec3::new(side, side / 2, side) };
        let generator = Generator::new(SEED, TerrainKind::Continents, &MaterialTable::builtin());
        // Sorted by columns, because the generator caches columns.
        let mut positions: Vec<ChunkPos> = area.chunks().collect();
        positions.sort_unstable_by_key(|pos| (pos.z, pos.x, pos.y));
        let chunks: Vec<(ChunkPos, Chunk)> =
            positions.par_iter().with_min_len(64).map(|&pos| (pos, generator.chunk(pos))).collect();
        let mut terrain = World::new();
        for (pos, chunk) in chunks {
            terrain.insert(pos, chunk);
        }
        let NumberedWorld { mut world, id_count, .. } =
            NumberedWorld::from_world("terrain".to_owned(), &terrain)?;
        let mut counts = vec![0u64; id_count];
        for (_, chunk) in world.chunks() {
            for run in chunk.runs() {
                counts[usize::from(run.voxel.material())] += u64::from(run.len);
            }
        }
        for pos in area
            .chunks()
            .filter(|&pos| !terrain.is_loaded(pos) || world.chunk(pos).is_none())
            .collect::<Vec<_>>()
        {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        let common = (1..id_count).max_by_key(|&id| counts[id]).unwrap_or_default() as VoxelId;
        Ok(EditInput { world, area, common, unused: id_count as VoxelId })
    }

    /// Size of the terrain.
    #[must_use]
    pub fn size(&self) -> EditInputSize {
        let chunks = || self.world.chunks().map(|(_, chunk)| chunk);
        EditInputSize {
            voxels: self.area.volume(),
            chunks: self.world.len() as u64,
            uniform_chunks: chunks().filter(|chunk| chunk.as_uniform().is_some()).count() as u64,
            runs: chunks().map(|chunk| chunk.run_count() as u64).sum(),
        }
    }

    /// An open map with the chunks, without undo history.
    pub(super) fn editable(&self) -> EditableWorld {
        let mut world = EditableWorld::new(History::new(usize::MAX));
        for (pos, chunk) in self.world.chunks() {
            world.load_chunk(pos, chunk.clone());
        }
        world
    }

    /// The middle of the box, at most `side` voxels along each axis.
    pub(super) fn middle(&self, side: i32) -> Box3 {
        let side = side.min(self.area.size().x);
        let min = self.area.min + (self.area.size() - side) / 2;
        Box3 { min, max: min + side }
    }
}
