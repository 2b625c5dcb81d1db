//! Imports of other programs' files from the disk, as in the game.

use super::{check_memory, counting};
use std::path::Path;
use stonerun_engine::metrics::WorldStats;
use stonerun_engine::world::matter_bounds;
use stonerun_exchange::Imported;
use stonerun_exchange::export::{Export, ExportFormat, SceneBuilder};
use stonerun_lab::pvs::read_matrix;
use tempfile::TempDir;

thread_local! {
    /// Folder of this thread's files. Each file replaces the previous one.
    static FOLDER: TempDir = tempfile::tempdir().expect("a folder for files to import");
}

/// Writes the bytes to a file with this name, and passes its path to `read`.
pub fn with_file<T>(name: &str, bytes: &[u8], read: impl FnOnce(&Path) -> T) -> T {
    FOLDER.with(|folder| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("the file is written");
        read(&path)
    })
}

/// Asserts that an error is one line that starts with the file's path.
pub fn check_error(error: &str, path: &Path) {
    assert!(
        error.starts_with(&path.display().to_string()),
        "it does not start with the file: {error}"
    );
    assert!(!error.contains(char::is_control) && error.len() < 2000, "not one line: {error:?}");
}

pub fn import(extension: &str, bytes: &[u8]) {
    with_file(&format!("input.{extension}"), bytes, |path| {
        let (imported, most) = counting::most(|| {
            stonerun_exchange::import(path, &mut stonerun_exchange::ignore_progress)
        });
        match imported {
            Ok(imported) => {
                let chunks =
                    imported.world.chunks().map(|(_, chunk)| chunk.heap_bytes()).sum::<usize>();
                // A hash table grows by doubling, and both versions exist for a moment.
                check_memory(most, bytes, (chunks + imported.world.len() * 64) as u64);
                check_world(&imported, path);
                if ExportFormat::for_path(path).is_some() {
                    check_export(imported, extension);
                }
            }
            Err(error) => {
                check_memory(most, bytes, 0);
                check_error(&error.to_string(), path);
            }
        }
    });
}

fn check_world(imported: &Imported, path: &Path) {
    let Imported { world, bounds, voxels, materials, warnings, .. } = imported;
    for (pos, chunk) in world.chunks() {
        chunk.check().unwrap();
        let matter = matter_bounds(pos, chunk).expect("an imported chunk holds matter");
        assert!(pos.in_world() && bounds.intersection(matter) == matter, "chunk {pos} is outside");
        let known = |run: stonerun_engine::runs::Run| materials.get(run.voxel.material()).is_some();
        assert!(chunk.runs().all(known), "chunk {pos} has an invalid material");
    }
    assert_eq!(WorldStats::from_world(world).sum.nonempty, *voxels);
    for warning in warnings.iter() {
        check_error(warning, path);
    }
}

/// Exports an import to the same format, and imports it again.
fn check_export(imported: Imported, extension: &str) {
    /// Maximum number of chunks of an exported world; larger worlds take too long.
    const MAX_CHUNKS: usize = 4;
    if imported.world.len() > MAX_CHUNKS {
        return;
    }
    let mut builder = SceneBuilder::new(None);
    for (pos, chunk) in imported.world.chunks() {
        builder.add(pos, chunk.clone());
    }
    let scene = builder.finish(imported.materials).expect("an import holds matter");
    FOLDER.with(|folder| {
        let path = folder.path().join(format!("output.{extension}"));
        Export::begin(&path, true)
            .unwrap()
            .write(&scene, &mut stonerun_exchange::ignore_progress)
            .unwrap();
        let again =
            stonerun_exchange::import(&path, &mut stonerun_exchange::ignore_progress).unwrap();
        assert_eq!(again.voxels, imported.voxels);
        assert_eq!(again.bounds.max - again.bounds.min, imported.bounds.max - imported.bounds.min);
    });
}

/// Reads the visibility of compiled maps and of `.pvs` files.
pub fn matrix(extension: &str, bytes: &[u8]) {
    with_file(&format!("input.{extension}"), bytes, |path| {
        let (matrix, most) = counting::most(|| read_matrix(path));
        match matrix {
            Ok(matrix) => {
                check_memory(most, bytes, (matrix.cells() * matrix.row_words() * 8) as u64);
                assert!(matrix.visible_pairs() <= (matrix.cells() * matrix.cells()) as u64);
            }
            Err(error) => {
                check_memory(most, bytes, 0);
                check_error(&error.to_string(), path);
            }
        }
    });
}
