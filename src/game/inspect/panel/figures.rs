//! The figures of the page *World*, for the loaded world or one chunk.
//!
//! The engine computes the figures; this file only arranges them.

use crate::game::drawing::meshing::{ChunkMeshes, MeshSize};
use crate::game::inspect::panel::measured::MeasuredSizes;
use crate::game::state::session::{Edits, SaveQueue};
use stonerun_engine::metrics::storage::Sizes;
use stonerun_engine::variants;
use stonerun_engine::voxel::{CHUNK_VOLUME, ChunkPos};
use strum::VariantArray;

/// One column of figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    /// Number of chunks.
    pub chunks: u64,
    /// Number of runs.
    pub runs: u64,
    /// Heap bytes of the run trees.
    pub tree_bytes: u64,
    /// Heap bytes of the run trees and, for the whole world, of the chunk table.
    pub heap_bytes: u64,
    /// Sizes of the chunks measured so far.
    pub measured: Sizes,
    /// Quads and bytes on the graphics card; `None` before the chunk's first mesh.
    pub mesh: Option<MeshSize>,
    /// Number of chunks that differ from the map file.
    pub unsaved: u64,
}

impl Figures {
    /// Figures of all loaded chunks.
    #[must_use]
    pub fn of_world(
        edits: &Edits,
        saves: &SaveQueue,
        meshes: &ChunkMeshes,
        measured: &MeasuredSizes,
    ) -> Figures {
        let totals = edits.totals();
        Figures {
            chunks: totals.chunks,
            runs: totals.runs,
            tree_bytes: totals.heap_bytes,
            heap_bytes: totals.heap_bytes + edits.world().map_bytes() as u64,
            measured: measured.sum(),
            mesh: Some(meshes.total),
            unsaved: saves.unsaved() as u64,
        }
    }

    /// Figures of the chunk at `pos`; `None` if it is not loaded.
    #[must_use]
    pub fn of_chunk(
        edits: &Edits,
        saves: &SaveQueue,
        meshes: &ChunkMeshes,
        measured: &MeasuredSizes,
        pos: ChunkPos,
    ) -> Option<Figures> {
        let chunk = edits.world().chunk(pos)?;
        Some(Figures {
            chunks: 1,
            runs: chunk.run_count() as u64,
            tree_bytes: chunk.heap_bytes() as u64,
            heap_bytes: chunk.heap_bytes() as u64,
            measured: measured.of_chunk(pos).unwrap_or_default(),
            mesh: meshes.of_chunk(pos),
            unsaved: u64::from(saves.is_unsaved(pos)),
        })
    }

    /// Number of voxels.
    #[must_use]
    pub fn voxels(&self) -> u64 {
        self.chunks * CHUNK_VOLUME as u64
    }

    /// Voxels per run; 0 without chunks.
    #[must_use]
    pub fn voxels_per_run(&self) -> f64 {
        if self.runs == 0 { 0.0 } else { self.voxels() as f64 / self.runs as f64 }
    }

    /// Heap bytes of the run trees per voxel; 0 without chunks.
    #[must_use]
    pub fn heap_per_voxel(&self) -> f64 {
        if self.chunks == 0 { 0.0 } else { self.tree_bytes as f64 / self.voxels() as f64 }
    }

    /// Bytes in `format`, of the measured chunks.
    #[must_use]
    pub fn bytes(&self, format: StorageFormat) -> u64 {
        self.measured.bytes[format.index()]
    }

    /// Bytes per voxel in each format, in the order of [`StorageFormat::ALL`]; NaN before the first
    /// measurement.
    #[must_use]
    pub fn per_voxel(&self) -> [f64; StorageFormat::ALL.len()] {
        // Divides by the voxels measured so far, because measuring may lag behind the world. All
        // formats are then compared on the same chunks, as on the page *Storage*.
        let measured = self.measured.voxels as f64;
        StorageFormat::ALL.map(|format| self.bytes(format) as f64 / measured)
    }
}

/// A storage format of voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug, VariantArray)]
pub enum StorageFormat {
    /// Three bytes per voxel.
    Dense,
    /// Indices into a palette, packed.
    Palette,
    /// Rows of 32 voxels; a row of one value is packed.
    RowPacked,
    /// Run trees, as this game stores them in memory.
    RunTree,
    /// The map file's runs.
    Rle,
    /// The map file's runs, compressed.
    RleLz4,
}

impl StorageFormat {
    /// All formats in display order: memory from the largest to the game's own, then the file.
    pub const ALL: [StorageFormat; 6] = variants::all();

    /// Index in [`FORMATS`](stonerun_engine::metrics::storage::FORMATS).
    const fn index(self) -> usize {
        match self {
            StorageFormat::Dense => 0,
            StorageFormat::Palette => 1,
            StorageFormat::RowPacked => 2,
            StorageFormat::RunTree => 3,
            StorageFormat::Rle => 5,
            StorageFormat::RleLz4 => 6,
        }
    }

    /// Display name.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            StorageFormat::Dense => "Dense",
            StorageFormat::Palette => "Palette",
            StorageFormat::RowPacked => "Row-packed",
            StorageFormat::RunTree => "Run tree",
            StorageFormat::Rle => "Byte-RLE",
            StorageFormat::RleLz4 => "  +LZ4",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::metrics::storage::{FORMATS, Sizer};
    use stonerun_engine::voxel::Voxel;
    use stonerun_engine::world::Chunk;

    #[test]
    fn measured_bytes_are_divided_by_measured_voxels() {
        let measured = Sizer::new().measure(&Chunk::uniform(Voxel::full(1)));
        let world = Figures {
            chunks: 4,
            runs: 4,
            tree_bytes: 0,
            heap_bytes: 0,
            measured: Sizes { bytes: measured.bytes.map(|bytes| bytes.max(1)), ..measured },
            mesh: None,
            unsaved: 0,
        };
        let [flat, _, _, tree, rle, lz4] = world.per_voxel();
        let of_one = 7.0 / CHUNK_VOLUME as f64;
        assert_eq!((flat, rle, lz4), (3.0, of_one, of_one), "of the one chunk that was measured");
        assert_eq!(tree, 1.0 / CHUNK_VOLUME as f64, "of the same chunk, not of the whole world");
        let unmeasured = Figures { measured: Sizes::default(), ..world };
        assert!(unmeasured.per_voxel()[4].is_nan());
    }

    #[test]
    fn stores_are_formats_of_the_storage_table() {
        let formats = StorageFormat::ALL.map(|format| FORMATS[format.index()]);
        assert_eq!(
            formats,
            ["dense", "palette", "row-packed", "run tree", "byte-RLE", "byte-RLE+LZ4"]
        );
    }
}
