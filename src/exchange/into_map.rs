//! From another program's file to a map: imported, with a place from where it is seen well.

use super::begin::begun;
use super::chunks::{Chunks, Summary, Target};
use super::heightmap::{self, Options};
use super::{Flaw, ImportError, Progress, import_to, report};
use crate::save::{Header, NewMap, SaveError, unix_now};
use crate::terrain::TerrainKind;
use crate::voxel::{Box3, ChunkPos, MaterialTable};
use crate::world::Chunk;
use std::path::Path;

/// What was made.
#[derive(Clone, Debug)]
pub struct Made {
    /// The smallest box that holds all voxels that are not air.
    pub bounds: Box3,
    /// Voxels that are not air.
    pub voxels: u64,
    /// Chunks that the other program has not finished making, which are left out.
    pub unfinished: u64,
    /// What was left out because it is damaged, one line each.
    pub warnings: Vec<String>,
}

/// Why no map was made. Nothing is left of it then.
#[derive(thiserror::Error, Debug)]
pub enum IntoMapError {
    /// The other program's file is the reason.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// The map's file is.
    #[error(transparent)]
    Save(#[from] SaveError),
}

/// A map in the making, as an importer sees it. What its file complains of is kept here: an importer knows of the source only.
struct Making {
    map: NewMap,
    failed: Option<SaveError>,
}

impl Making {
    /// Ends the import if the map's file is the reason.
    fn kept<T>(&mut self, done: Result<T, SaveError>) -> Result<T, Flaw> {
        done.map_err(|error| {
            self.failed = Some(error);
            Flaw::cancelled()
        })
    }
}

impl Chunks for Making {
    fn put(&mut self, pos: ChunkPos, chunk: Chunk, materials: &MaterialTable) -> Result<(), Flaw> {
        let done = self.map.put(pos, chunk, materials);
        self.kept(done)
    }

    fn fetch(&mut self, pos: ChunkPos) -> Result<Option<Chunk>, Flaw> {
        let done = self.map.load(pos);
        self.kept(done)
    }

    fn positions(&self) -> Vec<ChunkPos> {
        self.map.positions()
    }
}

/// Imports the file or folder `source` into a new map at `map`. `options` count for heights only.
///
/// The chunks go to the disk as they are made, so that memory does not limit a world: what is held is a batch of them, what is being
/// made, and the map's index. What is one file is read whole, but for regions.
///
/// # Errors
/// As [`import`](super::import), but for its limit; or the map cannot be written, or there is one already.
pub fn into_map(source: &Path, map: &Path, options: Options, progress: &mut Progress) -> Result<Made, IntoMapError> {
    let header = Header::new(0, TerrainKind::Void.name(), unix_now());
    let mut making = Making { map: NewMap::begin(map, &header, &MaterialTable::builtin())?, failed: None };
    let imported = imported(source, &mut making, options, header, progress);
    if let Some(error) = making.failed {
        return Err(error.into());
    }
    let (header, Summary { materials, bounds, voxels, unfinished, warnings }) = imported?;
    making.map.finish(&header, &materials)?;
    Ok(Made { bounds, voxels, unfinished, warnings })
}

/// Imports all chunks, and finds where the player begins.
fn imported(
    source: &Path,
    chunks: &mut dyn Chunks,
    options: Options,
    header: Header,
    progress: &mut Progress,
) -> Result<(Header, Summary), ImportError> {
    let target = Target::new(chunks);
    let summary = match heightmap::is_one(source) {
        true => heightmap::import_with(source, options, target, progress),
        false => import_to(source, target, progress),
    }?;
    let header = begun(header, chunks, &summary).and_then(|header| report(progress, 1.0).map(|()| header));
    Ok((header.map_err(|flaw| flaw.of(source))?, summary))
}
