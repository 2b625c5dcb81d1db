//! Rasters whose first row is not the northernmost, or whose first column is not the westernmost.

use super::*;

/// The matrix of tag 34264 with the change of east and north per column and row.
fn matrix([column_east, row_east, column_north, row_north]: [f64; 4]) -> [f64; 16] {
    let mut all = [0.0; 16];
    (all[0], all[1], all[3]) = (column_east, row_east, 500_000.0);
    (all[4], all[5], all[7]) = (column_north, row_north, 5_000_000.0);
    all[15] = 1.0;
    all
}

fn tiff() -> Tiff {
    Tiff::signed([3, 2], &[1, 2, 3, 4, 5, 6])
}

/// The heights row by row, and the number of warnings.
fn rows(tiff: Tiff) -> (Vec<Vec<i32>>, usize) {
    let grid = geotiff::read(&tiff.file()).unwrap();
    let rows = grid
        .heights
        .chunks(grid.width)
        .map(|row| row.iter().map(|height| *height as i32).collect());
    (rows.collect(), grid.warnings.len())
}

#[test]
fn rasters_are_turned_north_up() {
    let of = |numbers| rows(tiff().doubles(34264, &matrix(numbers)));
    assert_eq!(of([30.0, 0.0, 0.0, -30.0]), (vec![vec![1, 2, 3], vec![4, 5, 6]], 0));
    assert_eq!(of([30.0, 0.0, 0.0, 30.0]), (vec![vec![4, 5, 6], vec![1, 2, 3]], 0));
    assert_eq!(of([-30.0, 0.0, 0.0, -30.0]), (vec![vec![3, 2, 1], vec![6, 5, 4]], 0));
    assert_eq!(of([-30.0, 0.0, 0.0, 30.0]), (vec![vec![6, 5, 4], vec![3, 2, 1]], 0));
    // First with columns to the south and rows to the east, then the other turns.
    assert_eq!(of([0.0, 30.0, -30.0, 0.0]), (vec![vec![1, 4], vec![2, 5], vec![3, 6]], 0));
    assert_eq!(of([0.0, 30.0, 30.0, 0.0]), (vec![vec![3, 6], vec![2, 5], vec![1, 4]], 0));
    assert_eq!(of([0.0, -30.0, -30.0, 0.0]), (vec![vec![4, 1], vec![5, 2], vec![6, 3]], 0));
    assert_eq!(of([0.0, -30.0, 30.0, 0.0]), (vec![vec![6, 3], vec![5, 2], vec![4, 1]], 0));
    let turned =
        geotiff::read(&tiff().doubles(34264, &matrix([0.0, 30.0, -20.0, 0.0])).file()).unwrap();
    assert_eq!((turned.width, turned.depth, turned.cell_metres), (2, 3, Some(20.0)));
}

#[test]
fn negative_cell_sizes_mirror_with_a_warning() {
    let of = |numbers: [f64; 3]| rows(tiff().doubles(33550, &numbers));
    assert_eq!(of([30.0, 30.0, 0.0]), (vec![vec![1, 2, 3], vec![4, 5, 6]], 0));
    assert_eq!(of([30.0, -30.0, 0.0]), (vec![vec![4, 5, 6], vec![1, 2, 3]], 1));
    assert_eq!(of([-30.0, 30.0, 0.0]), (vec![vec![3, 2, 1], vec![6, 5, 4]], 0));
    let scaled = geotiff::read(&tiff().doubles(33550, &[30.0, 30.0, 0.3]).file()).unwrap();
    assert_eq!(scaled.warnings, ["its vertical scale (tag 33550) of 0.3 is not applied"]);
}

#[test]
fn skewed_rasters_are_turned_by_quarters_with_a_warning() {
    let of = |numbers| geotiff::read(&tiff().doubles(34264, &matrix(numbers)).file()).unwrap();
    let (sine, cosine) = 30f64.to_radians().sin_cos();
    let turned = of([cosine, sine, sine, -cosine]);
    assert_eq!(turned.heights, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0]);
    let expected = "its rows and columns are 30.0 and 30.0 degrees off east and north (tag 34264); it is turned by quarters only";
    assert_eq!(turned.warnings, [expected]);
    assert!((turned.cell_metres.unwrap() - 1.0).abs() < 1e-6);
    let (sine, cosine) = 100f64.to_radians().sin_cos();
    assert_eq!(
        (of([cosine, sine, sine, -cosine]).width, of([cosine, sine, sine, -cosine]).warnings.len()),
        (2, 1)
    );
    // A sheared raster is warned of.
    assert_eq!(of([30.0, 10.0, 0.0, -30.0]).warnings.len(), 1);
    // A matrix without area, or with a NaN, states no position.
    assert_eq!(
        of([0.0; 4]).warnings,
        ["its position is not stated by scale or matrix; north is taken to be up"]
    );
    assert_eq!(of([f64::NAN, 0.0, 0.0, 30.0]).warnings.len(), 1);
    let points = geotiff::read(&tiff().doubles(33922, &[0.0; 18]).file()).unwrap();
    assert_eq!(points.warnings.len(), 1);
}

#[test]
fn orientation_of_pictures_is_followed() {
    let of = |number: u16| rows(tiff().short(274, &[number]));
    assert_eq!(of(1), (vec![vec![1, 2, 3], vec![4, 5, 6]], 0));
    assert_eq!(of(3), (vec![vec![6, 5, 4], vec![3, 2, 1]], 0));
    assert_eq!(of(4), (vec![vec![4, 5, 6], vec![1, 2, 3]], 0));
    assert_eq!(of(6), (vec![vec![4, 1], vec![5, 2], vec![6, 3]], 0));
    assert_eq!(of(9), (vec![vec![1, 2, 3], vec![4, 5, 6]], 1));
    // A position takes precedence over an orientation.
    assert_eq!(
        rows(tiff().short(274, &[3]).doubles(33550, &[1.0, 1.0, 0.0])),
        (vec![vec![1, 2, 3], vec![4, 5, 6]], 1)
    );
    // The same orientation in a PNG's Exif data.
    let exif = tiff().short(274, &[2]).file();
    let grey = ::png::ColorType::Grayscale;
    let grid =
        png::read(&png_of(grey, ::png::BitDepth::Eight, &[7, 9], &[(b"eXIf", &exif)])).unwrap();
    assert_eq!((grid.heights, grid.warnings.len()), (vec![9.0, 7.0], 0));
}
