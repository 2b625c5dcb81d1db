//! Greys that are stored as colours, through a palette, or with transparency.

use super::*;
use ::png::{BitDepth, ColorType};

fn read(kind: ColorType, bits: BitDepth, data: &[u8], chunks: &[(&[u8; 4], &[u8])]) -> HeightGrid {
    png::read(&png_of(kind, bits, data, chunks)).unwrap()
}

/// The heights, with -1 for cells without one, and the number of warnings.
fn heights(grid: HeightGrid) -> (Vec<f32>, usize) {
    let list =
        grid.heights.iter().map(|height| if height.is_nan() { -1.0 } else { *height }).collect();
    (list, grid.warnings.len())
}

#[test]
fn png_of_every_kind_of_pixel_is_read() {
    use BitDepth::{Eight, Sixteen};
    use ColorType::{Grayscale, GrayscaleAlpha, Rgb, Rgba};
    let of = |kind, bits, data: &[u8]| heights(read(kind, bits, data, &[]));
    assert_eq!(of(Rgb, Eight, &[7, 7, 7, 9, 9, 9]), (vec![7.0, 9.0], 0));
    assert_eq!(of(Rgb, Sixteen, &[1, 2, 1, 2, 1, 2, 3, 4, 3, 4, 3, 4]), (vec![258.0, 772.0], 0));
    assert_eq!(of(Rgba, Eight, &[7, 7, 7, 255, 9, 8, 7, 0]), (vec![7.0, -1.0], 0));
    assert_eq!(
        of(Rgba, Sixteen, &[1, 2, 1, 2, 1, 2, 255, 255, 3, 4, 3, 4, 3, 4, 255, 254]),
        (vec![258.0, 772.0], 1)
    );
    assert_eq!(of(GrayscaleAlpha, Eight, &[7, 255, 9, 0]), (vec![7.0, -1.0], 0));
    assert_eq!(of(GrayscaleAlpha, Sixteen, &[1, 2, 255, 255, 3, 4, 0, 1]), (vec![258.0, 772.0], 1));
    // One value or colour is marked as transparent.
    let keyed =
        |kind, bits, data: &[u8], key: &[u8]| heights(read(kind, bits, data, &[(b"tRNS", key)]));
    assert_eq!(keyed(Grayscale, Eight, &[7, 9], &[0, 9]), (vec![7.0, -1.0], 0));
    assert_eq!(keyed(Grayscale, Sixteen, &[0, 9, 1, 9], &[1, 9]), (vec![9.0, -1.0], 0));
    assert_eq!(
        keyed(Rgb, Eight, &[7, 7, 7, 200, 0, 0], &[0, 200, 0, 0, 0, 0]),
        (vec![7.0, -1.0], 0)
    );
    let coloured = [(Rgb, &[7, 7, 7, 7, 8, 7][..]), (Rgba, &[7, 7, 7, 255, 7, 8, 7, 1])];
    for (kind, data) in coloured {
        let error = png::read(&png_of(kind, Eight, data, &[])).unwrap_err();
        assert_eq!(error.place(), "pixel (1, 0)");
        assert!(error.reason().starts_with("it is coloured (red 7, green 8, blue 7)"), "{error}");
    }
}

#[test]
fn png_palettes_may_have_unused_colours_and_transparency() {
    let palette: &[u8] = &[5, 5, 5, 9, 9, 9, 200, 0, 0];
    let of = |data: &[u8], alpha: &[u8]| {
        heights(read(
            ColorType::Indexed,
            BitDepth::Eight,
            data,
            &[(b"PLTE", palette), (b"tRNS", alpha)],
        ))
    };
    assert_eq!(of(&[1, 0], &[255]), (vec![9.0, 5.0], 0));
    assert_eq!(of(&[1, 0], &[0]), (vec![9.0, -1.0], 0));
    assert_eq!(of(&[1, 2], &[255, 128, 0]), (vec![9.0, -1.0], 1));
}

#[test]
fn statements_of_a_png_that_are_not_followed_are_reported() {
    let of = |chunks: &[(&[u8; 4], &[u8])]| {
        read(ColorType::Grayscale, BitDepth::Sixteen, &[0, 9, 1, 9], chunks).warnings
    };
    assert_eq!(of(&[(b"gAMA", &[0, 0, 0xB1, 0x8F]), (b"sBIT", &[16])]), Vec::<String>::new());
    let significant = of(&[(b"sBIT", &[12])]);
    assert!(
        significant.len() == 1 && significant[0].starts_with("12 of 16 bits of its greys"),
        "{significant:?}"
    );
    let calibrated =
        of(&[(b"gAMA", &[0, 0, 0xB1, 0x8F]), (b"pCAL", b"m\0\0\0\0\0\0\0\0\x01\0\0\0\0")]);
    assert!(calibrated.len() == 1 && calibrated[0].contains("(pCAL)"), "{calibrated:?}");
    let animated = of(&[(b"acTL", &[0, 0, 0, 2, 0, 0, 0, 0])]);
    assert!(animated.len() == 1 && animated[0].contains("the first of 2 pictures"), "{animated:?}");
}

#[test]
fn tiff_of_red_green_and_blue_is_read() {
    let colours = |bits: u16, part: Vec<u8>, samples: u16| {
        let tiff = Tiff::strips(false, [2, 1], bits, 1, 1, vec![part])
            .short(262, &[2])
            .short(277, &[samples]);
        tiff.short(258, &vec![bits; samples.into()]).short(339, &vec![1; samples.into()])
    };
    let of = |tiff: Tiff| heights(geotiff::read(&tiff.file()).unwrap());
    assert_eq!(of(colours(8, vec![7, 7, 7, 9, 9, 9], 3)), (vec![7.0, 9.0], 0));
    assert_eq!(
        of(colours(16, vec![7, 1, 7, 1, 7, 1, 9, 2, 9, 2, 9, 2], 3)),
        (vec![263.0, 521.0], 0)
    );
    let opaque = colours(8, vec![7, 7, 7, 255, 9, 8, 9, 0], 4);
    assert_eq!(of(opaque.clone()), (vec![7.0, -1.0], 0));
    assert_eq!(of(opaque.clone().short(338, &[2])), (vec![7.0, -1.0], 0));
    let error = geotiff::read(&opaque.short(338, &[0]).file()).unwrap_err();
    assert!(error.reason().starts_with("it has colours of 4 values"), "{error}");
    // A plane for each colour.
    let mut planar = colours(8, vec![], 3).short(284, &[2]);
    planar.parts = vec![vec![7, 9], vec![7, 9], vec![7, 9]];
    assert_eq!(of(planar.clone()), (vec![7.0, 9.0], 0));
    planar.parts[2] = vec![7, 8];
    let error = geotiff::read(&planar.clone().file()).unwrap_err();
    assert_eq!(
        (error.place(), error.reason().split(';').next()),
        ("pixel (1, 0)", Some("it is coloured (red 9, green 9, blue 8)"))
    );
    // One part of a plane is left out.
    planar.parts[1] = vec![];
    assert_eq!(of(planar), (vec![-1.0, -1.0], 0));
}
