//! Heightmap files, and the terrain built from them.

mod cases;
mod fixture;
mod hostile;
mod orientation;
mod pictures;
mod real;
mod values;
mod voids;

use super::grid::HeightGrid;
use super::read::build;
use super::*;
use crate::{FormatError, ImportError, Imported, chunk_store::in_memory, ignore_progress};
use fixture::{Tiff, palette_png, palette_tiff, png_file, png_of, small_png};
use glam::IVec3;
use std::io::Write;
use stonerun_engine::metrics::WorldStats;
use stonerun_engine::voxel::Voxel;

/// Pseudorandom heights.
fn heights(count: u32) -> Vec<u16> {
    (0..count).map(|i| (i.wrapping_mul(2_654_435_761) >> 16) as u16 % 200).collect()
}

fn floats(list: &[u16]) -> Vec<f32> {
    list.iter().map(|n| f32::from(*n)).collect()
}

fn grid(width: usize, heights: Vec<f32>, has_sea_level: bool) -> HeightGrid {
    HeightGrid {
        width,
        depth: heights.len() / width,
        heights,
        has_sea_level,
        ..HeightGrid::default()
    }
}

/// The terrain of a grid, in memory.
fn import_grid(grid: HeightGrid, options: HeightmapOptions) -> Result<Imported, FormatError> {
    in_memory(|target| build(grid, options, target, &mut ignore_progress))
}

fn import_at(grid: HeightGrid, metres: f64) -> Imported {
    import_grid(grid, HeightmapOptions { metres_per_block: Some(metres) }).unwrap()
}

/// Names and occupancies of the voxels of a column from height `from` up to the first air.
fn column(imported: &Imported, x: i32, z: i32, from: i32) -> Vec<(&str, u8)> {
    let mut all = vec![];
    for y in from.. {
        let voxel = imported.world.get(IVec3::new(x, y, z));
        if voxel.is_air() || voxel == Voxel::NOT_LOADED {
            return all;
        }
        all.push((&*imported.materials.get(voxel.material()).unwrap().name, voxel.occupancy()));
    }
    all
}

#[test]
fn raw_heights_are_read_in_their_byte_order() {
    let list = heights(49);
    let file: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
    let grid = raw::read(&file).unwrap();
    assert_eq!((grid.width, grid.depth, grid.cell_metres, grid.has_sea_level), (7, 7, None, false));
    assert_eq!(grid.heights, floats(&list));
    assert_eq!(raw::read(&[0x34, 0x12]).unwrap().heights, [4660.0]);
    // An SRTM tile has signed heights, voids and a known cell width.
    let mut tile = vec![0; 1201 * 1201 * 2];
    tile[..6].copy_from_slice(&[0x12, 0x34, 0xFF, 0xFE, 0x80, 0]);
    let grid = hgt::read(&tile).unwrap();
    assert_eq!((grid.width, grid.depth, grid.has_sea_level), (1201, 1201, true));
    assert!(grid.heights[..2] == [4660.0, -2.0] && grid.heights[2].is_nan());
    assert!((grid.cell_metres.unwrap() - 92.8).abs() < 0.1, "{:?}", grid.cell_metres);
}

#[test]
fn png_of_both_depths_is_read() {
    let list = heights(15);
    for wide in [false, true] {
        let grid = png::read(&png_file(5, 3, &list, wide)).unwrap();
        assert_eq!((grid.width, grid.depth, grid.has_sea_level), (5, 3, false));
        assert_eq!(grid.heights, floats(&list), "{wide}");
    }
    assert_eq!(
        png::read(&png_file(1, 1, &[0xFEDC], true)).unwrap().heights,
        [f32::from(0xFEDC_u16)]
    );
}

