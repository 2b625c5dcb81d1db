//! Gathers voxels that come in any order into chunks.
//!
//! A run tree is built fastest from a whole chunk at once, but a model's voxels fall into many chunks, and
//! models overlap. So each chunk being filled is a dense array; when too many are open, all become trees,
//! and one that is touched again is unpacked again. Memory is bounded by the open arrays and the trees,
//! however the voxels are strewn.

use crate::voxel::{CHUNK_VOLUME, ChunkPos, Voxel, linear_index};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Dense chunks kept open at once: 128 KiB each, so 128 MiB.
const MOST_OPEN: usize = 1024;

/// Collects voxels and makes chunks of them.
pub(super) struct Gather {
    world: World,
    open: Vec<(ChunkPos, Box<[Voxel; CHUNK_VOLUME]>)>,
    index_of: FxHashMap<ChunkPos, usize>,
    /// Index into `open` of the chunk last written: the next voxel is nearly always in the same one.
    last: usize,
    most_open: usize,
}

impl Gather {
    pub(super) fn new() -> Gather {
        Gather { world: World::new(), open: vec![], index_of: FxHashMap::default(), last: 0, most_open: MOST_OPEN }
    }

    /// Sets the voxel at `at`; a later one replaces an earlier one.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel) {
        let pos = ChunkPos::containing(at);
        if self.open.get(self.last).is_none_or(|(p, _)| *p != pos) {
            self.last = self.opened(pos);
        }
        self.open[self.last].1[linear_index(at & 31)] = voxel;
    }

    fn opened(&mut self, pos: ChunkPos) -> usize {
        if let Some(&index) = self.index_of.get(&pos) {
            return index;
        }
        if self.open.len() == self.most_open {
            self.close_all();
        }
        // Made on the heap, not on the stack; the length is right by construction.
        let mut dense: Box<[Voxel; CHUNK_VOLUME]> =
            vec![Voxel::AIR; CHUNK_VOLUME].into_boxed_slice().try_into().expect("a chunk's volume");
        if let Some(chunk) = self.world.chunk(pos) {
            for run in chunk.runs() {
                dense[run.start as usize..run.end() as usize].fill(run.voxel);
            }
        }
        self.open.push((pos, dense));
        self.index_of.insert(pos, self.open.len() - 1);
        self.open.len() - 1
    }

    fn close_all(&mut self) {
        for (pos, dense) in self.open.drain(..) {
            self.world.insert(pos, Arc::new(Chunk::from_voxels(&dense)));
        }
        self.index_of.clear();
    }

    /// The chunks that were touched.
    pub(super) fn finish(mut self) -> World {
        self.close_all();
        self.world
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn later_wins_also_in_chunks_closed_before() {
        let mut gather = Gather { most_open: 2, ..Gather::new() };
        let mut expected = FxHashMap::default();
        for i in 0..2000i32 {
            let at = IVec3::new(i * 37 % 200 - 100, i * 11 % 90 - 40, i * 53 % 70);
            let voxel = Voxel::full((i % 7 + 1) as u16);
            gather.set(at, voxel);
            expected.insert(at, voxel);
        }
        let world = gather.finish();
        for (&at, &voxel) in &expected {
            assert_eq!(world.get(at), voxel, "{at}");
        }
        let matter: usize = world
            .chunks()
            .map(|(_, c)| c.runs().filter(|r| !r.voxel.is_air()).map(|r| r.len as usize).sum::<usize>())
            .sum();
        assert_eq!(matter, expected.len());
        world.chunks().for_each(|(_, c)| c.check().unwrap());
    }
}
