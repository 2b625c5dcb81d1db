//! Small files written by GDAL and by a picture editor (in `tests/corpus`), with the expected size
//! of each map.

use super::*;
use std::path::Path;

/// Imports a file of the corpus, where it is stored without its extension.
fn imported(kind: &str, name: &str) -> Imported {
    let stored =
        Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus").join(kind).join(name);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join(name).with_extension(kind);
    std::fs::copy(stored, &path).unwrap();
    crate::import(&path, &mut ignore_progress).unwrap()
}

fn size(imported: &Imported) -> [i32; 3] {
    imported.bounds.size().to_array()
}

/// Height of the ground of each column, row by row.
fn tops(imported: &Imported) -> Vec<i32> {
    let bounds = imported.bounds;
    let rows = (bounds.min.z..bounds.max.z)
        .flat_map(|z| (bounds.min.x..bounds.max.x).map(move |x| (x, z)));
    rows.map(|(x, z)| column(imported, x, z, bounds.min.y).len() as i32).collect()
}

fn has_water(imported: &Imported) -> bool {
    let water = imported.materials.find("water");
    imported
        .world
        .chunks()
        .any(|(_, chunk)| chunk.runs().any(|run| Some(run.voxel.material()) == water))
}

/// Number of columns whose ground is more than `distance` blocks above or below the same column of
/// `other`.
fn differing(imported: &Imported, other: &Imported, distance: i32) -> usize {
    tops(imported).iter().zip(tops(other)).filter(|(a, b)| (*a - b).abs() > distance).count()
}

#[test]
fn voids_masks_scale_and_south_up_become_the_same_ramp() {
    let ramp = imported("tif", "heights-ramp");
    assert_eq!((size(&ramp), has_water(&ramp), ramp.warnings.len()), ([64, 184, 40], false, 0));
    let heights = tops(&ramp);
    assert!(
        heights[0] < heights[63] && heights[0] < heights[39 * 64],
        "it rises to the east and to the south"
    );
    for (name, filled) in [
        ("heights-undeclared-void", 40),
        ("heights-mask", 40),
        ("heights-scale-and-offset", 0),
        ("heights-south-up", 0),
    ] {
        let imported = imported("tif", name);
        assert_eq!((size(&imported), has_water(&imported)), ([64, 184, 40], false), "{name}");
        // The void is filled from the cells around it, so it is close to the ramp.
        assert_eq!(differing(&imported, &ramp, 10), 0, "{name}");
        assert!(differing(&imported, &ramp, 0) <= filled, "{name}");
        let counted = format!(
            "{filled} of 2560 cells have no height; they are filled from those around them"
        );
        match filled {
            0 => assert_eq!(imported.warnings, Vec::<String>::new(), "{name}"),
            _ => assert!(
                imported.warnings.len() == 1 && imported.warnings[0].contains(&counted),
                "{imported:?}"
            ),
        }
    }
    let undeclared = imported("tif", "heights-undeclared-void");
    assert!(
        undeclared.warnings[0]
            .ends_with("; 40 of them hold -32768, which the file does not declare as \"no data\"")
    );
}

#[test]
fn missing_tiles_are_filled() {
    let sparse = imported("tif", "heights-sparse");
    assert_eq!((size(&sparse), has_water(&sparse)), ([64, 66, 64], false));
    assert_eq!(sparse.warnings.len(), 1);
    assert!(
        sparse.warnings[0].contains("3072 of 4096 cells have no height"),
        "{:?}",
        sparse.warnings
    );
}

#[test]
fn greys_saved_as_colours_become_the_same_map() {
    let grey = imported("png", "heights-grey");
    assert_eq!((size(&grey), grey.warnings.len()), ([64, 184, 40], 0));
    for name in ["heights-grey-as-rgb", "heights-grey-as-rgba"] {
        let colours = imported("png", name);
        assert_eq!(
            (colours.bounds, colours.voxels, colours.warnings.len()),
            (grey.bounds, grey.voxels, 0),
            "{name}"
        );
        assert_eq!(differing(&colours, &grey, 0), 0, "{name}");
    }
}