#[test]
fn tiff_of_every_value_type_is_read() {
    let list = heights(35);
    type Bytes = fn(u16, bool) -> Vec<u8>;
    macro_rules! of {
        ($kind:ty, $sign:expr) => {
            |n, big| {
                let n = n as $kind - $sign as $kind;
                if big { n.to_be_bytes().to_vec() } else { n.to_le_bytes().to_vec() }
            }
        };
    }
    let kinds: [(u16, u16, f32, Bytes); 7] = [
        (8, 1, 0.0, of!(u8, 0)),
        (16, 1, 0.0, of!(u16, 0)),
        (32, 1, 0.0, of!(u32, 0)),
        (16, 2, 100.0, of!(i16, 100)),
        (32, 2, 100.0, of!(i32, 100)),
        (32, 3, 100.0, of!(f32, 100)),
        (64, 3, 100.0, of!(f64, 100)),
    ];
    for (bits, format, below, bytes) in kinds {
        for big in [false, true] {
            // Five rows of seven cells, in strips of two rows.
            let parts = list
                .chunks(14)
                .map(|part| part.iter().flat_map(|n| bytes(*n, big)).collect())
                .collect();
            let tiff = Tiff::strips(big, [7, 5], bits, format, 2, parts);
            let grid = geotiff::read(&tiff.file()).unwrap();
            let expected: Vec<f32> = list.iter().map(|n| f32::from(*n) - below).collect();
            assert_eq!(
                (grid.width, grid.depth, grid.has_sea_level),
                (7, 5, format != 1),
                "{bits} {format}"
            );
            assert_eq!(grid.heights, expected, "{bits} {format} {big}");
        }
    }
}

#[test]
fn small_greys_and_palettes_are_read() {
    // One step of grey is one metre, whatever the number of bits.
    assert_eq!(png::read(&small_png()).unwrap().heights, [0.0, 1.0, 2.0, 15.0, 7.0]);
    let grid = png::read(&palette_png(&[9; 3])).unwrap();
    assert_eq!((grid.width, grid.heights), (3, vec![0.0, 100.0, 9.0, 255.0, 9.0, 100.0]));
    let grid = geotiff::read(&palette_tiff([9; 3])).unwrap();
    assert_eq!((grid.width, grid.heights), (3, vec![0.0, 17.0, 9.0, 255.0, 238.0, 221.0]));
    // Each row of packed values begins at a byte boundary.
    for bits in 1..8u16 {
        let list: Vec<u8> = (0..14).map(|i| (i * 37 % (1 << bits)) as u8).collect();
        let pack = |row: &[u8]| {
            let set = row.iter().enumerate().flat_map(|(i, value)| {
                (0..bits).map(move |bit| {
                    (i * usize::from(bits) + usize::from(bit), value >> (bits - 1 - bit) & 1)
                })
            });
            let mut bytes = vec![0u8; (7 * usize::from(bits)).div_ceil(8)];
            for (bit, value) in set {
                bytes[bit / 8] |= value << (7 - bit % 8);
            }
            bytes
        };
        let tiff = Tiff::strips(
            false,
            [7, 2],
            bits,
            1,
            2,
            vec![[pack(&list[..7]), pack(&list[7..])].concat()],
        );
        let expected: Vec<f32> = list.iter().map(|n| f32::from(*n)).collect();
        assert_eq!(geotiff::read(&tiff.file()).unwrap().heights, expected, "{bits} bits");
    }
}

#[test]
fn big_tiff_is_read() {
    let list = heights(35);
    for big in [false, true] {
        let bytes = |n: &u16| if big { n.to_be_bytes() } else { n.to_le_bytes() };
        let parts = list.chunks(14).map(|part| part.iter().flat_map(bytes).collect()).collect();
        let tiff = Tiff::strips(big, [7, 5], 16, 1, 2, parts).doubles(33550, &[30.0, 30.0, 0.0]);
        let grid = geotiff::read(&tiff.clone().big_file()).unwrap();
        assert_eq!((grid.heights, grid.cell_metres), (floats(&list), Some(30.0)));
        // Sizes of 64 bits and of 8 bits.
        let long = |n: u64| if big { n.to_be_bytes() } else { n.to_le_bytes() }.to_vec();
        let tiff = tiff.entry(256, 16, long(7)).entry(257, 1, vec![5]);
        assert_eq!(geotiff::read(&tiff.big_file()).unwrap().heights, floats(&list));
    }
}

