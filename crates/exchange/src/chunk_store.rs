//! Stores for the chunks of an import: in memory, or in a map that is being built.
//!
//! An importer hands over each chunk as soon as it is complete, so its own memory does not grow
//! with the file. An importer that returns to a chunk fetches it again. Bounds and voxel counts are
//! kept up to date while the chunks pass.

use super::error::FormatError;
use super::losses::ImportLosses;
use super::unread_parts::UnreadParts;
use std::path::Path;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable};
use stonerun_engine::world::{Chunk, World, matter_bounds};

/// A world imported into memory.
#[derive(Clone, Debug)]
pub struct Imported {
    /// The chunks with matter.
    pub world: World,
    /// The built-in materials, followed by the file's own.
    pub materials: MaterialTable,
    /// Smallest box around all voxels that are not air.
    pub bounds: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Chunks left out because the other program has not finished generating them.
    pub unfinished: u64,
    /// Parts left out because they are damaged, one line each; empty if the import is complete.
    pub warnings: Vec<String>,
    /// Parts of a Minecraft world or schematic that voxels cannot hold.
    pub losses: ImportLosses,
}

/// Storage for the chunks of an import.
pub(super) trait ChunkStore {
    /// Stores a chunk and replaces an earlier one at `pos`. `materials` contains every material of
    /// the chunk; between calls the table may only grow.
    ///
    /// # Errors
    /// The chunk cannot be stored.
    fn put(
        &mut self,
        pos: ChunkPos,
        chunk: Chunk,
        materials: &MaterialTable,
    ) -> Result<(), FormatError>;

    /// The chunk stored at `pos`.
    ///
    /// # Errors
    /// The stored chunk cannot be read back.
    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, FormatError>;

    /// Positions of all stored chunks, in any order.
    fn positions(&self) -> Vec<ChunkPos>;
}

/// The result of an importer, apart from the chunks.
#[derive(Debug)]
pub(super) struct ImportSummary {
    pub materials: MaterialTable,
    pub bounds: Box3,
    pub voxels: u64,
    pub unfinished: u64,
    pub warnings: Vec<String>,
    pub losses: ImportLosses,
}

impl ImportSummary {
    /// Adds the parts that the importer did not read: as a loss, and as a warning that does not
    /// name the file.
    pub(super) fn report_unread(&mut self, parts: &UnreadParts) {
        self.losses += parts.losses();
        self.warnings.extend(parts.warning());
    }

    /// Names the file in all warnings.
    pub(super) fn in_file(mut self, file: &Path) -> ImportSummary {
        for warning in &mut self.warnings {
            *warning = format!("{}: {warning}", file.display());
        }
        self
    }
}

/// Receives the chunks of an importer. Accepts only chunks with matter.
pub(super) struct ImportTarget<'a> {
    store: &'a mut dyn ChunkStore,
    bounds: Option<Box3>,
    voxels: u64,
}

impl<'a> ImportTarget<'a> {
    pub(super) fn new(store: &'a mut dyn ChunkStore) -> ImportTarget<'a> {
        ImportTarget { store, bounds: None, voxels: 0 }
    }

    /// Stores a chunk. A replacement must contain all matter of the earlier chunk. `had` is the
    /// earlier chunk's number of voxels that are not air, 0 if there is none.
    ///
    /// # Errors
    /// The chunk cannot be stored.
    pub(super) fn put(
        &mut self,
        pos: ChunkPos,
        chunk: Chunk,
        had: u64,
        materials: &MaterialTable,
    ) -> Result<(), FormatError> {
        let union = |a: Box3, b: Box3| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) };
        self.bounds = self.bounds.into_iter().chain(matter_bounds(pos, &chunk)).reduce(union);
        self.voxels += count_matter(&chunk) - had;
        self.store.put(pos, chunk, materials)
    }

    /// The chunk stored at `pos` and its number of voxels that are not air.
    ///
    /// # Errors
    /// The stored chunk cannot be read back.
    pub(super) fn fetch(&mut self, pos: ChunkPos) -> Result<Option<(Chunk, u64)>, FormatError> {
        let chunk = self.store.fetch(pos)?;
        Ok(chunk.map(|chunk| (count_matter(&chunk), chunk)).map(|(had, chunk)| (chunk, had)))
    }

    /// The summary; `None` if all voxels are air.
    pub(super) fn finish(self, materials: MaterialTable) -> Option<ImportSummary> {
        Some(ImportSummary {
            materials,
            bounds: self.bounds?,
            voxels: self.voxels,
            unfinished: 0,
            warnings: vec![],
            losses: ImportLosses::default(),
        })
    }
}

/// Voxels that are not air.
fn count_matter(chunk: &Chunk) -> u64 {
    chunk.runs().filter(|run| !run.voxel.is_air()).map(|run| u64::from(run.len)).sum()
}

/// Maximum number of bytes for the chunks of a world in memory.
const MAX_WORLD_BYTES: usize = 2 << 30;
/// Estimated memory of a chunk in addition to its run tree, in bytes.
pub(super) const CHUNK_OVERHEAD_BYTES: usize = 64;

/// A world in memory with a size limit.
pub(super) struct MemoryStore {
    pub world: World,
    /// Bytes of the chunks in `world`.
    bytes: usize,
    max_bytes: usize,
}

impl MemoryStore {
    /// An empty world whose chunks may take at most `max_bytes`.
    pub(super) fn with_limit(max_bytes: usize) -> MemoryStore {
        MemoryStore { world: World::new(), bytes: 0, max_bytes }
    }
}

impl ChunkStore for MemoryStore {
    fn put(&mut self, pos: ChunkPos, chunk: Chunk, _: &MaterialTable) -> Result<(), FormatError> {
        self.bytes += chunk.heap_bytes() + CHUNK_OVERHEAD_BYTES;
        if let Some(before) = self.world.insert(pos, chunk) {
            self.bytes -= before.heap_bytes() + CHUNK_OVERHEAD_BYTES;
        }
        if self.bytes > self.max_bytes {
            return Err(FormatError::new(
                "size",
                format!("its chunks need more than {} bytes", self.max_bytes),
            ));
        }
        Ok(())
    }

    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, FormatError> {
        Ok(self.world.chunk(pos).cloned())
    }

    fn positions(&self) -> Vec<ChunkPos> {
        self.world.chunks().map(|(pos, _)| pos).collect()
    }
}

/// Runs `import` with a new world in memory as its target.
pub(super) fn in_memory<E>(
    import: impl FnOnce(ImportTarget) -> Result<ImportSummary, E>,
) -> Result<Imported, E> {
    let mut memory = MemoryStore::with_limit(MAX_WORLD_BYTES);
    let summary = import(ImportTarget::new(&mut memory))?;
    let ImportSummary { materials, bounds, voxels, unfinished, warnings, losses } = summary;
    Ok(Imported { world: memory.world, materials, bounds, voxels, unfinished, warnings, losses })
}
