//! Inputs of the visibility measurement: the chunks of a map, an import or generated terrain, and
//! random viewers.

use super::random::below;
use crate::input::{InputError, Random, import_undamaged, input_name, is_map, open_undamaged};
use glam::IVec3;
use rustc_hash::{FxHashMap, FxHashSet};
use std::path::Path;
use stonerun_engine::mesh::FaceMaterials;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::visibility::{ChunkOcclusion, OccluderMaterials, Rooms};
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, ChunkPos, MaterialTable, local};
use stonerun_engine::world::World;
use stonerun_engine::world::view::vertical_reach;

/// Seed of generated terrain.
pub const SEED: u64 = 5;
/// Maximum height of a viewer above the ground, in voxels.
const MAX_HEIGHT: i32 = 20;
/// Number of voxels that are tried before the search for viewers ends.
const MAX_TRIES: usize = 1_000_000;

/// The occluders of a world, which are all that visibility depends on.
pub struct VisibilityInput {
    /// Name in the table.
    pub name: String,
    /// Chunks of the world. All others count as not loaded.
    chunks: FxHashMap<ChunkPos, ChunkOcclusion>,
    /// Chunks that may contain viewers, in order.
    homes: Vec<ChunkPos>,
    /// True if viewers must be near the ground. In caverns they may be in any open voxel.
    on_ground: bool,
}

impl VisibilityInput {
    /// Creates an input from chunks; any of them may contain viewers.
    #[must_use]
    pub fn new(
        name: String,
        chunks: FxHashMap<ChunkPos, ChunkOcclusion>,
        on_ground: bool,
    ) -> VisibilityInput {
        let mut homes: Vec<_> = chunks.keys().copied().collect();
        homes.sort_unstable();
        VisibilityInput { name, chunks, homes, on_ground }
    }

    /// Generates terrain: the viewers' chunks around the origin, and all chunks within `view` of
    /// them. `progress` receives the completed share, from 0 to 1.
    #[must_use]
    pub fn generated(kind: TerrainKind, view: i32, progress: &dyn Fn(f32)) -> VisibilityInput {
        let materials = MaterialTable::builtin();
        let on_ground = kind != TerrainKind::Caverns;
        let generator = Generator::new(SEED, kind, &materials);
        let face_materials = FaceMaterials::new(&materials);
        // Ground lies at different heights, so viewers need more layers of chunks there than in
        // caves.
        let homes = IVec3::new(2, if on_ground { 4 } else { 2 }, 2);
        let side = homes + IVec3::new(view, vertical_reach(view), view);
        let bounds = Box3 { min: -side * CHUNK_SIDE, max: side * CHUNK_SIDE };
        let count = (bounds.volume() >> 15) as f32;
        let chunks = bounds.chunks().enumerate().map(|(i, pos)| {
            progress(i as f32 / count);
            (
                pos,
                ChunkOcclusion::from_chunk(&generator.chunk(pos), |voxel| {
                    face_materials.hides(voxel)
                }),
            )
        });
        let chunks = chunks.collect();
        let homes = (Box3 { min: -homes * CHUNK_SIDE, max: homes * CHUNK_SIDE }).chunks().collect();
        VisibilityInput { name: format!("{}, seed {SEED}", kind.name()), chunks, homes, on_ground }
    }

    /// Reads a map, or an importable file or folder. `progress` receives the completed share, from
    /// 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, or a part of it is damaged.
    pub fn from_file(path: &Path, progress: &dyn Fn(f32)) -> Result<VisibilityInput, InputError> {
        if !is_map(path) {
            let imported = import_undamaged(path, &mut |done| progress(done * 0.9))?;
            let face_materials = FaceMaterials::new(&imported.materials);
            let chunks = imported.world.chunks().map(|(pos, chunk)| {
                (pos, ChunkOcclusion::from_chunk(chunk, |voxel| face_materials.hides(voxel)))
            });
            return Ok(VisibilityInput::new(input_name(path), chunks.collect(), true));
        }
        let map = open_undamaged(path)?;
        let materials = OccluderMaterials::new(map.materials());
        let positions = map.positions();
        let mut world = World::new();
        for (i, &pos) in positions.iter().enumerate() {
            progress(i as f32 / positions.len() as f32);
            if let Some(chunk) = map.load(pos)? {
                world.insert(pos, chunk);
            }
        }
        let occlusion = |pos| Some((pos, ChunkOcclusion::from_world(&world, pos, &materials)?));
        let chunks = positions.iter().filter_map(|&pos| occlusion(pos)).collect();
        let on_ground = map.header().terrain != TerrainKind::Caverns.name();
        Ok(VisibilityInput::new(input_name(path), chunks, on_ground))
    }

    /// The chunk at `pos`, if it is loaded.
    #[must_use]
    pub fn chunk(&self, pos: ChunkPos) -> Option<ChunkOcclusion> {
        self.chunks.get(&pos).cloned()
    }

    /// Finds `count` viewers in different random cells, or fewer if the search finds no more. Every
    /// run finds the same viewers.
    ///
    /// # Errors
    /// The world has no voxel for a viewer.
    pub fn viewers(&self, count: usize) -> Result<Vec<IVec3>, InputError> {
        let homes: Vec<_> = self.homes.iter().filter(|pos| !self.is_solid(**pos)).collect();
        let mut random = Random::new(4);
        let mut cells = FxHashSet::default();
        let mut viewers = Vec::new();
        for _ in 0..MAX_TRIES {
            if viewers.len() == count || homes.is_empty() {
                break;
            }
            let home = *homes[below(&mut random, homes.len())];
            let offset = IVec3::from_array([0; 3].map(|_| below(&mut random, 32) as i32));
            let voxel = home.origin() + offset;
            let is_above_ground =
                || (1..=MAX_HEIGHT).any(|down| self.hides(voxel - IVec3::Y * down));
            if self.hides(voxel) || self.on_ground && !is_above_ground() {
                continue;
            }
            let cell = self.chunks[&home].cell_at(offset);
            if cell.is_some_and(|cell| cells.insert((home, cell.section, cell.room))) {
                viewers.push(voxel);
            }
        }
        if viewers.is_empty() {
            let place = if self.on_ground { "open voxel above ground" } else { "open voxel" };
            return Err(InputError::NoViewpoint { name: self.name.clone(), place });
        }
        Ok(viewers)
    }

    fn is_solid(&self, pos: ChunkPos) -> bool {
        self.chunks.get(&pos).is_none_or(|chunk| matches!(chunk.rooms, Rooms::Solid))
    }

    fn hides(&self, voxel: IVec3) -> bool {
        let chunk = self.chunks.get(&ChunkPos::containing(voxel));
        chunk.is_some_and(|chunk| chunk.occluders.hides(local(voxel)))
    }
}