#[test]
fn tiff_in_tiles_is_read() {
    // 20 x 18 cells in four tiles of 16 x 16. Values outside the picture are 9999.
    let height = |x: u32, z: u32| (x * 100 + z) as u16;
    let parts = [(0, 0), (16, 0), (0, 16), (16, 16)].map(|(left, top)| {
        let at = |i: u32| (left + i % 16, top + i / 16);
        let value = |(x, z)| if x < 20 && z < 18 { height(x, z) } else { 9999 };
        (0..256).flat_map(|i| value(at(i)).to_le_bytes()).collect::<Vec<u8>>()
    });
    let grid = geotiff::read(&Tiff::tiles(false, [20, 18], 16, 1, parts.to_vec()).file()).unwrap();
    let expected: Vec<f32> = (0..360).map(|i| f32::from(height(i % 20, i / 20))).collect();
    assert_eq!(grid.heights, expected);
}

#[test]
fn compressed_tiff_is_read() {
    let list = heights(35);
    let plain: Vec<u8> = list.iter().flat_map(|n| n.to_le_bytes()).collect();
    let mut zlib = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
    zlib.write_all(&plain).unwrap();
    let deflated =
        Tiff::strips(false, [7, 5], 16, 1, 5, vec![zlib.finish().unwrap()]).short(259, &[8]);
    assert_eq!(geotiff::read(&deflated.file()).unwrap().heights, floats(&list));
    // LZW with a predictor, written by the encoder of the `tiff` crate.
    let mut file = std::io::Cursor::new(vec![]);
    let mut encoder = tiff::encoder::TiffEncoder::new(&mut file)
        .unwrap()
        .with_compression(tiff::encoder::Compression::Lzw)
        .with_predictor(tiff::tags::Predictor::Horizontal);
    encoder.write_image::<tiff::encoder::colortype::Gray16>(7, 5, &list).unwrap();
    assert_eq!(geotiff::read(&file.into_inner()).unwrap().heights, floats(&list));
}

#[test]
fn geographic_tags_give_voids_and_cell_width() {
    let plain = || {
        let list: [i16; 6] = [-9999, 1, 2, 3, 4, 5];
        Tiff::strips(
            false,
            [3, 2],
            16,
            2,
            2,
            vec![list.iter().flat_map(|n| n.to_le_bytes()).collect()],
        )
    };
    let with_no_data = |text: &str| {
        geotiff::read(&plain().entry(42113, 2, [text.as_bytes(), &[0]].concat()).file()).unwrap()
    };
    for text in ["-9999", "-9999.0 "] {
        let grid = with_no_data(text);
        assert!(grid.heights[0].is_nan() && grid.undeclared.is_empty() && grid.warnings.is_empty());
    }
    let odd = with_no_data("none");
    assert_eq!(
        (odd.undeclared.len(), odd.warnings),
        (1, vec!["its value for \"no data\", \"none\", is no number".to_owned()])
    );
    let declared = with_no_data("5");
    assert!(declared.heights[5].is_nan() && declared.heights[1..5] == [1.0, 2.0, 3.0, 4.0]);
    let cell = |tiff: Tiff| geotiff::read(&tiff.file()).unwrap().cell_metres;
    assert_eq!(cell(plain()), None);
    assert_eq!(cell(plain().doubles(33550, &[30.0, 30.0, 0.0])), Some(30.0));
    assert_eq!(cell(plain().doubles(33550, &[0.0, 30.0, 0.0])), None);
    let keys = |model: u16| [1, 1, 0, 1, 1024, 0, 1, model];
    assert_eq!(
        cell(plain().doubles(33550, &[0.01, 0.01, 0.0]).short(34735, &keys(2))),
        Some(1113.2)
    );
    assert_eq!(cell(plain().doubles(33550, &[25.0, 25.0, 0.0]).short(34735, &keys(1))), Some(25.0));
}

