//! A real tile, compared with figures from an independent reader.
//!
//! The tile `../shared/data/dem/S33W071_1201.r16` (or in `STONERUN_DATA`) is not part of the
//! project; if it is absent, the test prints so and passes. The figures come from a Python script
//! that uses only the standard library: heights by `struct`, blocks as 4 + (height - 250) // 18.

use crate::ignore_progress;
use glam::IVec3;
use std::path::PathBuf;
use stonerun_engine::voxel::Voxel;

const HIGHEST_TOP: i32 = 375;
const ALL_BLOCKS: u64 = 178062879;
/// Column and row of Aconcagua.
const PEAK: [i32; 2] = [1187, 784];
/// Column and row of the tile, and the height of its ground in blocks.
const TOPS: [(i32, i32, i32); 14] = [
    (0, 0, 53),
    (1200, 0, 255),
    (0, 1200, 54),
    (1200, 1200, 246),
    (600, 600, 76),
    (1, 0, 54),
    (0, 1, 53),
    (31, 32, 110),
    (32, 31, 110),
    (777, 123, 186),
    (123, 777, 55),
    (1199, 1200, 246),
    (1187, 784, 375),
    (0, 537, 4),
];

fn tile() -> Option<PathBuf> {
    let folder = std::env::var_os("STONERUN_DATA").map_or_else(
        || concat!(env!("CARGO_MANIFEST_DIR"), "/../../../shared/data").into(),
        PathBuf::from,
    );
    Some(folder.join("dem/S33W071_1201.r16")).filter(|path| path.is_file())
}

#[test]
fn aconcagua_tile_matches_independent_figures() {
    let Some(path) = tile() else {
        println!("skipped: shared/data/dem is missing");
        return;
    };
    let imported = crate::import(&path, &mut ignore_progress).unwrap();
    assert_eq!(imported.warnings, Vec::<String>::new());
    assert_eq!(imported.bounds.min, IVec3::new(-576, 0, -576));
    assert_eq!(imported.bounds.max, IVec3::new(625, HIGHEST_TOP, 625));
    assert_eq!(imported.voxels, ALL_BLOCKS);
    for (x, z, top) in TOPS {
        let x = x - 576;
        let z = z - 576;
        let solid = |y: i32| {
            !matches!(imported.world.get(IVec3::new(x, y, z)), Voxel::AIR | Voxel::NOT_LOADED)
        };
        assert!(solid(top - 1) && !solid(top) && solid(0), "{x} {z}");
    }
    let top = imported.materials.get(
        imported.world.get(IVec3::new(PEAK[0] - 576, HIGHEST_TOP - 1, PEAK[1] - 576)).material(),
    );
    assert!(["snow", "stone"].contains(&&*top.unwrap().name), "{top:?}");
}
