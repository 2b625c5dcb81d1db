//! A file of the library as a clipboard.

use super::library;
use glam::IVec3;
use std::path::{Path, PathBuf};
use stonerun_engine::edit::clipboard::Clipboard;
use stonerun_engine::edit::region::Region;
use stonerun_engine::save::{BLUEPRINT_EXTENSION, Blueprint, BlueprintError};
use stonerun_engine::voxel::{Box3, MaterialError, MaterialTable};
use stonerun_exchange::{ImportError, Progress, import};

/// A blueprint that was loaded.
pub struct LoadedBlueprint {
    /// Voxels of the blueprint, with the materials of `materials`.
    pub clipboard: Clipboard,
    /// The map's materials, followed by those that the blueprint adds.
    pub materials: MaterialTable,
    /// Parts that could not be read, one line each.
    pub warnings: Vec<String>,
}

/// Error of loading a file. Every message names the file.
#[derive(thiserror::Error, Debug)]
pub enum LoadError {
    /// A file of the game's own format cannot be loaded.
    #[error(transparent)]
    Blueprint(#[from] BlueprintError),
    /// A file of another program cannot be imported.
    #[error(transparent)]
    Import(#[from] ImportError),
    /// A file that holds a world, or is of an unknown kind.
    #[error("{}: not a blueprint, a schematic or a model", .0.display())]
    Unknown(PathBuf),
    /// A file cannot be copied into the library.
    #[error("{}: {source}", path.display())]
    Add {
        /// The file.
        path: PathBuf,
        /// Reason.
        source: std::io::Error,
    },
    /// The map has no room for the materials.
    #[error("{}: {source}", path.display())]
    Materials {
        /// The file.
        path: PathBuf,
        /// Reason.
        source: MaterialError,
    },
}

/// Loads a file for a map with these materials. The origin of another program's model is the middle
/// of its floor.
///
/// # Errors
/// The file cannot be read, or the map has no room for its materials; `progress` cancels imports.
pub fn load(
    path: &Path,
    materials: &MaterialTable,
    progress: &mut Progress,
) -> Result<LoadedBlueprint, LoadError> {
    if !library::is_blueprint(path) {
        return Err(LoadError::Unknown(path.to_owned()));
    }
    let mut materials = materials.clone();
    let full = |source| LoadError::Materials { path: path.to_owned(), source };
    if path.extension().is_some_and(|extension| extension.eq_ignore_ascii_case(BLUEPRINT_EXTENSION))
    {
        let clipboard =
            Clipboard::from_blueprint(&Blueprint::load(path)?, &mut materials).map_err(full)?;
        return Ok(LoadedBlueprint { clipboard, materials, warnings: Vec::new() });
    }
    let imported = import(path, progress)?;
    let chunks = imported.world.chunks().map(|(pos, chunk)| (pos, chunk.clone()));
    let region = Region::from_shape(&imported.bounds);
    let origin = floor_centre(imported.bounds);
    let clipboard =
        Clipboard::with_materials(chunks, region, origin, &imported.materials, &mut materials)
            .map_err(full)?;
    let lost = (!imported.losses.is_empty())
        .then(|| format!("{}: not imported: {}", path.display(), imported.losses));
    let warnings = imported.warnings.into_iter().chain(lost).collect();
    Ok(LoadedBlueprint { clipboard, materials, warnings })
}

/// The voxel in the middle of the lowest layer.
fn floor_centre(bounds: Box3) -> IVec3 {
    (bounds.min + bounds.size() / 2).with_y(bounds.min.y)
}

#[cfg(test)]
mod tests {
    use super::*;
    use stonerun_engine::edit::{JobProgress, Mask, VoxelEdit};
    use stonerun_engine::voxel::{ChunkPos, Material, Voxel};
    use stonerun_engine::world::{Chunk, World};
    use stonerun_exchange::ignore_progress;

    #[test]
    fn blueprint_loads_with_the_materials_that_the_map_lacks() {
        let mut theirs = MaterialTable::builtin();
        let own = theirs.add(Material::unknown("velvet")).unwrap();
        let mut world = World::new();
        world.insert(ChunkPos::default(), Chunk::uniform(Voxel::full(own)));
        let progress = JobProgress::default();
        let area = Box3 { min: IVec3::ZERO, max: IVec3::new(3, 4, 5) };
        let edit = VoxelEdit::new(&world, 0, &progress);
        let clipboard = edit.copy(&Region::from_shape(&area), &Mask::Any, IVec3::ONE).unwrap();
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("cloth.blueprint");
        clipboard.to_blueprint(&theirs).save(&path, false).unwrap();
        let map = MaterialTable::builtin();
        let loaded = load(&path, &map, &mut ignore_progress).unwrap();
        let velvet = loaded.materials.find("velvet").expect("it was added");
        assert_eq!((loaded.clipboard.volume(), loaded.materials.len()), (60, map.len() + 1));
        assert_eq!(loaded.clipboard.voxel(IVec3::NEG_ONE), Some(Voxel::full(velvet)));
        assert!(
            map.iter().all(|(id, material)| loaded.materials.get(id) == Some(material)),
            "indices stay"
        );
    }

    #[test]
    fn files_that_cannot_be_pasted_are_named() {
        let folder = tempfile::tempdir().unwrap();
        for (name, reason) in [
            ("heights.png", "not a blueprint"),
            ("none.blueprint", "no such file"),
            ("bad.blueprint", "not a blueprint"),
        ] {
            let path = folder.path().join(name);
            if name.starts_with("bad") {
                std::fs::write(&path, "something else").unwrap();
            }
            let Err(error) = load(&path, &MaterialTable::builtin(), &mut ignore_progress) else {
                panic!("{name} must be refused");
            };
            let message = error.to_string();
            assert!(message.contains(name) && message.contains(reason), "{message}");
        }
    }
}
