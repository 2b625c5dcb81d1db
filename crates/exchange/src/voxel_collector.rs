//! Collects voxels that come in any order into chunks.
//!
//! A run tree is built fastest from a whole chunk, but the voxels of a model fall into many chunks,
//! and models overlap. So voxels wait in layers of 32 x 32 voxels at one height; a row of the file
//! crosses the layers of several chunks, and the next rows fill them up. When too many layers wait,
//! all are merged into their chunks. A chunk that was stored before is fetched again.
//!
//! The limit on layers bounds memory. Two limits bound time: on the number of chunks, because a
//! small file may touch more chunks than any disk could hold, and on the number of merges into
//! stored chunks, because each jump back to an earlier chunk may force one.

use super::chunk_store::{ImportSummary, ImportTarget};
use super::error::FormatError;
use glam::IVec3;
use rustc_hash::FxHashMap;
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos, MaterialTable, Voxel, local};
use stonerun_engine::world::Chunk;

/// Maximum number of chunks with voxels: room for 2000^3 voxels, MagicaVoxel's whole space.
const MAX_CHUNKS: usize = 1 << 18;
/// Maximum number of merges into stored chunks, at about 50 microseconds each. Boxes whose rows
/// come in order need fewer, except walls of tens of thousands by thousands of voxels.
const MAX_MERGES: usize = 1 << 19;

/// Voxels in a layer.
const LAYER_VOXELS: usize = 1024;
/// Maximum number of waiting layers, which take 4 KiB each, 48 MiB together.
const MAX_LAYERS: usize = 12 << 10;

/// Voxels of a chunk that wait to be stored.
struct OpenChunk {
    pos: ChunkPos,
    /// Layers by height. A layer is air where no voxel was set.
    layers: [Option<Box<[Voxel; LAYER_VOXELS]>>; 32],
}

/// Collects voxels and builds chunks of them.
pub(super) struct VoxelCollector<'a> {
    target: ImportTarget<'a>,
    open: Vec<OpenChunk>,
    index_of: FxHashMap<ChunkPos, usize>,
    /// Index into `open` of the chunk last written, or out of range. The next voxel is nearly
    /// always in the same chunk.
    last: usize,
    /// Number of layers in all open chunks.
    layers: usize,
    /// Number of chunks that were stored, each counted once.
    chunks: usize,
    /// Number of merges into chunks that were stored before.
    merges: usize,
    limits: Limits,
}

