//! Truncated, damaged and malicious files: each import ends with an error that has a place, never
//! with a panic.

use super::fixture::{Tiff, palette_png, palette_tiff, png_file};
use super::import_grid;
use crate::FormatError;
use crate::Imported;
use crate::heightmap::read::HeightReader;
use crate::heightmap::{BOTTOM, HeightmapOptions, geotiff, hgt, png, raw};
use stonerun_engine::random::Random;

fn read(file: &[u8], reader: HeightReader) -> Result<Imported, FormatError> {
    import_grid(reader(file)?, HeightmapOptions::default())
}

fn error_of(file: &[u8], reader: HeightReader) -> String {
    let error = read(file, reader).expect_err("the file is bad");
    let place = error.place();
    let reason = error.reason();
    assert!(
        !place.is_empty() && reason.len() < 300 && !reason.contains(char::is_control),
        "{place}: {reason}"
    );
    format!("{place}: {reason}")
}

fn tiff() -> Tiff {
    let list: Vec<u8> = (0..24i16).flat_map(|n| (n * 3 - 9).to_le_bytes()).collect();
    let parts = list.chunks(16).map(<[u8]>::to_vec).collect();
    Tiff::strips(false, [4, 6], 16, 2, 2, parts)
        .entry(42113, 2, b"-9\0".to_vec())
        .doubles(33550, &[30.0, 30.0, 0.0])
}

/// A small file of each structured format.
fn small_files() -> Vec<(Vec<u8>, HeightReader)> {
    let grey: Vec<u16> = (0..24).map(|n| n * 777).collect();
    let tile = |n: u16| (0..256u16).flat_map(|i| (n * i).to_be_bytes()).collect();
    vec![
        (png_file(4, 6, &grey, true), png::read),
        (png_file(4, 6, &grey, false), png::read),
        (tiff().file(), geotiff::read),
        (Tiff::tiles(true, [20, 18], 16, 1, (0..4).map(tile).collect()).file(), geotiff::read),
        (tiff().big_file(), geotiff::read),
        (palette_tiff([9; 3]), geotiff::read),
        (palette_png(&[9; 3]), png::read),
        (
            Tiff::signed([3, 2], &[1; 6])
                .followed_by(Tiff::mask([3, 2], 2, vec![vec![0xA0, 0x40]]))
                .file(),
            geotiff::read,
        ),
        (
            Tiff::signed([3, 2], &[1; 6]).text(42112, "<Item role=\"scale\">2</Item>").file(),
            geotiff::read,
        ),
    ]
}

#[test]
fn truncated_file_is_refused_at_every_length() {
    for (file, reader) in small_files() {
        assert!(read(&file, reader).is_ok());
        for length in 0..file.len() {
            // The last twelve bytes of a PNG are its end chunk, which the decoder does not require.
            match read(&file[..length], reader) {
                // A second picture that is cut off is left out with a warning, and the first is
                // imported.
                Ok(imported) => {
                    assert!(
                        length + 12 >= file.len() || !imported.warnings.is_empty(),
                        "{length} of {}",
                        file.len()
                    );
                }
                Err(FormatError::Cancelled) => panic!("nothing cancels the import"),
                Err(FormatError::Malformed { place, reason }) => {
                    assert!(!place.is_empty() && reason.len() < 300, "{reason}")
                }
            }
        }
    }
}

#[test]
fn changed_byte_imports_or_is_refused() {
    for (file, reader) in small_files() {
        for at in 0..file.len() {
            for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80, file[at].wrapping_add(1)] {
                let mut file = file.clone();
                file[at] = with;
                match read(&file, reader) {
                    Ok(imported) => assert!(imported.voxels > 0),
                    Err(FormatError::Cancelled) => panic!("nothing cancels the import"),
                    Err(FormatError::Malformed { place, reason }) => {
                        assert!(!place.is_empty() && reason.len() < 300, "{reason}")
                    }
                }
            }
        }
    }
}

