//! Import of real `.vox` files, which are not part of the project.
//!
//! The files lie in `../shared/data/vox` (or in `STONERUN_DATA`). The test of a missing file prints
//! a note and passes.

use crate::ignore_progress;
use glam::IVec3;
use std::path::PathBuf;
use stonerun_engine::voxel::MaterialTable;

/// Path of a file of the test data; `None` if it is missing.
pub(super) fn data(name: &str) -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA").map_or_else(
        || PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data")),
        PathBuf::from,
    );
    let path = folder.join("vox").join(name);
    if !path.exists() {
        println!("skipped: {} is missing", path.display());
    }
    path.exists().then_some(path)
}

#[test]
fn axes_file_is_imported_as_designed() {
    let Some(path) = data("dotvox_axes.vox") else { return };
    let mut last = 0.0;
    let imported = crate::import(&path, &mut |p| {
        assert!(p >= last, "progress never decreases");
        last = p;
        ignore_progress(p)
    })
    .unwrap();
    assert_eq!(last, 1.0);
    // The scene has ten instances of four models, and none of them overlap.
    assert_eq!(imported.voxels, 3 * 920 + 3 * 1640 + 3 * 1480 + 332);
    assert_eq!(imported.materials.len(), MaterialTable::builtin().len() + 4);
    // The outermost parts, in MagicaVoxel's axes: x from the letters Y at -20 to the letters X at
    // 173 + 47 + 20, y from the frame at -16 to the letters Z, two deep, at 188 + 59 + 2, z from 0
    // to the letters Y at 131 + 48 + 20.
    assert_eq!(imported.bounds.size(), IVec3::new(20 + 240, 199, 16 + 249));
    // The diagonal stroke of a letter Z runs from the lower left to the upper right, seen from the
    // front. The farthest Z is at MagicaVoxel's y = 188 + 59, with x from -20 to 20 and z from 0 to
    // 40.
    let west = imported.bounds.min.x + 20;
    let south = imported.bounds.max.z - 16;
    let column = |height: i32| {
        let z = south - 1 - (188 + 59);
        let filled: Vec<i32> = (-20..20)
            .filter(|x| !imported.world.get(IVec3::new(west + x, height, z)).is_air())
            .collect();
        assert!(!filled.is_empty(), "nothing at height {height}");
        filled.iter().sum::<i32>() / filled.len() as i32
    };
    assert!(column(10) < -4 && column(30) > 4, "{} at height 10, {} at 30", column(10), column(30));
}

#[test]
fn materials_file_keeps_colours_and_positions() {
    let Some(path) = data("dotvox_placeholder-with-materials.vox") else { return };
    let imported = crate::import(&path, &mut ignore_progress).unwrap();
    assert_eq!((imported.voxels, imported.bounds.size()), (4, IVec3::splat(2)));
    // The file has green at (0, 0, 0), red (a metal) at (0, 1, 1), blue at (1, 0, 1) and yellow at
    // (1, 1, 0).
    for (x, y, z, name) in
        [(-1, 0, 0, "00ee00"), (-1, 1, -1, "ee0000"), (0, 1, 0, "0000ee"), (0, 0, -1, "ffff00")]
    {
        let voxel = imported.world.get(IVec3::new(x, y, z));
        assert_eq!(
            imported.materials.get(voxel.material()).unwrap().name,
            format!("vox:#{name}"),
            "{x} {y} {z}"
        );
    }
}

#[test]
fn file_without_signature_is_refused() {
    let Some(path) = data("dotvox_not_a.vox") else { return };
    let error = crate::import(&path, &mut ignore_progress).unwrap_err().to_string();
    assert!(error.contains("dotvox_not_a.vox: byte 0: this is not a MagicaVoxel file"), "{error}");
}
