//! Meaning of a TIFF's values: scale, offset, unit, inversion, and storage.

use super::*;

fn read(tiff: Tiff) -> HeightGrid {
    geotiff::read(&tiff.file()).unwrap()
}

#[test]
fn scale_and_offset_are_applied() {
    let items = "<GDALMetadata>\n  <Item name=\"OFFSET\" sample=\"0\" role=\"offset\">-1000</Item>\n  \
        <Item name=\"SCALE\" sample=\"0\" role=\"scale\">0.5</Item>\n</GDALMetadata>";
    let tiff = Tiff::signed([3, 1], &[0, 2000, -7]).text(42113, "-7");
    let grid = read(tiff.clone().text(42112, items));
    assert!(grid.heights[..2] == [-1000.0, 0.0] && grid.heights[2].is_nan());
    // A negative offset moves unsigned values below sea level.
    let grey = Tiff::strips(false, [2, 1], 16, 1, 1, vec![vec![0, 0, 0xD0, 7]]);
    let grid = read(grey.clone().text(42112, items));
    assert_eq!((grid.heights, grid.has_sea_level), (vec![-1000.0, 0.0], true));
    assert!(!read(grey).has_sea_level);
    let error =
        geotiff::read(&tiff.text(42112, "<Item role=\"scale\">wide</Item>").file()).unwrap_err();
    assert_eq!(error.place(), "GDAL metadata (tag 42112)");
}

#[test]
fn heights_in_feet_become_metres() {
    let tiff = || Tiff::signed([2, 1], &[0, 1000]);
    let keys =
        |key: u16, value: u16| tiff().short(34735, &[1, 1, 0, 2, 1024, 0, 1, 1, key, 0, 1, value]);
    let near = |tiff: Tiff, metres: f32| {
        let grid = read(tiff);
        assert!((grid.heights[1] - metres).abs() < 1e-3, "{:?}", grid.heights);
        grid.warnings.len()
    };
    assert_eq!(near(keys(4099, 9001), 1000.0), 0);
    assert_eq!(near(keys(4099, 9002), 304.8), 0);
    assert_eq!(near(keys(4099, 9003), 304.8006), 0);
    assert_eq!(near(keys(4096, 6360), 304.8006), 0);
    assert_eq!(near(keys(4099, 9999), 1000.0), 1);
    let unit =
        |name: &str| tiff().text(42112, &format!("<Item role='unittype' sample='0'>{name}</Item>"));
    assert_eq!(
        [near(unit("m"), 1000.0), near(unit("US survey foot"), 304.8006), near(unit("cm"), 10.0)],
        [0; 3]
    );
    assert_eq!(near(unit("fathom"), 1000.0), 1);
    // The cells' width in feet.
    let cells = keys(3076, 9002).doubles(33550, &[100.0, 100.0, 0.0]);
    let grid = read(cells);
    assert!((grid.cell_metres.unwrap() - 30.48).abs() < 1e-3 && grid.heights[1] == 1000.0);
}

#[test]
fn inverted_greys_are_read_with_a_warning() {
    let grey = Tiff::strips(false, [3, 1], 8, 1, 1, vec![vec![0, 200, 7]])
        .short(262, &[0])
        .text(42113, "7");
    let grid = read(grey);
    assert!(grid.heights[..2] == [255.0, 55.0] && grid.heights[2].is_nan());
    assert_eq!(grid.warnings, ["white is 0 in it (tag 262): its heights are inverted"]);
    let grid = read(Tiff::strips(false, [2, 1], 3, 1, 1, vec![vec![0b0001_0100]]).short(262, &[0]));
    assert_eq!(grid.heights, [7.0, 2.0]);
    // Floating-point heights are not inverted where 0 is white.
    let part = [5.0f32, 9.0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let grid = read(Tiff::strips(false, [2, 1], 32, 3, 1, vec![part]).short(262, &[0]));
    assert_eq!((grid.heights, grid.warnings.len()), (vec![5.0, 9.0], 1));
    let grid = read(Tiff::signed([2, 1], &[5, -9]).short(262, &[0]));
    assert_eq!((grid.heights, grid.warnings.len()), (vec![5.0, -9.0], 1));
}

#[test]
fn predictor_without_a_compression_has_no_effect() {
    assert_eq!(read(Tiff::signed([3, 1], &[5, 6, 7]).short(317, &[2])).heights, [5.0, 6.0, 7.0]);
}

#[test]
fn further_pictures_are_counted() {
    let page = |n: i16| Tiff::signed([2, 1], &[n, n]);
    let grid = read(page(3).followed_by(page(4)).followed_by(page(5)));
    assert_eq!(
        (grid.heights, grid.warnings),
        (vec![3.0; 2], vec!["it has 3 pictures; only the first is read".to_owned()])
    );
    // A reduced version comes before the picture.
    let grid = read(Tiff::signed([1, 1], &[9]).long(254, 1).followed_by(page(4)));
    assert_eq!((grid.heights, grid.warnings.len()), (vec![4.0; 2], 0));
    let old = read(Tiff::signed([1, 1], &[9]).short(255, &[2]).followed_by(page(4)));
    assert_eq!(old.heights, [4.0; 2]);
    // A link to a directory outside the file, and a link of a directory to itself.
    let mut file = page(3).file();
    let end = file.len() - 4;
    file[end..].copy_from_slice(&0x7FFF_FFFFu32.to_le_bytes());
    let grid = geotiff::read(&file).unwrap();
    assert!(
        grid.warnings[0].starts_with("a further picture or mask is damaged"),
        "{:?}",
        grid.warnings
    );
    let start: [u8; 4] = file[4..8].try_into().unwrap();
    file[end..].copy_from_slice(&start);
    assert!(geotiff::read(&file).unwrap_err().reason().contains("cycle"));
}