struct Limits {
    layers: usize,
    chunks: usize,
    merges: usize,
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
            merges: 0,
            limits: Limits { layers: MAX_LAYERS, chunks: MAX_CHUNKS, merges: MAX_MERGES },
        }
    }

    /// Sets the voxel at `at`. A later voxel replaces an earlier one, but air replaces nothing.
    /// `materials` must contain the materials of all voxels set so far.
    ///
    /// # Errors
    /// The voxels lie in too many chunks or jump between them too often, or there is no room for
    /// them.
    pub(super) fn set(
        &mut self,
        at: IVec3,
        voxel: Voxel,
        materials: &MaterialTable,
    ) -> Result<(), FormatError> {
        if voxel.is_air() {
            return Ok(());
        }
        let pos = ChunkPos::containing(at);
        let inside = local(at);
        if self.open.get(self.last).is_none_or(|open| open.pos != pos) {
            self.last = self.index_of.get(&pos).copied().unwrap_or(usize::MAX);
        }
        let height = inside.y as usize;
        if self.open.get(self.last).is_none_or(|open| open.layers[height].is_none()) {
            self.open_layer(pos, height, materials)?;
        }
        if let Some(layer) = &mut self.open[self.last].layers[height] {
            layer[(inside.z << 5 | inside.x) as usize] = voxel;
        }
        Ok(())
    }

    /// Opens a layer and makes its chunk the last one.
    fn open_layer(
        &mut self,
        pos: ChunkPos,
        height: usize,
        materials: &MaterialTable,
    ) -> Result<(), FormatError> {
        if self.layers == self.limits.layers {
            self.store_all(materials)?;
        }
        self.last = *self.index_of.entry(pos).or_insert_with(|| {
            self.open.push(OpenChunk { pos, layers: [const { None }; 32] });
            self.open.len() - 1
        });
        self.open[self.last].layers[height] = Some(Box::new([Voxel::AIR; LAYER_VOXELS]));
        self.layers += 1;
        Ok(())
    }

    /// Stores all open chunks.
    fn store_all(&mut self, materials: &MaterialTable) -> Result<(), FormatError> {
        self.index_of.clear();
        self.layers = 0;
        // Made as a vector, so that the array never lies on the stack; its length is
        // `CHUNK_VOLUME`.
        let mut voxels: Box<[Voxel; CHUNK_VOLUME]> = vec![Voxel::AIR; CHUNK_VOLUME]
            .into_boxed_slice()
            .try_into()
            .expect("the vector has the volume of a chunk");
        for OpenChunk { pos, layers } in self.open.drain(..) {
            let mut had = 0;
            match self.target.fetch(pos)? {
                Some((chunk, matter)) => {
                    had = matter;
                    self.merges += 1;
                    for run in chunk.runs() {
                        voxels[run.start as usize..run.end() as usize].fill(run.voxel);
                    }
                }
                None => {
                    self.chunks += 1;
                    voxels.fill(Voxel::AIR);
                }
            }
            if self.chunks > self.limits.chunks {
                let reason = format!(
                    "its voxels lie in more than {} chunks of 32 x 32 x 32",
                    self.limits.chunks
                );
                return Err(FormatError::new("scene", reason));
            }
            if self.merges > self.limits.merges {
                let reason =
                    "its voxels jump between chunks of 32 x 32 x 32 too often to be put together";
                return Err(FormatError::new("scene", reason));
            }
            for (layer, stored) in layers.iter().zip(voxels.chunks_exact_mut(LAYER_VOXELS)) {
                let set = layer
                    .iter()
                    .flat_map(|layer| layer.iter())
                    .zip(stored)
                    .filter(|(new, _)| !new.is_air());
                for (new, voxel) in set {
                    *voxel = *new;
                }
            }
            self.target.put(pos, Chunk::from_voxels(&voxels), had, materials)?;
        }
        Ok(())
    }

    /// Stores the remaining chunks and returns the summary; `None` if no voxel was set.
    ///
    /// # Errors
    /// The voxels exceed a limit, or there is no room for them.
    pub(super) fn finish(
        mut self,
        materials: MaterialTable,
    ) -> Result<Option<ImportSummary>, FormatError> {
        self.store_all(&materials)?;
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
    fn later_voxel_wins_in_chunks_stored_before() {
        let materials = MaterialTable::builtin();
        let mut expected = FxHashMap::default();
        let imported = in_memory(|target| {
            let mut collector = VoxelCollector::new(target);
            collector.limits.layers = 5;
            for i in 0..2000i32 {
                let at = IVec3::new(i * 37 % 200 - 100, i * 11 % 90 - 40, i * 53 % 70);
                let voxel = Voxel::full((i % 7 + 1) as u16);
                collector.set(at, voxel, &materials)?;
                collector.set(at, Voxel::AIR, &materials)?;
                expected.insert(at, voxel);
            }
            Ok::<_, FormatError>(collector.finish(materials.clone())?.expect("there is matter"))
        });
        let imported = imported.expect("few chunks");
        for (&at, &voxel) in &expected {
            assert_eq!(imported.world.get(at), voxel, "{at}");
        }
        assert_eq!(imported.voxels, expected.len() as u64);
        assert_eq!(
            stonerun_engine::metrics::WorldStats::from_world(&imported.world).sum.nonempty,
            imported.voxels
        );
        let (min, max) =
            expected.keys().fold((IVec3::MAX, IVec3::MIN), |(a, b), &at| (a.min(at), b.max(at)));
        assert_eq!(imported.bounds, stonerun_engine::voxel::Box3::spanning(min, max));
        for (_, c) in imported.world.chunks() {
            c.check().unwrap();
        }
    }

    /// Counts the chunks that are stored.
    struct CountingStore(MemoryStore, Rc<Cell<usize>>);

    impl ChunkStore for CountingStore {
        fn put(
            &mut self,
            pos: ChunkPos,
            chunk: Chunk,
            materials: &MaterialTable,
        ) -> Result<(), FormatError> {
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
    fn waiting_layers_stay_within_the_limit() {
        let materials = MaterialTable::builtin();
        let count = Rc::new(Cell::new(0));
        let mut store = CountingStore(MemoryStore::with_limit(usize::MAX), Rc::clone(&count));
        let mut collector = VoxelCollector::new(ImportTarget::new(&mut store));
        collector.limits.layers = 4;
        for i in 0..100 {
            collector.set(IVec3::new(i * 32, i, 0), Voxel::full(1), &materials).unwrap();
            let layers = collector.open.iter().flat_map(|open| &open.layers).flatten().count();
            assert!(
                i as usize + 1 - count.get() <= 4 && layers == collector.layers && layers <= 4,
                "chunk {i}"
            );
        }
        assert_eq!(collector.finish(materials).unwrap().map(|summary| summary.voxels), Some(100));
        assert_eq!(count.get(), 100);
    }

    /// Sets one voxel in each of `chunks`, and returns the reason of the error, if any.
    fn scatter(limits: Limits, chunks: impl IntoIterator<Item = i32>) -> Result<(), String> {
        let materials = MaterialTable::builtin();
        let mut memory = MemoryStore::with_limit(usize::MAX);
        let mut collector =
            VoxelCollector { limits, ..VoxelCollector::new(ImportTarget::new(&mut memory)) };
        let scattered = chunks
            .into_iter()
            .try_for_each(|i| collector.set(IVec3::X * i * 32, Voxel::full(1), &materials));
        scattered
            .and_then(|()| collector.finish(materials))
            .map(drop)
            .map_err(|error| error.reason().to_owned())
    }

    #[test]
    fn voxels_in_too_many_chunks_are_refused() {
        let limits = || Limits { layers: 2, chunks: 5, merges: 1000 };
        // A chunk that comes up again is counted once.
        scatter(limits(), (0..50).map(|i| i % 5)).unwrap();
        assert!(scatter(limits(), 0..6).unwrap_err().contains("more than 5 chunks"));
    }

    #[test]
    fn voxels_that_jump_too_often_are_refused() {
        let limits = |layers| Limits { layers, chunks: 100, merges: 20 };
        let jumping = |i: i32| i % 5;
        assert!(scatter(limits(4), (0..50).map(jumping)).unwrap_err().contains("too often"));
        // Jumps do not matter while all layers have room. Voxels in order do not matter, however
        // many.
        scatter(limits(5), (0..1000).map(jumping)).unwrap();
        scatter(limits(2), (0..1000).map(|i| i / 10)).unwrap();
    }
}