#[test]
fn two_changed_bytes_in_a_directory_never_panic() {
    // Sizes, types and offsets that contradict each other.
    let file = tiff().file();
    let start = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let mut random = Random::new(1);
    for _ in 0..5000 {
        let mut file = file.clone();
        for _ in 0..2 {
            let at = start + random.index(file.len() - start);
            file[at] = random.draw() as u8;
        }
        let _ = read(&file, geotiff::read);
    }
}

#[test]
fn malformed_file_is_refused_with_a_reason() {
    let huge = |tag: u16, value: u32| tiff().long(tag, value).file();
    let mut wide = png_file(4, 6, &[0; 24], true);
    // Width and height of the header, with a corrected checksum.
    wide[16..24].copy_from_slice(&[0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
    let sum = crc32fast::hash(&wide[12..29]).to_be_bytes();
    wide[29..33].copy_from_slice(&sum);
    let mut colours = vec![];
    image::RgbImage::from_raw(1, 2, vec![0, 0, 0, 0, 0, 9])
        .unwrap()
        .write_to(&mut std::io::Cursor::new(&mut colours), image::ImageFormat::Png)
        .unwrap();
    let nan = Tiff::strips(
        false,
        [2, 1],
        32,
        3,
        1,
        vec![[f32::NAN; 2].iter().flat_map(|n| n.to_le_bytes()).collect()],
    );
    let high: Vec<u8> = [4_000_000_000u32; 2].iter().flat_map(|n| n.to_le_bytes()).collect();
    let too_high = Tiff::strips(false, [2, 1], 32, 1, 1, vec![high]).file();
    // The number of bits per value (tag 258), stored as a text (type 2) of 2^63 bytes.
    let mut bits_as_text = tiff().big_file();
    let bits = bits_as_text
        .windows(12)
        .position(|entry| entry == [2, 1, 3, 0, 1, 0, 0, 0, 0, 0, 0, 0])
        .unwrap();
    bits_as_text[bits..bits + 12].copy_from_slice(&[2, 1, 2, 0, 0, 0, 0, 0, 0, 0, 0, 0x80]);
    for (file, reader, message) in [
        (
            vec![0; 3],
            raw::read as HeightReader,
            "size: 3 bytes are not a square of heights of two bytes each",
        ),
        (vec![0; 10], raw::read, "size: 10 bytes are not a square"),
        (vec![], raw::read, "size: it is 0 x 0 cells large; there are no heights in it"),
        (
            vec![0; 10],
            hgt::read,
            "size: 10 bytes are no tile of heights of two bytes each; tiles are square, such as",
        ),
        ([0x80, 0].repeat(1201 * 1201), hgt::read, "heights: no cell has a height"),
        (wide, png::read, "size: it is 65535 x 65535 cells large; of a file of "),
        (colours, png::read, "pixel (0, 1): it is coloured (red 0, green 0, blue 9)"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), png::read, "PNG: "),
        (b"GIF89a".to_vec(), geotiff::read, "byte 0: this is not a TIFF file"),
        (b"II+\0\x08\0\0\0".to_vec(), geotiff::read, "byte 8: the file is cut off"),
        (
            include_bytes!("../../../../../tests/corpus/tif/heights-mask")[..200].to_vec(),
            geotiff::read,
            "TIFF: the file is cut off",
        ),
        (b"II*\0\xff\xff\xff\xff".to_vec(), geotiff::read, "byte 4294967295: the file is cut off"),
        (
            huge(256, u32::MAX),
            geotiff::read,
            "size: it is 4294967295 x 6 cells large; at most 65536 per side are imported",
        ),
        (bits_as_text, geotiff::read, "TIFF: "),
        (huge(257, 0), geotiff::read, "size: it is 4 x 0 cells large; there are no heights in it"),
        (huge(257, 60_000), geotiff::read, "TIFF: "),
        (
            tiff().long(256, 60_000).long(257, 60_000).file(),
            geotiff::read,
            "size: it is 60000 x 60000 cells large; of a file of ",
        ),
        (
            tiff().short(277, &[3]).file(),
            geotiff::read,
            "TIFF: it has 3 values per cell; heights have one",
        ),
        (
            tiff().short(277, &[2]).short(338, &[0]).file(),
            geotiff::read,
            "TIFF: it has 2 values per cell; heights have one",
        ),
        (
            tiff().short(277, &[2]).short(338, &[2]).file(),
            geotiff::read,
            "strip or tile 0: it is too short",
        ),
        (
            tiff().short(259, &[7]).file(),
            geotiff::read,
            "TIFF: it is compressed with JPEG (7); LZW, deflate",
        ),
        (
            tiff().short(259, &[50000]).file(),
            geotiff::read,
            "TIFF: it is compressed with ZSTD (50000); LZW, deflate",
        ),
        (
            tiff().short(262, &[2]).file(),
            geotiff::read,
            "TIFF: it has colours of 1 values; red, green, blue",
        ),
        (
            tiff().short(266, &[2]).file(),
            geotiff::read,
            "TIFF: its bits are stored in reverse order (fill order 2)",
        ),
        (
            tiff().long(32997, 16).file(),
            geotiff::read,
            "TIFF: its picture has 16 layers (tag 32997); heights have one",
        ),
        (
            Tiff::signed([2, 1], &[-9999; 2]).file(),
            geotiff::read,
            "heights: no cell has a height: -9999 means \"no data\"",
        ),
        (
            tiff().short(339, &[4]).file(),
            geotiff::read,
            "TIFF: it has untyped values of 16 bits (sample format 4)",
        ),
        (
            tiff().short(339, &[5]).file(),
            geotiff::read,
            "TIFF: it has complex values of 16 bits (sample format 5)",
        ),
        (
            tiff().short(258, &[4]).file(),
            geotiff::read,
            "TIFF: it has signed values of 4 bits (sample format 2)",
        ),
        (tiff().short(262, &[6]).file(), geotiff::read, "TIFF: its values are no grey or palette"),
        (
            tiff().short(258, &[12]).file(),
            geotiff::read,
            "TIFF: its values have 12 bits; 1 to 8, 16, 32 and 64 are",
        ),
        (
            tiff().short(258, &[24]).file(),
            geotiff::read,
            "TIFF: its values have 24 bits; 1 to 8, 16, 32 and 64 are",
        ),
        (tiff().short(262, &[3]).file(), geotiff::read, "palette: it is missing"),
        (
            palette_tiff([7, 8, 7]),
            geotiff::read,
            "pixel (2, 0): it is coloured (red 7, green 8, blue 7)",
        ),
        (
            palette_png(&[7, 8, 7]),
            png::read,
            "pixel (2, 0): it is coloured (red 7, green 8, blue 7); heights are read from grey",
        ),
        (
            too_high,
            geotiff::read,
            "no cell has a height: values beyond 1,000,000 metres mean \"no data\"",
        ),
        (nan.file(), geotiff::read, "heights: no cell has a height"),
    ] {
        let error = error_of(&file, reader);
        assert!(error.contains(message), "{error:?}, expected {message:?}");
    }
}

#[test]
fn too_high_terrain_is_refused() {
    let file: Vec<u8> = [0u16, 65535, 0, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let with = |metres| {
        import_grid(raw::read(&file).unwrap(), HeightmapOptions { metres_per_block: Some(metres) })
    };
    let error = with(1.0).unwrap_err();
    assert_eq!(
        error.reason(),
        "the terrain would be 65535 blocks high; at most 4096 are possible: choose more metres per block"
    );
    assert_eq!(with(16.0).unwrap().bounds.max.y, BOTTOM + 4095);
    for metres in [0.0, -1.0, 1e-300, f64::NAN] {
        // The command line refuses such values; the library clamps all but NaN.
        assert!(with(metres).is_err() || metres.is_nan());
    }
}
