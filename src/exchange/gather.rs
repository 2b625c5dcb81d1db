//! Gathers voxels that come in any order into chunks.
//!
//! A run tree is built fastest from a whole chunk at once, but a model's voxels fall into many chunks, and
//! models overlap. So each chunk being filled is a dense array; when too many are open, all become trees,
//! and one that is touched again is unpacked again. So memory is bounded by the open arrays and the trees, and
//! these by a limit on the chunks: a small file may strew its voxels over more of them than anybody could hold.

use super::Flaw;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, Voxel, linear_index};
use crate::world::{Chunk, World};
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The most chunks touched: four times 2000^3, more than the whole of MagicaVoxel's space.
const MOST_CHUNKS: usize = 1 << 18;

/// Dense chunks kept open at once: 128 KiB each, so 48 MiB.
const MOST_OPEN: usize = 384;

/// Collects voxels and makes chunks of them.
pub(super) struct Gather {
    world: World,
    open: Vec<(ChunkPos, Box<[Voxel; CHUNK_VOLUME]>)>,
    index_of: FxHashMap<ChunkPos, usize>,
    /// Index into `open` of the chunk last written: the next voxel is nearly always in the same one.
    last: usize,
    most_open: usize,
    most_chunks: usize,
    chunks: usize,
}

impl Gather {
    pub(super) fn new() -> Gather {
        Gather {
            world: World::new(),
            open: vec![],
            index_of: FxHashMap::default(),
            last: 0,
            most_open: MOST_OPEN,
            most_chunks: MOST_CHUNKS,
            chunks: 0,
        }
    }

    /// Sets the voxel at `at`; a later one replaces an earlier one.
    ///
    /// # Errors
    /// The voxels lie in too many chunks.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel) -> Result<(), Flaw> {
        let pos = ChunkPos::containing(at);
        if self.open.get(self.last).is_none_or(|(p, _)| *p != pos) {
            self.last = self.opened(pos)?;
        }
        self.open[self.last].1[linear_index(at & 31)] = voxel;
        Ok(())
    }

    fn opened(&mut self, pos: ChunkPos) -> Result<usize, Flaw> {
        if let Some(&index) = self.index_of.get(&pos) {
            return Ok(index);
        }
        if !self.world.is_loaded(pos) {
            self.chunks += 1;
            if self.chunks > self.most_chunks {
                let reason = format!("its voxels lie in more than {} chunks of 32 x 32 x 32", self.most_chunks);
                return Err(Flaw::new("scene", reason));
            }
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
        Ok(self.open.len() - 1)
    }

    fn close_all(&mut self) {
        for (pos, dense) in self.open.drain(..) {
            self.world.insert(pos, Chunk::from_voxels(&dense));
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
            gather.set(at, voxel).expect("few chunks");
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

    #[test]
    fn voxels_strewn_too_widely_are_refused() {
        let mut gather = Gather { most_open: 2, most_chunks: 5, ..Gather::new() };
        let mut strew = |i: i32| gather.set(IVec3::new(i * 32, 0, 0), Voxel::full(1));
        // Again and again the same five are no more than five.
        assert!((0..50).all(|i| strew(i % 5).is_ok()));
        assert!(strew(5).is_err_and(|flaw| flaw.reason.contains("more than 5 chunks")));
    }
}
