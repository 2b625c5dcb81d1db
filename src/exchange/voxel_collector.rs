//! Gathers voxels that come in any order into chunks.
//!
//! A run tree is built fastest from a whole chunk at once, but a model's voxels fall into many chunks, and models overlap. So what
//! is set is held by layers, 32 x 32 voxels at one height, which rows as long as any file's fill side by side; when too many
//! are held, their chunks are fetched, where they were put before, and put with them. So memory is bounded by the layers; time
//! by a limit on the chunks, of which a small file may touch more than any disk could hold, and one on how often chunks are put
//! again, which voxels that leap to and fro make happen for each of them.

use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::FormatError;
use crate::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel, local};
use crate::world::Chunk;
use glam::IVec3;
use rustc_hash::FxHashMap;

/// The most chunks touched: four times 2000^3, more than the whole of MagicaVoxel's space.
const MOST_CHUNKS: usize = 1 << 18;
/// How often chunks are put again at most. Some 50 microseconds each. Boxes whose rows come in order need fewer, but for
/// walls of tens of thousands by thousands.
const MOST_AGAIN: usize = 1 << 19;

/// Voxels in a layer.
const LAYER: usize = 1024;
/// Layers held at once: 4 KiB each, so 48 MiB.
const MOST_LAYERS: usize = 12 << 10;

/// What was set in a chunk and is not put yet.
struct Open {
    pos: ChunkPos,
    /// By height; air where nothing was set.
    layers: [Option<Box<[Voxel; LAYER]>>; 32],
}

/// Collects voxels and makes chunks of them.
pub(super) struct VoxelCollector<'a> {
    target: ImportTarget<'a>,
    open: Vec<Open>,
    index_of: FxHashMap<ChunkPos, usize>,
    /// Index into `open` of the chunk last written, if it is still open: the next voxel is nearly always in the same one.
    last: usize,
    /// Layers of all that is open.
    layers: usize,
    chunks: usize,
    again: usize,
    most: Most,
}

/// The limits.
struct Most {
    layers: usize,
    chunks: usize,
    again: usize,
}

impl<'a> VoxelCollector<'a> {
    pub(super) fn new(target: ImportTarget<'a>) -> VoxelCollector<'a> {
        VoxelCollector {
            target,
            open: vec![],
            index_of: FxHashMap::default(),
            last: 0,
            layers: 0,
            chunks: 0,
            again: 0,
            most: Most { layers: MOST_LAYERS, chunks: MOST_CHUNKS, again: MOST_AGAIN },
        }
    }

    /// Sets the voxel at `at`; a later one replaces an earlier one, but air takes nothing away. `materials` has all that was set
    /// so far.
    ///
    /// # Errors
    /// The voxels lie in too many chunks or leap between them too often, or there is no room for them.
    pub(super) fn set(&mut self, at: IVec3, voxel: Voxel, materials: &MaterialTable) -> Result<(), FormatError> {
        if voxel.is_air() {
            return Ok(());
        }
        let (pos, inside) = (ChunkPos::containing(at), local(at));
        if self.open.get(self.last).is_none_or(|open| open.pos != pos) {
            self.last = self.index_of.get(&pos).copied().unwrap_or(usize::MAX);
        }
        let height = inside.y as usize;
        if self.open.get(self.last).is_none_or(|open| open.layers[height].is_none()) {
            self.begin_layer(pos, height, materials)?;
        }
        if let Some(layer) = &mut self.open[self.last].layers[height] {
            layer[(inside.z << 5 | inside.x) as usize] = voxel;
        }
        Ok(())
    }

    /// Begins a layer that is not held; its chunk is the last then.
    fn begin_layer(&mut self, pos: ChunkPos, height: usize, materials: &MaterialTable) -> Result<(), FormatError> {
        if self.layers == self.most.layers {
            self.close_all(materials)?;
        }
        self.last = *self.index_of.entry(pos).or_insert_with(|| {
            self.open.push(Open { pos, layers: [const { None }; 32] });
            self.open.len() - 1
        });
        self.open[self.last].layers[height] = Some(Box::new([Voxel::AIR; LAYER]));
        self.layers += 1;
        Ok(())
    }

    fn close_all(&mut self, materials: &MaterialTable) -> Result<(), FormatError> {
        self.index_of.clear();
        self.layers = 0;
        // Made on the heap, not on the stack; the length is right by construction.
        let mut voxels: Box<[Voxel; CHUNK_VOLUME]> =
            vec![Voxel::AIR; CHUNK_VOLUME].into_boxed_slice().try_into().expect("a chunk's volume");
        for Open { pos, layers } in self.open.drain(..) {
            let mut had = 0;
            match self.target.fetch(pos)? {
                Some((chunk, matter)) => {
                    had = matter;
                    self.again += 1;
                    for run in chunk.runs() {
                        voxels[run.start as usize..run.end() as usize].fill(run.voxel);
                    }
                }
                None => {
                    self.chunks += 1;
                    voxels.fill(Voxel::AIR);
                }
            }
            if self.chunks > self.most.chunks {
                let reason = format!("its voxels lie in more than {} chunks of 32 x 32 x 32", self.most.chunks);
                return Err(FormatError::new("scene", reason));
            }
            if self.again > self.most.again {
                let reason = "its voxels leap between chunks of 32 x 32 x 32 too often to be put together";
                return Err(FormatError::new("scene", reason));
            }
            for (layer, whole) in layers.iter().zip(voxels.chunks_exact_mut(LAYER)) {
                let set = layer.iter().flat_map(|layer| layer.iter()).zip(whole).filter(|(new, _)| !new.is_air());
                set.for_each(|(new, voxel)| *voxel = *new);
            }
            self.target.put(pos, Chunk::from_voxels(&voxels), had, materials)?;
        }
        Ok(())
    }

    /// What is known of all that was set; none if nothing was.
    ///
    /// # Errors
    /// There is no room for it.
    pub(super) fn finish(mut self, materials: MaterialTable) -> Result<Option<ImportSummary>, FormatError> {
        self.close_all(&materials)?;
        Ok(self.target.finish(materials))
    }
}

#[cfg(test)]
mod tests {
    use super::super::chunk_store::{ChunkStore, MemoryStore, in_memory};
    use super::*;
    use std::cell::Cell;
    use std::rc::Rc;

