//! Gathers voxels that come in any order into chunks.
//!
//! A run tree is built fastest from a whole chunk at once, but a model's voxels fall into many chunks, and
//! models overlap. So each chunk being filled is a dense array; when too many are open, all become trees and are put away,
//! and one that is touched again is fetched and unpacked again. So memory is bounded by the open arrays; what is put
//! is bounded by a limit on the chunks: a small file may strew its voxels over more of them than any disk could hold.

use super::Flaw;
use super::chunks::{Summary, Target};
use crate::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel, linear_index};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The most chunks touched: four times 2000^3, more than the whole of MagicaVoxel's space.
const MOST_CHUNKS: usize = 1 << 18;

/// Dense chunks kept open at once: 128 KiB each, so 48 MiB.
const MOST_OPEN: usize = 384;

/// A chunk that is being filled.
struct Open {
    pos: ChunkPos,
    voxels: Box<[Voxel; CHUNK_VOLUME]>,
    /// How many voxels were not air when it was put before.
    had: u64,
}

/// Collects voxels and makes chunks of them.
pub(super) struct Gather<'a> {
    target: Target<'a>,
    open: Vec<Open>,
    index_of: FxHashMap<ChunkPos, usize>,
    /// Index into `open` of the chunk last written: the next voxel is nearly always in the same one.
    last: usize,
    most_open: usize,
    most_chunks: usize,
    chunks: usize,
}

impl<'a> Gather<'a> {
    pub(super) fn new(target: Target<'a>) -> Gather<'a> {
        Gather {
            target,
            open: vec![],
            index_of: FxHashMap::default(),
            last: 0,
            most_open: MOST_OPEN,
            most_chunks: MOST_CHUNKS,
            chunks: 0,
        }
    }

    /// Sets the voxel at `at`; a later one replaces an earlier one, but air takes nothing away. `materials` has all that was set
    /// so far.
    ///
    /// # Errors
    /// The voxels lie in too many chunks, or there is no room for them.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel, materials: &MaterialTable) -> Result<(), Flaw> {
        if voxel.is_air() {
            return Ok(());
        }
        let pos = ChunkPos::containing(at);
        if self.open.get(self.last).is_none_or(|open| open.pos != pos) {
            self.last = self.opened(pos, materials)?;
        }
        self.open[self.last].voxels[linear_index(at & 31)] = voxel;
        Ok(())
    }

    fn opened(&mut self, pos: ChunkPos, materials: &MaterialTable) -> Result<usize, Flaw> {
        if let Some(&index) = self.index_of.get(&pos) {
            return Ok(index);
        }
        if self.open.len() == self.most_open {
            self.close_all(materials)?;
        }
        // Made on the heap, not on the stack; the length is right by construction.
        let mut voxels: Box<[Voxel; CHUNK_VOLUME]> =
            vec![Voxel::AIR; CHUNK_VOLUME].into_boxed_slice().try_into().expect("a chunk's volume");
        let mut had = 0;
        match self.target.fetch(pos)? {
            Some((chunk, matter)) => {
                had = matter;
                for run in chunk.runs() {
                    voxels[run.start as usize..run.end() as usize].fill(run.voxel);
                }
            }
            None if self.chunks == self.most_chunks => {
                let reason = format!("its voxels lie in more than {} chunks of 32 x 32 x 32", self.most_chunks);
                return Err(Flaw::new("scene", reason));
            }
            None => self.chunks += 1,
        }
        self.open.push(Open { pos, voxels, had });
        self.index_of.insert(pos, self.open.len() - 1);
        Ok(self.open.len() - 1)
    }

    fn close_all(&mut self, materials: &MaterialTable) -> Result<(), Flaw> {
        self.index_of.clear();
        for Open { pos, voxels, had } in self.open.drain(..) {
            self.target.put(pos, Chunk::from_voxels(&voxels), had, materials)?;
        }
        Ok(())
    }

    /// What is known of all that was set; none if nothing was.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn finish(mut self, materials: MaterialTable) -> Result<Option<Summary>, Flaw> {
        self.close_all(&materials)?;
        Ok(self.target.finish(materials))
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunks::{Chunks, Memory, in_memory};
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn later_wins_also_in_chunks_closed_before() {
        let materials = MaterialTable::builtin();
        let mut expected = FxHashMap::default();
        let made = in_memory(|target| {
            let mut gather = Gather { most_open: 2, ..Gather::new(target) };
            for i in 0..2000i32 {
                let at = IVec3::new(i * 37 % 200 - 100, i * 11 % 90 - 40, i * 53 % 70);
                let voxel = Voxel::full((i % 7 + 1) as u16);
                gather.set(at, voxel, &materials)?;
                gather.set(at, Voxel::AIR, &materials)?;
                expected.insert(at, voxel);
            }
            Ok::<_, Flaw>(gather.finish(materials.clone())?.expect("there is matter"))
        });
        let made = made.expect("few chunks");
        for (&at, &voxel) in &expected {
            assert_eq!(made.world.get(at), voxel, "{at}");
        }
        assert_eq!(made.voxels, expected.len() as u64);
        assert_eq!(crate::world::WorldStats::of(&made.world).sum.nonempty, made.voxels);
        let (min, max) = expected.keys().fold((IVec3::MAX, IVec3::MIN), |(a, b), &at| (a.min(at), b.max(at)));
        assert_eq!(made.bounds, crate::voxel::Box3::spanning(min, max));
        made.world.chunks().for_each(|(_, c)| c.check().unwrap());
    }

    /// Notes the chunks that come.
    struct Noted(Memory, Rc<Cell<usize>>);

    impl Chunks for Noted {
        fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), Flaw> {
            self.1.set(self.1.get() + 1);
            self.0.put(pos, chunk, materials)
        }

        fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, Flaw> {
            self.0.fetch(pos)
        }

        fn positions(&self) -> Vec<ChunkPos> {
            self.0.positions()
        }
    }

    #[test]
    fn no_more_is_held_than_is_open() {
        let (materials, count) = (MaterialTable::builtin(), Rc::new(Cell::new(0)));
        let mut noted = Noted(Memory::of(usize::MAX), Rc::clone(&count));
        let mut gather = Gather { most_open: 4, ..Gather::new(Target::new(&mut noted)) };
        for i in 0..100 {
            gather.set(IVec3::new(i * 32, 0, 0), Voxel::full(1), &materials).unwrap();
            assert!(i as usize + 1 - count.get() <= 4 && gather.open.len() <= 4, "chunk {i}");
        }
        assert_eq!(gather.finish(materials).unwrap().map(|made| made.voxels), Some(100));
        assert_eq!(count.get(), 100);
    }

    #[test]
    fn voxels_strewn_too_widely_are_refused() {
        let (materials, mut memory) = (MaterialTable::builtin(), Memory::of(usize::MAX));
        let mut gather = Gather { most_open: 2, most_chunks: 5, ..Gather::new(Target::new(&mut memory)) };
        let mut strew = |i: i32| gather.set(IVec3::new(i * 32, 0, 0), Voxel::full(1), &materials);
        // Again and again the same five are no more than five.
        assert!((0..50).all(|i| strew(i % 5).is_ok()));
        assert!(strew(5).is_err_and(|flaw| flaw.reason.contains("more than 5 chunks")));
    }
}
