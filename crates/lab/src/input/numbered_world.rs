//! Worlds of 16-bit voxel IDs, which the rival stores hold.
//!
//! The distinct voxels of an input are numbered, air first. All stores, including the run tree,
//! hold these IDs.

use super::{InputError, Random, for_each_chunk, input_name};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::path::Path;
use stonerun_engine::voxel::{Box3, CHUNK_SIDE, CHUNK_VOLUME, ChunkPos, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Number of one of a world's distinct voxels; 0 is air.
pub type VoxelId = u16;

/// A world of numbered voxels.
pub struct NumberedWorld {
    /// Name in the tables.
    pub name: String,
    /// Chunks of `Voxel::full(id)`; a missing chunk is air.
    pub world: World,
    /// Smallest box of whole chunks, in voxels, that holds all of `world`.
    pub bounds: Box3,
    /// Greatest ID plus one.
    pub id_count: usize,
}

/// Side of the 0fps text's world, in voxels.
pub const ZERO_FPS_SIDE: i32 = 256;
/// Number of layers of the 0fps text's world.
const ZERO_FPS_LAYERS: usize = 4;
/// Thickness of a layer of the 0fps text's world, in voxels.
const ZERO_FPS_THICKNESS: usize = 32;
/// Number of different voxels that are scattered over the 0fps text's world.
const SCATTERED_IDS: u64 = 32;
/// Number of voxels that are scattered over the 0fps text's world.
const SCATTERED: usize = 1 << 16;

/// The world of the 0fps text's benchmark: 256^3 voxels, four layers 32 thick with air above them,
/// and 2^16 scattered voxels of 32 types. The text's own code never wrote the layers; this code
/// does.
#[must_use]
pub fn zero_fps_world() -> NumberedWorld {
    let side = ZERO_FPS_SIDE as usize;
    let mut flat: Vec<VoxelId> = vec![0; side * side * side];
    for (layer, voxels) in
        flat.chunks_mut(ZERO_FPS_THICKNESS * side * side).take(ZERO_FPS_LAYERS).enumerate()
    {
        voxels.fill(1 + layer as VoxelId);
    }
    let first_scattered = 1 + ZERO_FPS_LAYERS;
    let mut random = Random::new(2012);
    for _ in 0..SCATTERED {
        let [index, id] = [random.draw() >> 40, random.draw() >> 33];
        flat[index as usize % (side * side * side)] =
            (first_scattered as u64 + id % SCATTERED_IDS) as VoxelId;
    }
    let bounds = Box3 { min: IVec3::ZERO, max: IVec3::splat(ZERO_FPS_SIDE) };
    let mut world = World::new();
    for pos in bounds.chunks() {
        let origin = pos.origin();
        let rows = (0..1024).flat_map(|row| {
            let y = origin.y as usize + row / 32;
            let z = origin.z as usize + row % 32;
            let start = (y * side + z) * side + origin.x as usize;
            flat[start..start + 32].iter().map(|&id| (1, Voxel::full(id)))
        });
        world.insert(pos, Chunk::from_runs(rows));
    }
    NumberedWorld {
        name: "0fps".to_owned(),
        world,
        bounds,
        id_count: first_scattered + SCATTERED_IDS as usize,
    }
}

impl NumberedWorld {
    /// Numbers the voxels of `world`. Equal worlds get equal numbers.
    ///
    /// # Errors
    /// The world has more than 2^15 different voxels, or holds only air.
    pub fn from_world(name: String, world: &World) -> Result<NumberedWorld, InputError> {
        let mut ids: FxHashMap<Voxel, VoxelId> = FxHashMap::default();
        ids.insert(Voxel::AIR, 0);
        let mut chunks: Vec<_> = world.chunks().collect();
        // Sorted, because the order of the hash map may differ between equal worlds.
        chunks.sort_unstable_by_key(|(pos, _)| *pos);
        let mut numbered_world = World::new();
        let mut bounds: Option<(IVec3, IVec3)> = None;
        for (pos, chunk) in chunks {
            for run in chunk.runs() {
                let next = ids.len();
                let id = ids.entry(run.voxel).or_insert(next.min(CHUNK_VOLUME) as VoxelId);
                // The highest bit stays free for stores that use it as a mark.
                if usize::from(*id) >= CHUNK_VOLUME {
                    return Err(InputError::TooManyVoxels { name });
                }
            }
            let numbered =
                Chunk::from_runs(chunk.runs().map(|run| (run.len, Voxel::full(ids[&run.voxel]))));
            if numbered.as_uniform() != Some(Voxel::AIR) {
                let at = pos.as_ivec3();
                bounds = Some(bounds.map_or((at, at), |(min, max)| (min.min(at), max.max(at))));
                numbered_world.insert(pos, numbered);
            }
        }
        let Some((min, max)) = bounds else { return Err(InputError::OnlyAir { name }) };
        let bounds = Box3 { min: min * CHUNK_SIDE, max: (max + 1) * CHUNK_SIDE };
        Ok(NumberedWorld { name, world: numbered_world, bounds, id_count: ids.len() })
    }

    /// Reads a map or an importable file. `progress` receives the completed share, from 0 to 1.
    ///
    /// # Errors
    /// The file cannot be read, is damaged, has more than 2^15 different voxels, or holds only air.
    pub fn from_file(
        path: &Path,
        progress: &mut dyn FnMut(f32),
    ) -> Result<NumberedWorld, InputError> {
        let mut world = World::new();
        for_each_chunk(path, progress, &mut |pos, chunk| drop(world.insert(pos, chunk)))?;
        NumberedWorld::from_world(input_name(path), &world)
    }

    /// The IDs of the chunk at `pos` in linear order; `None` where the chunk is missing.
    #[must_use]
    pub fn dense_chunk(&self, pos: ChunkPos) -> Option<Box<[VoxelId; CHUNK_VOLUME]>> {
        let chunk = self.world.chunk(pos)?;
        let mut ids = vec![0; CHUNK_VOLUME];
        for run in chunk.runs() {
            ids[run.start as usize..run.end() as usize].fill(run.voxel.material());
        }
        ids.into_boxed_slice().try_into().ok()
    }

    /// Number of voxels in `bounds`.
    #[must_use]
    pub fn volume(&self) -> u64 {
        self.bounds.volume()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn zero_fps_world_matches_text() {
        let input = zero_fps_world();
        assert_eq!((input.volume(), input.world.len(), input.id_count), (1 << 24, 512, 37));
        let mut counts = vec![0u64; input.id_count];
        for (_, chunk) in input.world.chunks() {
            for run in chunk.runs() {
                counts[usize::from(run.voxel.material())] += u64::from(run.len);
            }
        }
        assert_eq!(counts.iter().sum::<u64>(), 1 << 24);
        // Some of the 2^16 voxels share a position.
        let scattered = counts[5..].iter().sum::<u64>();
        assert!((65_200..65_536).contains(&scattered), "{scattered}");
        assert!(counts[5..].iter().all(|&n| (1800..2300).contains(&n)), "{counts:?}");
        let layer = 32 * 256 * 256 - scattered / 8;
        assert!(counts[1..5].iter().all(|&n| n.abs_diff(layer) < 500), "{counts:?}");
    }

    #[test]
    fn voxels_are_numbered_air_first() {
        let mut world = World::new();
        world.insert(
            ChunkPos::new(2, 0, -1),
            Chunk::from_runs([(32767, Voxel::new(9, 3)), (1, Voxel::AIR)]),
        );
        world.insert(ChunkPos::new(3, 0, -1), Chunk::uniform(Voxel::AIR));
        let input = NumberedWorld::from_world("test".to_owned(), &world).unwrap();
        assert_eq!((input.id_count, input.world.len()), (2, 1));
        assert_eq!(input.bounds, Box3 { min: IVec3::new(64, 0, -32), max: IVec3::new(96, 32, 0) });
        let dense = input.dense_chunk(ChunkPos::new(2, 0, -1)).unwrap();
        assert_eq!((dense[0], dense[32767]), (1, 0));
        assert!(NumberedWorld::from_world("air".to_owned(), &World::new()).is_err());
    }
}