#[test]
fn heights_become_columns() {
    // 70 x 40 cells: three by two chunks, moved west by one chunk.
    let list: Vec<f32> =
        (0..70 * 40).map(|i| 1000.0 + (i % 70) as f32 * 2.0 + (i / 70) as f32 * 0.5).collect();
    let imported =
        import_at(HeightGrid { cell_metres: Some(10.0), ..grid(70, list.clone(), false) }, 2.5);
    let mut voxels = 0;
    for (i, height) in list.iter().enumerate() {
        let x = i as i32 % 70 - 32;
        let z = i as i32 / 70;
        let blocks = 4 + ((height - 1000.0) / 2.5).floor() as usize;
        let column = column(&imported, x, z, 0);
        assert_eq!(column.len(), blocks, "{x} {z}");
        // Ground that is neither steep nor high has three voxels of soil.
        let kinds: Vec<&str> = column.iter().rev().map(|(name, _)| *name).take(4).collect();
        assert_eq!(kinds, ["grass", "dirt", "dirt", "stone"]);
        assert!(column.iter().rev().skip(3).all(|voxel| *voxel == ("stone", 255)));
        voxels += blocks as u64;
    }
    assert_eq!(imported.voxels, voxels);
    assert_eq!(WorldStats::from_world(&imported.world).sum.nonempty, voxels);
    assert_eq!(imported.bounds.min, IVec3::new(-32, 0, 0));
    assert_eq!(imported.bounds.max, IVec3::new(38, 4 + 63, 40));
    let union = imported
        .world
        .chunks()
        .filter_map(|(pos, chunk)| stonerun_engine::world::matter_bounds(pos, chunk));
    let union = union.reduce(|a, b| stonerun_engine::voxel::Box3 {
        min: a.min.min(b.min),
        max: a.max.max(b.max),
    });
    assert_eq!(union, Some(imported.bounds));
    for (_, chunk) in imported.world.chunks() {
        chunk.check().unwrap();
    }
}

#[test]
fn sea_level_is_at_zero() {
    let list = vec![-20.0, -4.1, 0.0, 0.5, 3.0, 30.0];
    let imported = import_at(grid(6, list.clone(), true), 1.0);
    let at = |x: i32| column(&imported, x, 0, -24);
    // Four blocks of ground lie below the lowest height.
    let tops: Vec<usize> = (0..6).map(|x| at(x).len()).collect();
    assert_eq!(tops, [24, 24, 24, 24, 27, 54]);
    let upper = |x: i32| at(x).into_iter().rev().take(3).collect::<Vec<_>>();
    assert_eq!(upper(0), [("water", 223), ("water", 255), ("water", 255)]);
    assert_eq!(at(0).iter().filter(|(name, _)| *name == "water").count(), 20);
    assert_eq!(at(1).iter().filter(|(name, _)| *name == "water").count(), 5);
    // A cell of height 0 is sea too, one block deep.
    assert_eq!(at(2).iter().filter(|(name, _)| *name == "water").count(), 1);
    assert!(at(3).iter().all(|(name, _)| *name != "water"));
    // Unsigned heights have no sea level.
    let dry = import_at(grid(6, list, false), 1.0);
    assert!(dry.world.chunks().all(|(_, chunk)| {
        chunk.runs().all(|run| Some(run.voxel.material()) != dry.materials.find("water"))
    }));
    assert_eq!(column(&dry, 0, 0, 0).len(), 4);
}

