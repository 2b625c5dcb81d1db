//! The interval tree of the 0fps text, built on the standard library's B-tree: a hash map of
//! chunks, each an ordered map from the start of a run to its ID.

use super::Store;
use super::run_faces::{self, RunChunk};
use crate::input::{NumberedWorld, VoxelId};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, linear_index, local};
use stonerun_engine::world::ChunkTable;

type Tree = BTreeMap<u16, VoxelId>;

/// Interval trees in a hash map. Chunks that the input lacks are missing.
pub struct IntervalTree {
    chunks: ChunkTable<Tree>,
}

/// The start and ID of the run that contains `index`.
#[inline]
fn run_at(tree: &Tree, index: u16) -> (u16, VoxelId) {
    // The fallback is unreachable: the first run starts at 0.
    tree.range(..=index).next_back().map_or((0, 0), |(&start, &id)| (start, id))
}

/// Sets one voxel, and merges adjacent runs that become equal.
fn set(tree: &mut Tree, index: u16, id: VoxelId) {
    let (start, old) = run_at(tree, index);
    if old == id {
        return;
    }
    let next = index + 1;
    // Continues the old run after the voxel, or merges the voxel with the next run.
    if usize::from(next) < CHUNK_VOLUME {
        match tree.entry(next) {
            Entry::Occupied(after) if *after.get() == id => _ = after.remove(),
            Entry::Occupied(_) => {}
            Entry::Vacant(entry) => _ = entry.insert(old),
        }
    }
    // Inserts the voxel itself, unless it extends the run before it.
    let before = if start < index {
        Some(old)
    } else {
        index.checked_sub(1).map(|before| run_at(tree, before).1)
    };
    if before == Some(id) {
        tree.remove(&index);
    } else {
        tree.insert(index, id);
    }
}

impl RunChunk for Tree {
    fn has_air(&self) -> bool {
        self.values().any(|&id| id == 0)
    }

    fn has_matter(&self) -> bool {
        self.values().any(|&id| id != 0)
    }

    fn get(&self, index: usize) -> VoxelId {
        run_at(self, index as u16).1
    }

    fn runs_in(&self, range: Range<usize>, mut each: impl FnMut(usize, usize, VoxelId)) {
        let mut start = range.start;
        let mut id = run_at(self, range.start as u16).1;
        for (&next, &then) in self
            .range(range.start as u16 + 1..)
            .take_while(|&(&next, _)| usize::from(next) < range.end)
        {
            each(start, usize::from(next) - start, id);
            (start, id) = (usize::from(next), then);
        }
        each(start, range.end - start, id);
    }
}

/// Size of the nodes of a B-tree of `len` entries that was filled in order, in bytes: 11 entries
/// per node, and 12 children per inner node. A test compares the result with the allocator.
#[must_use]
pub fn btree_node_bytes(len: usize) -> usize {
    const LEAF: usize =
        size_of::<usize>() + 2 * size_of::<u16>() + 11 * (size_of::<u16>() + size_of::<VoxelId>());
    const INNER: usize = LEAF + 12 * size_of::<usize>();
    let mut nodes = (len + 1).div_ceil(12);
    let mut bytes = 0;
    bytes += nodes * LEAF.next_multiple_of(8);
    while nodes > 1 {
        nodes = nodes.div_ceil(12);
        bytes += nodes * INNER.next_multiple_of(8);
    }
    bytes
}

impl Store for IntervalTree {
    const NAME: &str = "interval tree";

    fn build(input: &NumberedWorld) -> Option<IntervalTree> {
        let tree = |chunk: &stonerun_engine::world::Chunk| {
            chunk.runs().map(|r| (r.start as u16, r.voxel.material())).collect()
        };
        Some(IntervalTree {
            chunks: input.world.chunks().map(|(pos, chunk)| (pos, tree(chunk))).collect(),
        })
    }

    #[inline]
    fn get(&self, at: IVec3) -> VoxelId {
        self.chunks
            .get(ChunkPos::containing(at))
            .map_or(0, |tree| run_at(tree, linear_index(local(at)) as u16).1)
    }

    fn set(&mut self, at: IVec3, id: VoxelId) {
        if let Some(tree) = self.chunks.get_mut(ChunkPos::containing(at)) {
            set(tree, linear_index(local(at)) as u16, id);
        }
    }

    fn count_voxels(&self, counts: &mut [u64]) {
        for tree in self.chunks.values() {
            tree.runs_in(0..CHUNK_VOLUME, |_, len, id| counts[usize::from(id)] += len as u64);
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let chunks: Vec<(ChunkPos, &Tree)> = self.chunks.iter().collect();
        let indices: FxHashMap<ChunkPos, usize> =
            chunks.iter().enumerate().map(|(i, (pos, _))| (*pos, i)).collect();
        run_faces::count(&chunks, |pos| indices.get(&pos).copied(), counts);
    }

    fn heap_bytes(&self) -> usize {
        self.chunks.values().map(|tree| btree_node_bytes(tree.len())).sum::<usize>()
            + self.chunks.heap_bytes()
    }
}
