//! Cells without a height, marked by declared and undeclared values, masks, transparency, or parts
//! that are left out.

use super::*;

/// Indices of the cells without a height.
fn voids(file: &[u8]) -> Vec<usize> {
    let grid = geotiff::read(file).unwrap();
    grid.heights
        .iter()
        .enumerate()
        .filter(|(_, height)| height.is_nan())
        .map(|(at, _)| at)
        .collect()
}

#[test]
fn undeclared_voids_of_all_signed_kinds_are_found() {
    let list = [-9999.0, 120.0, 280.0, -32768.0, 100.0, -32767.0];
    let signed = |list: [f64; 6]| Tiff::signed([3, 2], &list.map(|n| n as i16));
    let doubles = |list: [f64; 6]| {
        let part = list.iter().flat_map(|n| n.to_le_bytes()).collect();
        Tiff::strips(false, [3, 2], 64, 3, 2, vec![part])
    };
    assert_eq!(voids(&signed(list).file()), [0, 3, 5]);
    assert_eq!(voids(&doubles(list).file()), [0, 3, 5]);
    // A declared value does not prevent the search for others.
    assert_eq!(voids(&signed(list).text(42113, "-9999").file()), [0, 3, 5]);
    let grid = geotiff::read(&signed(list).text(42113, "-9999").file()).unwrap();
    assert_eq!(
        grid.undeclared.iter().map(|void| void.value).collect::<Vec<_>>(),
        [-32768.0, -32767.0]
    );
    // The declared value is compared before scale and offset.
    let scaled = signed(list)
        .text(42112, "<Item role='scale'>0.1</Item><Item role='offset'>5</Item>")
        .file();
    assert_eq!(voids(&scaled), [0, 3, 5]);
    assert_eq!(geotiff::read(&scaled).unwrap().heights[1..3], [17.0, 33.0]);
    // Unsigned values are never taken for undeclared voids.
    let grey = Tiff::strips(false, [2, 1], 16, 1, 1, vec![vec![1, 0, 0x0F, 0x27]]);
    assert_eq!(voids(&grey.file()), Vec::<usize>::new());
    // The deep sea is not a void.
    assert_eq!(
        voids(&signed([-9999.0, -9990.0, -10_100.0, -9500.0, -9700.0, -9999.0]).file()),
        Vec::<usize>::new()
    );
    let import = |file: &[u8]| {
        import_grid(geotiff::read(file).unwrap(), HeightmapOptions::default()).unwrap()
    };
    let imported =
        import(&doubles([1e38, 120.0, 280.0, f64::NAN, 100.0, f64::NEG_INFINITY]).file());
    assert_eq!(imported.bounds.size().y, 184);
    assert_eq!(
        imported.warnings,
        ["3 of 6 cells have no height; they are filled from those around them"]
    );
    // The same values in a tile without a header.
    let mut tile = [0x01, 0x00].repeat(601 * 601);
    tile[..2].copy_from_slice(&(-9999i16).to_be_bytes());
    let imported = import_grid(hgt::read(&tile).unwrap(), HeightmapOptions::default()).unwrap();
    assert_eq!(imported.bounds.size().y, 4);
    assert!(
        imported.warnings[0].starts_with("1 of 361201 cells have no height"),
        "{:?}",
        imported.warnings
    );
}