#[test]
fn surface_follows_height_and_slope() {
    let top = |imported: &Imported, x: i32| column(imported, x, 0, 0).last().unwrap().0.to_owned();
    // A rise of 200 m, in cells that are 1000 m wide or of unknown width.
    let mountains = |cell_metres| {
        let list = vec![0.0, 0.0, 100.0, 120.0, 200.0, 200.0, 200.0];
        import_at(HeightGrid { cell_metres, ..grid(7, list, false) }, 1.0)
    };
    let gentle = mountains(Some(1000.0));
    let kinds = ["grass", "grass", "dry_grass", "dry_grass", "snow", "snow", "snow"];
    assert_eq!((0..7).map(|x| top(&gentle, x)).collect::<Vec<_>>(), kinds);
    assert_eq!(
        column(&gentle, 5, 0, 0).iter().rev().map(|v| v.0).take(3).collect::<Vec<_>>(),
        ["snow", "stone", "stone"]
    );
    let steep = mountains(None);
    let kinds = ["grass", "stone", "stone", "stone", "stone", "snow", "snow"];
    assert_eq!((0..7).map(|x| top(&steep, x)).collect::<Vec<_>>(), kinds);
    // A tenth of the height is below the limit for mountains.
    let hills = import_at(
        HeightGrid { cell_metres: Some(1e6), ..grid(3, vec![0.0, 100.0, 200.0], false) },
        10.0,
    );
    assert_eq!((0..3).map(|x| top(&hills, x)).collect::<Vec<_>>(), ["grass"; 3]);
    // Slopes above 0.7 are steep in either direction.
    for (rise, kind) in [(6.5, "grass"), (7.5, "stone"), (-7.5, "stone")] {
        let slope: Vec<f32> = (0..9).map(|i| 100.0 + (i / 3) as f32 * rise).collect();
        let imported =
            import_at(HeightGrid { cell_metres: Some(10.0), ..grid(3, slope, false) }, 1.0);
        assert_eq!(column(&imported, 1, 1, 0).last().unwrap().0, kind, "{rise}");
    }
    // The ground next to the sea is sand.
    let shore = import_at(
        HeightGrid { cell_metres: Some(1e6), ..grid(4, vec![-9.0, 1.0, 2.0, 20.0], true) },
        1.0,
    );
    let kinds: Vec<_> =
        (0..4).map(|x| column(&shore, x, 0, -13).last().unwrap().0.to_owned()).collect();
    assert_eq!(kinds, ["water", "sand", "grass", "grass"]);
}

#[test]
fn default_scale_keeps_terrain_within_384_blocks() {
    let height = |highest: f32| {
        let imported =
            import_grid(grid(2, vec![0.0, highest], false), HeightmapOptions::default()).unwrap();
        imported.bounds.max.y - BOTTOM
    };
    // The default is one metre per block, or the fewest whole metres that keep terrain within 384
    // blocks.
    assert_eq!(
        [0.0, 100.0, 384.0, 385.0, 768.0, 6679.0, 65535.0].map(height),
        [0, 100, 384, 192, 384, 371, 383]
    );
}

#[test]
fn filled_voids_are_counted_in_a_warning() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("v.TIF");
    let list: [f32; 4] = [1.0, f32::NAN, 3.0, 4.0];
    let parts = vec![list.iter().flat_map(|n| n.to_le_bytes()).collect()];
    std::fs::write(&path, Tiff::strips(false, [2, 2], 32, 3, 2, parts).file()).unwrap();
    let mut steps = vec![];
    let imported = crate::import(&path, &mut |done| {
        steps.push(done);
        ignore_progress(done)
    });
    let warning = format!(
        "{}: 1 of 4 cells have no height; they are filled from those around them",
        path.display()
    );
    assert_eq!(imported.unwrap().warnings, [warning]);
    assert!(steps.is_sorted() && steps.last() == Some(&1.0));
    let end = |_| std::ops::ControlFlow::Break(());
    assert!(matches!(crate::import(&path, &mut { end }), Err(ImportError::Cancelled { .. })));
}
