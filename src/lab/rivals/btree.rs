//! The interval tree of the 0fps text, on the standard library's B-tree: a hash map of ordered maps from the start of a
//! run to its value.

use super::Store;
use super::run_faces::{self, RunChunk};
use crate::lab::input::{Input, Value};
use crate::voxel::{CHUNK_VOLUME, ChunkPos, linear_index, local};
use crate::world::ChunkTable;
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::collections::BTreeMap;
use std::collections::btree_map::Entry;
use std::ops::Range;

type Tree = BTreeMap<u16, Value>;

/// Chunks that were never given are not there.
pub struct Btree {
    chunks: ChunkTable<Tree>,
}

/// The run that holds `index`: its start and value.
#[inline]
fn run_at(tree: &Tree, index: u16) -> (u16, Value) {
    // The first run starts at 0.
    tree.range(..=index).next_back().map_or((0, 0), |(&start, &value)| (start, value))
}

/// Sets one voxel, and keeps neighbouring runs different.
fn set(tree: &mut Tree, index: u16, value: Value) {
    let (start, old) = run_at(tree, index);
    if old == value {
        return;
    }
    let next = index + 1;
    // What comes after the voxel.
    if usize::from(next) < CHUNK_VOLUME {
        match tree.entry(next) {
            Entry::Occupied(after) if *after.get() == value => _ = after.remove(),
            Entry::Occupied(_) => {}
            Entry::Vacant(place) => _ = place.insert(old),
        }
    }
    // The voxel, unless the run before goes on.
    let before = if start < index { Some(old) } else { index.checked_sub(1).map(|before| run_at(tree, before).1) };
    if before == Some(value) {
        tree.remove(&index);
    } else {
        tree.insert(index, value);
    }
}

impl RunChunk for Tree {
    fn has_air(&self) -> bool {
        self.values().any(|&value| value == 0)
    }

    fn has_matter(&self) -> bool {
        self.values().any(|&value| value != 0)
    }

    fn get(&self, index: usize) -> Value {
        run_at(self, index as u16).1
    }

    fn runs_in(&self, range: Range<usize>, mut each: impl FnMut(usize, usize, Value)) {
        let (mut start, mut value) = (range.start, run_at(self, range.start as u16).1);
        for (&next, &then) in
            self.range(range.start as u16 + 1..).take_while(|&(&next, _)| usize::from(next) < range.end)
        {
            each(start, usize::from(next) - start, value);
            (start, value) = (usize::from(next), then);
        }
        each(start, range.end - start, value);
    }
}

/// Bytes of a B-tree's nodes: 11 entries each, and 12 children where there are any, filled as a tree is that was made
/// in order. `tests/heap_bytes.rs` holds it against the allocator.
#[must_use]
pub fn node_bytes(len: usize) -> usize {
    const LEAF: usize = size_of::<usize>() + 2 * size_of::<u16>() + 11 * (size_of::<u16>() + size_of::<Value>());
    const INNER: usize = LEAF + 12 * size_of::<usize>();
    let (mut nodes, mut bytes) = ((len + 1).div_ceil(12), 0);
    bytes += nodes * LEAF.next_multiple_of(8);
    while nodes > 1 {
        nodes = nodes.div_ceil(12);
        bytes += nodes * INNER.next_multiple_of(8);
    }
    bytes
}

impl Store for Btree {
    const NAME: &str = "interval tree";

    fn build(input: &Input) -> Option<Btree> {
        let tree = |chunk: &crate::world::Chunk| chunk.runs().map(|r| (r.start as u16, r.voxel.material())).collect();
        Some(Btree { chunks: input.world.chunks().map(|(pos, chunk)| (pos, tree(chunk))).collect() })
    }

    #[inline]
    fn get(&self, at: IVec3) -> Value {
        self.chunks.get(ChunkPos::containing(at)).map_or(0, |tree| run_at(tree, linear_index(local(at)) as u16).1)
    }

    fn set(&mut self, at: IVec3, value: Value) {
        if let Some(tree) = self.chunks.get_mut(ChunkPos::containing(at)) {
            set(tree, linear_index(local(at)) as u16, value);
        }
    }

    fn count_values(&self, counts: &mut [u64]) {
        for tree in self.chunks.values() {
            tree.runs_in(0..CHUNK_VOLUME, |_, len, value| counts[usize::from(value)] += len as u64);
        }
    }

    fn count_faces(&self, counts: &mut [u64]) {
        let chunks: Vec<(ChunkPos, &Tree)> = self.chunks.iter().collect();
        let places: FxHashMap<ChunkPos, usize> = chunks.iter().enumerate().map(|(i, (pos, _))| (*pos, i)).collect();
        run_faces::count(&chunks, |pos| places.get(&pos).copied(), counts);
    }

    fn heap_bytes(&self) -> usize {
        self.chunks.values().map(|tree| node_bytes(tree.len())).sum::<usize>() + self.chunks.heap_bytes()
    }
}
