//! Reading of inputs from files. Damaged files are refused, because their figures would describe
//! only a part of them.

use super::InputError;
use std::ops::ControlFlow;
use std::path::Path;
use stonerun_engine::save::MapFile;
use stonerun_engine::save::catalogue::EXTENSION;
use stonerun_engine::voxel::{ChunkPos, MaterialTable};
use stonerun_engine::world::{Chunk, World};
use stonerun_exchange::Imported;

/// True if `path` has the extension of a map file.
#[must_use]
pub fn is_map(path: &Path) -> bool {
    path.extension().is_some_and(|extension| extension == EXTENSION)
}

/// Name of an input in the tables: the name of a file without its extension, or the full name of a
/// folder (`World 1.20.1` has no extension).
#[must_use]
pub fn input_name(path: &Path) -> String {
    if path.is_dir() {
        // Resolves `.` and `..`, which have no name.
        let folder = path.canonicalize().unwrap_or_else(|_| path.to_owned());
        return folder.file_name().unwrap_or(folder.as_os_str()).to_string_lossy().into_owned();
    }
    path.file_stem().unwrap_or_default().to_string_lossy().into_owned()
}

/// Opens a map file for reading.
///
/// # Errors
/// The map cannot be read or is damaged.
pub fn open_undamaged(path: &Path) -> Result<MapFile, InputError> {
    let opened = MapFile::open_read_only(path)?;
    match opened.damage {
        Some(damage) => Err(InputError::DamagedMap(Box::new(damage))),
        None => Ok(opened.map),
    }
}

/// Imports a file or folder. `progress` receives the completed share, from 0 to 1.
///
/// # Errors
/// The file cannot be read, or a part of it is damaged.
pub fn import_undamaged(
    path: &Path,
    progress: &mut dyn FnMut(f32),
) -> Result<Imported, InputError> {
    let imported = stonerun_exchange::import(path, &mut |done| {
        progress(done);
        ControlFlow::Continue(())
    })?;
    match imported.warnings.first() {
        Some(warning) => Err(InputError::DamagedSource { warning: warning.clone() }),
        None => Ok(imported),
    }
}

/// Reads a whole map or importable file, and its materials. `progress` receives the completed
/// share, from 0 to 1.
///
/// # Errors
/// The file cannot be read, or a part of it is damaged.
pub fn read_world(
    path: &Path,
    progress: &mut dyn FnMut(f32),
) -> Result<(World, MaterialTable), InputError> {
    if !is_map(path) {
        let imported = import_undamaged(path, progress)?;
        return Ok((imported.world, imported.materials));
    }
    let map = open_undamaged(path)?;
    let positions = map.positions();
    let mut world = World::new();
    for (i, &pos) in positions.iter().enumerate() {
        if let Some(chunk) = map.load(pos)? {
            world.insert(pos, chunk);
        }
        progress((i + 1) as f32 / positions.len() as f32);
    }
    Ok((world, map.materials().clone()))
}

/// Passes each chunk of a map or of an importable file to `visit`. Chunks of a map are loaded one
/// by one, so memory does not limit the size of a map. `progress` receives the completed share,
/// from 0 to 1.
///
/// # Errors
/// The file cannot be read, or a part of it is damaged.
pub fn for_each_chunk(
    path: &Path,
    progress: &mut dyn FnMut(f32),
    visit: &mut dyn FnMut(ChunkPos, Chunk),
) -> Result<(), InputError> {
    if is_map(path) {
        let map = open_undamaged(path)?;
        let positions = map.positions();
        for (i, &pos) in positions.iter().enumerate() {
            if let Some(chunk) = map.load(pos)? {
                visit(pos, chunk);
            }
            progress((i + 1) as f32 / positions.len() as f32);
        }
        return Ok(());
    }
    // Importing and visiting take about the same time.
    let imported = import_undamaged(path, &mut |done| progress(done * 0.5))?;
    let count = imported.world.len();
    for (i, (pos, chunk)) in imported.world.chunks().enumerate() {
        visit(pos, chunk.clone());
        progress(0.5 + 0.5 * (i + 1) as f32 / count as f32);
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::NumberedWorld;
    use stonerun_engine::save::{Header, MapChanges};
    use stonerun_engine::voxel::Voxel;

    #[test]
    fn input_name_drops_extension_of_files_only() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().join("World 1.20.1");
        std::fs::create_dir_all(folder.join("region")).unwrap();
        assert_eq!(input_name(&folder), "World 1.20.1");
        assert_eq!(input_name(&folder.join("region/..")), "World 1.20.1");
        let here = std::env::current_dir().unwrap();
        assert_eq!(input_name(Path::new(".")), here.file_name().unwrap().to_string_lossy());
        assert!(!input_name(Path::new("/")).is_empty());
        for (file, name) in [("r.0.0.mca", "r.0.0"), ("saves/v1.2.stonerun", "v1.2")] {
            assert_eq!(input_name(Path::new(file)), name);
        }
    }

    #[test]
    fn map_input_reports_progress_per_chunk() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("map.stonerun");
        let header = Header::new(0, "void", 0);
        let chunks =
            (0..4).map(|x| (ChunkPos::new(x, 0, 0), Chunk::uniform(Voxel::full(1)))).collect();
        let changes = MapChanges::new(chunks, header, MaterialTable::builtin());
        MapFile::create(&path, &changes.header, &changes.materials)
            .unwrap()
            .save(&changes)
            .unwrap();
        let mut reported = Vec::new();
        let input = NumberedWorld::from_file(&path, &mut |done| reported.push(done)).unwrap();
        assert_eq!((input.name.as_str(), input.world.len()), ("map", 4));
        assert_eq!(reported, [0.25, 0.5, 0.75, 1.0]);
    }
}