#[test]
fn masked_cells_have_no_height() {
    // 3 x 2 cells, of which the second and the last are masked.
    let heights = || Tiff::signed([3, 2], &[0; 6]);
    let bits = vec![0b1010_0000, 0b1100_0000];
    let mask = || Tiff::mask([3, 2], 2, vec![bits.clone()]);
    assert_eq!(voids(&heights().followed_by(mask()).file()), [1, 5]);
    assert_eq!(voids(&heights().followed_by(mask()).big_file()), [1, 5]);
    // Masks that are compressed, have eight bits per cell, or are marked only by the
    // interpretation.
    let mut zlib = flate2::write::ZlibEncoder::new(vec![], flate2::Compression::best());
    zlib.write_all(&bits).unwrap();
    let packed = Tiff::mask([3, 2], 2, vec![zlib.finish().unwrap()]).short(259, &[8]);
    assert_eq!(voids(&heights().followed_by(packed).file()), [1, 5]);
    let bytes = Tiff::strips(false, [3, 2], 8, 1, 2, vec![vec![255, 0, 255, 255, 1, 0]]);
    assert_eq!(voids(&heights().followed_by(bytes.clone().long(254, 4)).file()), [1, 5]);
    assert_eq!(voids(&heights().followed_by(bytes.short(262, &[4])).file()), [1, 5]);
    // A mask before the heights, and after a reduced version of them.
    assert_eq!(voids(&mask().followed_by(heights()).file()), [1, 5]);
    let overview = Tiff::signed([2, 1], &[0; 2]).long(254, 1);
    let overview_mask = Tiff::mask([2, 1], 1, vec![vec![0]]).long(254, 5);
    let all = heights().followed_by(overview).followed_by(overview_mask).followed_by(mask());
    assert_eq!(voids(&all.clone().file()), [1, 5]);
    assert_eq!(geotiff::read(&all.file()).unwrap().warnings, Vec::<String>::new());
    // A mask is turned together with the heights.
    let south_up = heights().doubles(33550, &[30.0, -30.0, 0.0]);
    assert_eq!(voids(&south_up.followed_by(mask()).file()), [2, 4]);
    // A strip that is left out masks its cells.
    assert_eq!(
        voids(&heights().followed_by(Tiff::mask([3, 2], 1, vec![vec![0xFF], vec![]])).file()),
        [3, 4, 5]
    );
    let other = heights().followed_by(Tiff::mask([2, 2], 2, vec![vec![0, 0]])).file();
    let warning = "its mask of 2 x 2 cells does not fit the heights of 3 x 2 and is not used";
    assert_eq!(geotiff::read(&other).unwrap().warnings, [warning]);
    let error = geotiff::read(&heights().followed_by(mask().short(259, &[4])).file()).unwrap_err();
    assert_eq!(error.place(), "mask");
    assert!(error.reason().starts_with("it is compressed with fax (4)"), "{error}");
}

#[test]
fn parts_that_are_left_out_have_no_height() {
    let part = |n: i16| [n; 3].iter().flat_map(|n| n.to_le_bytes()).collect::<Vec<u8>>();
    let strips = |parts: Vec<Vec<u8>>| Tiff::strips(false, [3, 2], 16, 2, 1, parts);
    assert_eq!(voids(&strips(vec![vec![], part(7)]).file()), [0, 1, 2]);
    assert_eq!(voids(&strips(vec![part(7), vec![]]).big_file()), [3, 4, 5]);
    assert_eq!(voids(&strips(vec![part(7), vec![]]).text(42113, "-1").file()), [3, 4, 5]);
    let nothing = geotiff::read(&strips(vec![vec![], vec![]]).file()).unwrap();
    let error = import_grid(nothing, HeightmapOptions::default()).unwrap_err();
    assert_eq!(error.reason(), "no cell has a height");
    // Two tiles of 16 x 16 eight-bit values, the second one left out.
    let tiles = Tiff::tiles(false, [17, 1], 8, 1, vec![vec![9; 256], vec![]]);
    assert_eq!(voids(&tiles.file()), [16]);
    // Heights are never read from bytes after the end of a strip.
    let error = geotiff::read(&strips(vec![part(7), part(7)[..4].to_vec()]).file()).unwrap_err();
    assert_eq!((error.place(), error.reason()), ("strip or tile 1", "it is too short"));
}

#[test]
fn transparent_cells_have_no_height() {
    let grey = Tiff::strips(false, [3, 1], 8, 1, 1, vec![vec![10, 255, 20, 0, 30, 9]]);
    let grey = grey.short(258, &[8, 8]).short(277, &[2]).short(338, &[2]);
    let grid = geotiff::read(&grey.file()).unwrap();
    assert!(grid.heights[0] == 10.0 && grid.heights[1].is_nan() && grid.heights[2] == 30.0);
    assert_eq!(
        grid.warnings,
        ["1 of its pixels are partly transparent; their greys are taken as heights"]
    );
    // One plane holds the greys, the second one the opacities.
    let planes = vec![vec![10, 20, 30], vec![255, 0, 255]];
    let planar = Tiff::strips(false, [3, 1], 8, 1, 1, planes).short(258, &[8, 8]).short(277, &[2]);
    let grid = geotiff::read(&planar.short(338, &[1]).short(284, &[2]).file()).unwrap();
    assert!(grid.heights[0] == 10.0 && grid.heights[1].is_nan() && grid.heights[2] == 30.0);
}
