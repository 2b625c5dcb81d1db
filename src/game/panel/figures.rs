//! The figures that the page *World* shows, of the loaded world or of one chunk.
//!
//! Nothing is computed here that the engine does not count itself: this only puts its figures side by side.

use crate::game::meshing::ChunkMeshes;
use crate::game::panel::measured::Measured;
use crate::game::session::Session;
use crate::metrics::storage::Sizes;
use crate::metrics::{ChunkStats, WorldStats};
use crate::voxel::{CHUNK_VOLUME, ChunkPos};

/// Bytes of the map file's two codecs, of the chunks that were measured so far.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct FileBytes {
    /// Chunks in the sums.
    pub counted: u64,
    /// As byte-RLE.
    pub rle: u64,
    /// As byte-RLE, then LZ4 where that is smaller.
    pub lz4: u64,
}

impl From<Sizes> for FileBytes {
    fn from(sizes: Sizes) -> FileBytes {
        let [.., rle, lz4, _] = sizes.bytes;
        FileBytes { counted: sizes.chunks, rle, lz4 }
    }
}

/// One column of figures.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Figures {
    /// The engine's count of chunks and bytes.
    pub stats: WorldStats,
    /// Heap bytes, the hash map's share with them where the whole world is meant.
    pub heap_bytes: u64,
    /// What the map file takes.
    pub files: FileBytes,
    /// Quads and bytes on the graphics card; none before the chunk's first mesh.
    pub mesh: Option<(u64, u64)>,
    /// Chunks that differ from the map file.
    pub unsaved: u64,
}

impl Figures {
    /// Of all loaded chunks.
    #[must_use]
    pub fn of_world(session: &Session, meshes: &ChunkMeshes, measured: &Measured) -> Figures {
        Figures {
            stats: session.stats,
            heap_bytes: session.stats.sum.heap_bytes + session.world.map_bytes() as u64,
            files: measured.sum().into(),
            mesh: Some((meshes.quads as u64, meshes.bytes as u64)),
            unsaved: session.unsaved.len() as u64,
        }
    }

    /// Of the chunk at `pos`, if it is loaded.
    #[must_use]
    pub fn of_chunk(session: &Session, meshes: &ChunkMeshes, measured: &Measured, pos: ChunkPos) -> Option<Figures> {
        let mut stats = WorldStats::default();
        stats.add(session.chunk_stats(pos)?);
        Some(Figures {
            stats,
            heap_bytes: stats.sum.heap_bytes,
            files: measured.of_chunk(pos).unwrap_or_default().into(),
            mesh: meshes.of_chunk(pos).map(|(quads, bytes)| (quads as u64, bytes as u64)),
            unsaved: u64::from(session.unsaved.contains(&pos)),
        })
    }

    /// Heap bytes a voxel.
    #[must_use]
    pub fn heap_per_voxel(&self) -> f64 {
        self.stats.per_voxel(self.stats.sum.heap_bytes)
    }

    /// Bytes a voxel in each store, in the order of [`Store::ALL`]; not a number where nothing was counted yet.
    #[must_use]
    pub fn per_voxel(&self) -> [f64; Store::ALL.len()] {
        let sum = &self.stats.sum;
        // The files' sums may lag behind: they are divided by the voxels that they are of.
        let filed = (self.files.counted * CHUNK_VOLUME as u64) as f64;
        Store::ALL.map(|store| match store {
            Store::Flat => self.stats.per_voxel(self.stats.chunks * ChunkStats::flat_bytes()),
            Store::Palette => self.stats.per_voxel(sum.palette_bytes),
            Store::RowPacked => self.stats.per_voxel(sum.row_packed_bytes),
            Store::RunTree => self.heap_per_voxel(),
            Store::Rle => self.files.rle as f64 / filed,
            Store::RleLz4 => self.files.lz4 as f64 / filed,
        })
    }
}

/// A way to keep the same voxels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Store {
    /// Three bytes a voxel.
    Flat,
    /// Indices into a palette, packed.
    Palette,
    /// Rows of 32, packed where they are one value.
    RowPacked,
    /// What this game keeps in memory.
    RunTree,
    /// The map file's runs.
    Rle,
    /// The same, compressed.
    RleLz4,
}

impl Store {
    /// All, in the order they are listed: memory from the largest to ours, then the file.
    pub const ALL: [Store; 6] =
        [Store::Flat, Store::Palette, Store::RowPacked, Store::RunTree, Store::Rle, Store::RleLz4];

    /// Its name in the panel.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Store::Flat => "flat array",
            Store::Palette => "palette",
            Store::RowPacked => "row-packed",
            Store::RunTree => "run tree",
            Store::Rle => "file, RLE",
            Store::RleLz4 => "  RLE+LZ4",
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::storage::FORMATS;
    use crate::voxel::Voxel;
    use crate::world::Chunk;

    #[test]
    fn files_are_divided_by_the_voxels_they_are_of() {
        let mut stats = WorldStats::default();
        for material in 0..4 {
            stats.add(&ChunkStats::from_chunk(&Chunk::uniform(Voxel::full(material))));
        }
        let files = FileBytes { counted: 1, rle: CHUNK_VOLUME as u64, lz4: CHUNK_VOLUME as u64 / 2 };
        let figures = Figures { stats, heap_bytes: stats.sum.heap_bytes, files, mesh: None, unsaved: 0 };
        let [flat, .., rle, lz4] = figures.per_voxel();
        assert_eq!((flat, rle, lz4), (3.0, 1.0, 0.5));
        assert!(matches!(FORMATS, [.., "byte-RLE", "byte-RLE+LZ4", _]), "the two that are taken from the table");
        let none = Figures { files: FileBytes::default(), ..figures };
        assert!(none.per_voxel()[4].is_nan());
    }
}
