//! Where an importer puts the chunks that it makes: into memory, or into a map in the making.
//!
//! An importer gives each chunk away as soon as it is made, so that what it holds does not grow with the file; one that comes to
//! a chunk again fetches it. What is known of all at the end, bounds and voxels, is counted as the chunks go by.

use super::{Flaw, Imported};
use crate::voxel::{Box3, ChunkPos, MaterialTable};
use crate::world::{Chunk, World, matter_bounds};

/// Holds the chunks of an import.
pub(super) trait Chunks {
    /// Takes a chunk, in place of one that was put there before. `materials` has all that it names, and is the table of the
    /// last time, perhaps grown.
    ///
    /// # Errors
    /// There is no room.
    fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), Flaw>;

    /// The chunk that was put at `pos`; none if none was.
    ///
    /// # Errors
    /// It cannot be read back.
    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, Flaw>;

    /// Where chunks were put, in any order.
    fn positions(&self) -> Vec<ChunkPos>;
}

/// What an importer knows beside the chunks when all are put.
#[derive(Debug)]
pub(super) struct Summary {
    pub materials: MaterialTable,
    pub bounds: Box3,
    pub voxels: u64,
    pub unfinished: u64,
    pub warnings: Vec<String>,
}

/// What an importer writes to. Chunks that hold matter only.
pub(super) struct Target<'a> {
    chunks: &'a mut dyn Chunks,
    bounds: Option<Box3>,
    voxels: u64,
}

impl<'a> Target<'a> {
    pub(super) fn new(chunks: &'a mut dyn Chunks) -> Target<'a> {
        Target { chunks, bounds: None, voxels: 0 }
    }

    /// Puts a chunk. Where there was one, this is that one grown by more matter, and `had` are the voxels that were not air in it;
    /// else 0.
    ///
    /// # Errors
    /// There is no room.
    pub(super) fn put(&mut self, pos: ChunkPos, chunk: Chunk, had: u64, materials: &MaterialTable) -> Result<(), Flaw> {
        let union = |a: Box3, b: Box3| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) };
        self.bounds = self.bounds.into_iter().chain(matter_bounds(pos, &chunk)).reduce(union);
        self.voxels += matter(&chunk) - had;
        self.chunks.put(pos, chunk, materials)
    }

    /// The chunk that was put at `pos`, and its voxels that are not air; none if none was.
    ///
    /// # Errors
    /// It cannot be read back.
    pub(super) fn fetch(&mut self, pos: ChunkPos) -> Result<Option<(Chunk, u64)>, Flaw> {
        let chunk = self.chunks.fetch(pos)?;
        Ok(chunk.map(|chunk| (matter(&chunk), chunk)).map(|(had, chunk)| (chunk, had)))
    }

    /// What is known at the end; none if there is nothing but air.
    pub(super) fn finish(self, materials: MaterialTable) -> Option<Summary> {
        Some(Summary { materials, bounds: self.bounds?, voxels: self.voxels, unfinished: 0, warnings: vec![] })
    }
}

/// Voxels that are not air.
fn matter(chunk: &Chunk) -> u64 {
    chunk.runs().filter(|run| !run.voxel.is_air()).map(|run| u64::from(run.len)).sum()
}

/// The most memory that the chunks of a world in memory may take.
const MOST_BYTES: usize = 2 << 30;
/// What a chunk takes beside its run tree.
pub(super) const BYTES_BESIDE: usize = 64;

/// A world in memory, of a limited size.
pub(super) struct Memory {
    pub world: World,
    /// Bytes of its chunks.
    bytes: usize,
    most_bytes: usize,
}

impl Memory {
    /// An empty world, whose chunks may take at most so many bytes.
    pub(super) fn of(most_bytes: usize) -> Memory {
        Memory { world: World::new(), bytes: 0, most_bytes }
    }
}

impl Chunks for Memory {
    fn put(&mut self, pos: ChunkPos, chunk: Chunk, _: &MaterialTable) -> Result<(), Flaw> {
        self.bytes += chunk.heap_bytes() + BYTES_BESIDE;
        if let Some(before) = self.world.insert(pos, chunk) {
            self.bytes -= before.heap_bytes() + BYTES_BESIDE;
        }
        if self.bytes > self.most_bytes {
            return Err(Flaw::new("size", format!("its chunks need more than {} bytes", self.most_bytes)));
        }
        Ok(())
    }

    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, Flaw> {
        Ok(self.world.chunk(pos).cloned())
    }

    fn positions(&self) -> Vec<ChunkPos> {
        self.world.chunks().map(|(pos, _)| pos).collect()
    }
}

/// What `import` makes, as a world in memory.
pub(super) fn in_memory<E>(import: impl FnOnce(Target) -> Result<Summary, E>) -> Result<Imported, E> {
    let mut memory = Memory::of(MOST_BYTES);
    let Summary { materials, bounds, voxels, unfinished, warnings } = import(Target::new(&mut memory))?;
    Ok(Imported { world: memory.world, materials, bounds, voxels, unfinished, warnings })
}
