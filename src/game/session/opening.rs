//! Opening a map.

use super::edits::Edits;
use super::open_map::OpenMap;
use super::save_queue::SaveQueue;
use crate::history::History;
use crate::mesh::FaceMaterials;
use crate::save::{MapFile, MapWriter, Places, SaveError};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::CHUNK_SIDE;
use std::path::Path;
use std::sync::Arc;

/// A map that was opened.
pub struct OpenedSession {
    /// The map.
    pub map: OpenMap,
    /// Its world, with nothing loaded.
    pub edits: Edits,
    /// Its saves.
    pub saves: SaveQueue,
    /// Problems of the map that do not prevent opening it, one line each.
    pub warnings: Vec<String>,
}

/// Opens the map at `path`: to play in it, or only for a picture while it may be open elsewhere.
///
/// # Errors
/// The map cannot be opened.
pub fn open(path: &Path, for_picture: bool) -> Result<OpenedSession, SaveError> {
    let opened = if for_picture { MapFile::open_read_only(path) } else { MapFile::open(path) }?;
    let mut warnings: Vec<String> = opened.damage.iter().map(ToString::to_string).collect();
    let file = opened.map;
    let header = file.header().clone();
    let materials = Arc::new(file.materials().clone());
    let terrain = header.terrain.parse().unwrap_or_else(|unknown| {
        warnings.push(format!("{}: {unknown}; chunks that were never saved stay empty", path.display()));
        TerrainKind::Void
    });
    let lowest = (terrain == TerrainKind::Void).then(|| {
        let chunks = file.positions();
        chunks.iter().map(|pos| f64::from(pos.y) * f64::from(CHUNK_SIDE)).fold(header.spawn[1], f64::min)
    });
    let history = match file.history() {
        Ok(saved) => History::from_saved(saved, materials.len(), usize::MAX).map_err(|reason| reason.to_string()),
        Err(reason) => Err(reason.to_string()),
    };
    let history = history.unwrap_or_else(|reason| {
        warnings.push(format!("{}: the undo history is lost: {reason}", path.display()));
        History::replacing_saved(usize::MAX)
    });
    let places = file.places().unwrap_or_else(|reason| {
        warnings.push(format!("{}: the named places are lost: {reason}", path.display()));
        Places::default()
    });
    let map = OpenMap {
        places,
        name: path.file_stem().map_or_else(String::new, |stem| stem.to_string_lossy().into_owned()),
        face_materials: Arc::new(FaceMaterials::new(&materials)),
        generator: Arc::new(Generator::new(header.seed, terrain, &materials)),
        terrain,
        materials,
        reader: file.reader()?,
        header,
    };
    let saves = SaveQueue::new(MapWriter::spawn(file)?);
    Ok(OpenedSession { map, edits: Edits::new(history, lowest), saves, warnings })
}