    #[test]
    fn later_wins_also_in_chunks_closed_before() {
        let materials = MaterialTable::builtin();
        let mut expected = FxHashMap::default();
        let made = in_memory(|target| {
            let mut gather = VoxelCollector::new(target);
            gather.most.layers = 5;
            for i in 0..2000i32 {
                let at = IVec3::new(i * 37 % 200 - 100, i * 11 % 90 - 40, i * 53 % 70);
                let voxel = Voxel::full((i % 7 + 1) as u16);
                gather.set(at, voxel, &materials)?;
                gather.set(at, Voxel::AIR, &materials)?;
                expected.insert(at, voxel);
            }
            Ok::<_, FormatError>(gather.finish(materials.clone())?.expect("there is matter"))
        });
        let made = made.expect("few chunks");
        for (&at, &voxel) in &expected {
            assert_eq!(made.world.get(at), voxel, "{at}");
        }
        assert_eq!(made.voxels, expected.len() as u64);
        assert_eq!(crate::metrics::WorldStats::from_world(&made.world).sum.nonempty, made.voxels);
        let (min, max) = expected.keys().fold((IVec3::MAX, IVec3::MIN), |(a, b), &at| (a.min(at), b.max(at)));
        assert_eq!(made.bounds, crate::voxel::Box3::spanning(min, max));
        made.world.chunks().for_each(|(_, c)| c.check().unwrap());
    }

    /// Notes the chunks that come.
    struct Noted(MemoryStore, Rc<Cell<usize>>);

    impl ChunkStore for Noted {
        fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), FormatError> {
            self.1.set(self.1.get() + 1);
            self.0.put(pos, chunk, materials)
        }

        fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, FormatError> {
            self.0.fetch(pos)
        }

        fn positions(&self) -> Vec<ChunkPos> {
            self.0.positions()
        }
    }

    #[test]
    fn no_more_is_held_than_is_open() {
        let (materials, count) = (MaterialTable::builtin(), Rc::new(Cell::new(0)));
        let mut noted = Noted(MemoryStore::with_limit(usize::MAX), Rc::clone(&count));
        let mut gather = VoxelCollector::new(ImportTarget::new(&mut noted));
        gather.most.layers = 4;
        for i in 0..100 {
            gather.set(IVec3::new(i * 32, i, 0), Voxel::full(1), &materials).unwrap();
            let layers = gather.open.iter().flat_map(|open| &open.layers).flatten().count();
            assert!(i as usize + 1 - count.get() <= 4 && layers == gather.layers && layers <= 4, "chunk {i}");
        }
        assert_eq!(gather.finish(materials).unwrap().map(|made| made.voxels), Some(100));
        assert_eq!(count.get(), 100);
    }

    /// Strews voxels, one in each chunk, and gives what is said of it at the end.
    fn strewn(most: Most, chunks: impl IntoIterator<Item = i32>) -> Result<(), String> {
        let (materials, mut memory) = (MaterialTable::builtin(), MemoryStore::with_limit(usize::MAX));
        let mut gather = VoxelCollector { most, ..VoxelCollector::new(ImportTarget::new(&mut memory)) };
        let strewn = chunks.into_iter().try_for_each(|i| gather.set(IVec3::X * i * 32, Voxel::full(1), &materials));
        strewn.and_then(|()| gather.finish(materials)).map(drop).map_err(|error| error.reason().to_owned())
    }

    #[test]
    fn voxels_strewn_too_widely_are_refused() {
        let most = || Most { layers: 2, chunks: 5, again: 1000 };
        // Again and again the same five are no more than five.
        strewn(most(), (0..50).map(|i| i % 5)).unwrap();
        assert!(strewn(most(), 0..6).unwrap_err().contains("more than 5 chunks"));
    }

    #[test]
    fn voxels_that_leap_too_often_are_refused() {
        let most = |layers| Most { layers, chunks: 100, again: 20 };
        let leaping = |i: i32| i % 5;
        assert!(strewn(most(4), (0..50).map(leaping)).unwrap_err().contains("too often"));
        // It is no matter how often where all have room, nor how many where they come in order.
        strewn(most(5), (0..1000).map(leaping)).unwrap();
        strewn(most(2), (0..1000).map(|i| i / 10)).unwrap();
    }
}
