//! Ours: a hash map of run trees.

use super::Store;
use super::run_faces::{self, RunChunk};
use crate::lab::input::{Input, Value};
use crate::runs::{RunTree, VoxelCounter};
use crate::voxel::{ChunkPos, Voxel, linear_index, local};
use crate::world::World;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::ops::Range;

/// The game's own world.
pub struct Ours {
    world: World,
    values: usize,
}

impl RunChunk for RunTree {
    fn has_air(&self) -> bool {
        self.values().any(Voxel::is_air)
    }

    fn has_matter(&self) -> bool {
        self.as_uniform() != Some(Voxel::AIR)
    }

    #[inline]
    fn get(&self, index: usize) -> Value {
        RunTree::get(self, index).material()
    }

    #[inline]
    fn runs_in(&self, range: Range<usize>, mut each: impl FnMut(usize, usize, Value)) {
        RunTree::runs_in(self, range).for_each(|run| each(run.start as usize, run.len as usize, run.voxel.material()));
    }
}

impl Store for Ours {
    const NAME: &str = "run tree";

    fn build(input: &Input) -> Option<Ours> {
        let mut world = World::new();
        for (pos, chunk) in input.world.chunks() {
            // Not a clone: the input's tree is shared, and an edit would copy it first.
            world.insert(pos, RunTree::from_runs(chunk.runs().map(|run| (run.len, run.voxel))));
        }
        Some(Ours { world, values: input.values })
    }

    #[inline]
    fn get(&self, at: IVec3) -> Value {
        self.world.chunk(ChunkPos::containing(at)).map_or(0, |chunk| chunk.get(linear_index(local(at))).material())
    }

    fn set(&mut self, at: IVec3, value: Value) {
        self.world.set(at, Voxel::full(value));
    }

    fn count_values(&self, counts: &mut [u64]) {
        debug_assert!(counts.len() >= self.values);
        let mut counter = VoxelCounter::default();
        for (_, chunk) in self.world.chunks() {
            counter.count(chunk, |voxel, count| counts[usize::from(voxel.material())] += u64::from(count));
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let chunks: Vec<(ChunkPos, &RunTree)> = self.world.chunks().collect();
        let places: FxHashMap<ChunkPos, usize> = chunks.iter().enumerate().map(|(i, (pos, _))| (*pos, i)).collect();
        run_faces::count(&chunks, |pos| places.get(&pos).copied(), counts);
    }

    fn heap_bytes(&self) -> usize {
        self.world.chunks().map(|(_, chunk)| chunk.heap_bytes()).sum::<usize>() + self.world.map_bytes()
    }
}
