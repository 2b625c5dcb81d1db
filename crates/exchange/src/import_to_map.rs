//! Import into a new map file, with a spawn point that overlooks the result.

use super::chunk_store::{ChunkStore, ImportSummary, ImportTarget};
use super::error::{FormatError, ImportError};
use super::import::import_to;
use super::import_options::ImportOptions;
use super::losses::ImportLosses;
use super::progress::{Progress, report};
use super::spawn_point::place_player;
use std::path::Path;
use stonerun_engine::save::{Header, MapBuilder, SaveError, unix_now};
use stonerun_engine::terrain::TerrainKind;
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable};
use stonerun_engine::world::Chunk;

/// A finished import into a map.
#[derive(Clone, Debug)]
pub struct ImportedMap {
    /// Smallest box around all voxels that are not air.
    pub bounds: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Chunks left out because the other program has not finished generating them.
    pub unfinished: u64,
    /// Parts left out because they are damaged, one line each.
    pub warnings: Vec<String>,
    /// Parts of a Minecraft world or schematic that voxels cannot hold.
    pub losses: ImportLosses,
}

/// Error of [`import_to_map()`]. The incomplete map has been removed.
#[derive(thiserror::Error, Debug)]
pub enum ImportToMapError {
    /// The source cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The map cannot be written.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// A map that is being built, as the store of an importer.
///
/// Importers can report only errors of the source, so this store keeps an error of the map file.
struct MapStore {
    map: MapBuilder,
    failed: Option<SaveError>,
}

impl MapStore {
    /// Keeps an error of the map file and cancels the import.
    fn check<T>(&mut self, done: Result<T, SaveError>) -> Result<T, FormatError> {
        done.map_err(|error| {
            self.failed = Some(error);
            FormatError::Cancelled
        })
    }
}

impl ChunkStore for MapStore {
    fn put(
        &mut self,
        pos: ChunkPos,
        chunk: Chunk,
        materials: &MaterialTable,
    ) -> Result<(), FormatError> {
        let done = self.map.put(pos, chunk, materials);
        self.check(done)
    }

    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, FormatError> {
        let done = self.map.load(pos);
        self.check(done)
    }

    fn positions(&self) -> Vec<ChunkPos> {
        self.map.positions()
    }
}

/// Imports the file or folder `source` into a new map at `map`.
///
/// Chunks are written to the disk as soon as they are complete, so memory does not limit the size
/// of a world. Memory holds one batch of chunks, the importer's own state, the map's index, and the
/// bytes of the source file, unless it is a region or a `.vox` file.
///
/// # Errors
/// Returns the errors of [`import`](super::import()) except its memory limit. The map may exist
/// already, or may not be writable.
///
/// # Examples
/// ```
/// use stonerun_exchange::{heightmap::HeightmapOptions, ignore_progress, import_to_map};
///
/// let folder = tempfile::tempdir()?;
/// let (source, map) = (folder.path().join("flat.r16"), folder.path().join("flat.stonerun"));
/// std::fs::write(&source, [7, 0].repeat(64))?;
///
/// let imported = import_to_map(&source, &map, HeightmapOptions::default(), &mut ignore_progress)?;
/// assert_eq!(imported.bounds.size().to_array(), [8, 4, 8]);
/// assert!(map.is_file());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
pub fn import_to_map(
    source: &Path,
    map: &Path,
    options: impl Into<ImportOptions>,
    progress: &mut Progress,
) -> Result<ImportedMap, ImportToMapError> {
    let header = Header::new(0, TerrainKind::Void.name(), unix_now());
    let mut store =
        MapStore { map: MapBuilder::new(map, &header, &MaterialTable::builtin())?, failed: None };
    let imported = import_chunks(source, &mut store, &options.into(), header, progress);
    if let Some(error) = store.failed {
        return Err(error.into());
    }
    let (header, ImportSummary { materials, bounds, voxels, unfinished, warnings, losses }) =
        imported?;
    store.map.finish(&header, &materials)?;
    Ok(ImportedMap { bounds, voxels, unfinished, warnings, losses })
}

/// Imports all chunks, and places the spawn point.
fn import_chunks(
    source: &Path,
    store: &mut dyn ChunkStore,
    options: &ImportOptions,
    header: Header,
    progress: &mut Progress,
) -> Result<(Header, ImportSummary), ImportError> {
    let target = ImportTarget::new(store);
    let summary = import_to(source, options, target, progress)?;
    let header = place_player(header, store, &summary)
        .and_then(|header| report(progress, 1.0).map(|()| header));
    Ok((header.map_err(|error| error.in_file(source))?, summary))
}
