//! Export of a map, from its file or while it is open.

use super::export::{Export, ExportError, Exported};
use super::progress::Progress;
use super::scene::SceneBuilder;
use rustc_hash::FxHashMap;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use stonerun_engine::save::{MapFile, MapReader, SaveError};
use stonerun_engine::voxel::{Box3, ChunkPos, MaterialTable};
use stonerun_engine::world::Chunk;

/// The map to export.
#[derive(Clone)]
pub enum ExportSource {
    /// The file of a map.
    File(PathBuf),
    /// The open map.
    Open {
        /// Reads the saved chunks.
        reader: MapReader,
        /// Chunks that differ from the map's file.
        unsaved: Arc<FxHashMap<ChunkPos, Chunk>>,
        /// Materials of the map.
        materials: Arc<MaterialTable>,
    },
}

/// Error of [`export_map()`]. The target is unchanged.
#[derive(thiserror::Error, Debug)]
pub enum ExportMapError {
    /// The map cannot be read.
    #[error(transparent)]
    Map(#[from] SaveError),
    /// The target cannot be written, or the export was cancelled.
    #[error(transparent)]
    Export(#[from] ExportError),
    /// The map or the box holds only air.
    #[error("{}", if *in_box { "the box is empty" } else { "the map is empty" })]
    OnlyAir {
        /// True if the box is empty, false if the whole map is.
        in_box: bool,
    },
}

/// Share of the progress for reading the map; the rest is for writing.
const READING: f32 = 0.4;

/// Exports a map, or `area` of it, to `target`. With `force` an existing file is replaced.
/// Unreadable chunks are left out with a warning.
///
/// # Errors
/// The map cannot be read or is empty, the target cannot be written, or `progress`
/// cancels.
pub fn export_map(
    source: ExportSource,
    area: Option<Box3>,
    target: &Path,
    force: bool,
    progress: &mut Progress,
) -> Result<Exported, ExportMapError> {
    // Checked before the map is read, which takes long for large maps.
    let export = Export::begin(target, force)?;
    let cancelled = || ExportError::Cancelled { file: target.to_owned() };
    let mut warnings = Vec::new();
    let (reader, unsaved, materials, _file) = match source {
        ExportSource::Open { reader, unsaved, materials } => (reader, unsaved, materials, None),
        ExportSource::File(path) => {
            let opened = MapFile::open_read_only(&path)?;
            warnings.extend(opened.damage.iter().map(ToString::to_string));
            let materials = Arc::new(opened.map.materials().clone());
            (opened.map.reader()?, Arc::default(), materials, Some(opened.map))
        }
    };
    let mut builder = SceneBuilder::new(area);
    let mut positions: Vec<ChunkPos> = unsaved.keys().copied().collect();
    positions.extend(reader.positions().into_iter().filter(|pos| !unsaved.contains_key(pos)));
    positions.retain(|&pos| builder.needs(pos));
    for (i, &pos) in positions.iter().enumerate() {
        if progress(READING * i as f32 / positions.len() as f32).is_break() {
            return Err(cancelled().into());
        }
        let chunk =
            unsaved.get(&pos).cloned().map_or_else(|| reader.load(pos), |chunk| Ok(Some(chunk)));
        match chunk {
            Ok(Some(chunk)) => builder.add(pos, chunk),
            Ok(None) => {}
            Err(error) => warnings.push(format!("{error}; it is left out")),
        }
    }
    let scene = builder
        .finish((*materials).clone())
        .ok_or(ExportMapError::OnlyAir { in_box: area.is_some() })?;
    let mut exported =
        export.write(&scene, &mut |done| progress(READING + (1.0 - READING) * done))?;
    exported.warnings.splice(0..0, warnings);
    Ok(exported)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::import;
    use crate::progress::ignore_progress;
    use glam::IVec3;
    use std::ops::ControlFlow;
    use stonerun_engine::save::{Header, MapChanges};
    use stonerun_engine::voxel::Voxel;

    /// A map of two stone chunks along x.
    fn stones(folder: &Path) -> PathBuf {
        let path = folder.join("stones.stonerun");
        let header = Header::new(1, "void", 0);
        let materials = MaterialTable::builtin();
        let mut map = MapFile::create(&path, &header, &materials).unwrap();
        let stone = Chunk::uniform(Voxel::full(materials.find("stone").unwrap()));
        let chunks = [0, 1].map(|x| (ChunkPos::new(x, 0, 0), stone.clone())).to_vec();
        map.save(&MapChanges::new(chunks, header, materials)).unwrap();
        map.close().unwrap();
        path
    }

    #[test]
    fn open_map_is_exported_with_its_unsaved_chunks() {
        let folder = tempfile::tempdir().unwrap();
        let map = MapFile::open(&stones(folder.path())).unwrap().map;
        let unsaved: FxHashMap<_, _> = [
            // Dug away and built on since the last save.
            (ChunkPos::new(1, 0, 0), Chunk::uniform(Voxel::AIR)),
            (ChunkPos::new(0, 1, 0), Chunk::uniform(Voxel::full(1))),
        ]
        .into_iter()
        .collect();
        let source = ExportSource::Open {
            reader: map.reader().unwrap(),
            unsaved: Arc::new(unsaved),
            materials: Arc::new(map.materials().clone()),
        };
        let target = folder.path().join("all.vox");
        export_map(source.clone(), None, &target, false, &mut ignore_progress).unwrap();
        let read = import(&target, &mut ignore_progress).unwrap();
        assert_eq!((read.voxels, read.bounds.size()), (2 * 32 * 32 * 32, IVec3::new(32, 64, 32)));

        let area = Box3 { min: IVec3::new(30, 30, 0), max: IVec3::new(34, 33, 2) };
        let target = folder.path().join("box.vox");
        export_map(source.clone(), Some(area), &target, false, &mut ignore_progress).unwrap();
        assert_eq!(import(&target, &mut ignore_progress).unwrap().voxels, 2 * 3 * 2);

        let area = Box3 { min: IVec3::new(40, 0, 0), max: IVec3::new(50, 8, 8) };
        let target = folder.path().join("air.vox");
        let error =
            export_map(source, Some(area), &target, false, &mut ignore_progress).unwrap_err();
        assert!(matches!(error, ExportMapError::OnlyAir { in_box: true }), "{error}");
        assert!(!target.exists());
    }

    #[test]
    fn cancelled_export_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let source = ExportSource::File(stones(folder.path()));
        let target = folder.path().join("a.glb");
        for limit in [0.1, 0.9] {
            let mut cancel = |done| {
                if done < limit { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
            };
            let error = export_map(source.clone(), None, &target, false, &mut cancel).unwrap_err();
            assert!(
                matches!(error, ExportMapError::Export(ExportError::Cancelled { .. })),
                "{error}"
            );
            assert_eq!(
                std::fs::read_dir(folder.path()).unwrap().count(),
                1,
                "only the map is left"
            );
        }
        export_map(source, None, &target, false, &mut ignore_progress).unwrap();
        assert!(target.exists());
    }
}
