//! The game's own store, a hash map of run trees.

use super::Store;
use super::run_faces::{self, RunChunk};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;
use stonerun_engine::runs::{RunTree, VoxelCounter};
use stonerun_engine::voxel::{ChunkPos, Voxel, linear_index, local};
use stonerun_engine::world::World;

/// The game's world of run trees.
pub struct RunTreeStore {
    world: World,
    id_count: usize,
}

impl RunChunk for RunTree {
    fn has_air(&self) -> bool {
        self.values().any(Voxel::is_air)
    }

    fn has_matter(&self) -> bool {
        self.as_uniform() != Some(Voxel::AIR)
    }

    #[inline]
    fn get(&self, index: usize) -> VoxelId {
        RunTree::get(self, index).material()
    }

    #[inline]
    fn runs_in(&self, range: Range<usize>, mut each: impl FnMut(usize, usize, VoxelId)) {
        // `for_each` walks a table in one loop, 1.7 times as fast as calling `next` for each run.
        RunTree::runs_in(self, range)
            .for_each(|run| each(run.start as usize, run.len as usize, run.voxel.material()));
    }
}

impl Store for RunTreeStore {
    const NAME: &str = "run tree";

    fn build(input: &NumberedWorld) -> Option<RunTreeStore> {
        let mut world = World::new();
        for (pos, chunk) in input.world.chunks() {
            // Built from runs, because an edit of a cloned tree, which is shared, would copy it
            // first.
            world.insert(pos, RunTree::from_runs(chunk.runs().map(|run| (run.len, run.voxel))));
        }
        Some(RunTreeStore { world, id_count: input.id_count })
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.world
            .chunk(ChunkPos::containing(at))
            .map_or(0, |chunk| chunk.get(linear_index(local(at))).material())
    }

    fn set(&mut self, at: IVec3, id: VoxelId) {
        self.world.set(at, Voxel::full(id));
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        debug_assert!(counts.len() >= self.id_count);
        let mut counter = VoxelCounter::default();
        for (_, chunk) in self.world.chunks() {
            counter.count(chunk, |voxel, count| {
                counts[usize::from(voxel.material())] += u64::from(count)
            });
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let chunks: Vec<(ChunkPos, &RunTree)> = self.world.chunks().collect();
        let indices: FxHashMap<ChunkPos, usize> =
            chunks.iter().enumerate().map(|(i, (pos, _))| (*pos, i)).collect();
        run_faces::count(&chunks, |pos| indices.get(&pos).copied(), counts);
    }

    fn heap_bytes(&self) -> usize {
        self.world.chunks().map(|(_, chunk)| chunk.heap_bytes()).sum::<usize>()
            + self.world.map_bytes()
    }
}
