//! Files that are cut off, damaged or made to hurt: always an error that says where, never a panic.

use super::fixture::{Tiff, png_file};
use super::of;
use crate::exchange::FormatError;
use crate::exchange::Imported;
use crate::exchange::heightmap::read::HeightReader;
use crate::exchange::heightmap::{BOTTOM, HeightmapOptions, geotiff, png, raw};

fn read(file: &[u8], reader: HeightReader) -> Result<Imported, FormatError> {
    of(reader(file)?, HeightmapOptions::default())
}

fn flaw(file: &[u8], reader: HeightReader) -> String {
    let error = read(file, reader).expect_err("the file is bad");
    let (place, reason) = (error.place(), error.reason());
    assert!(!place.is_empty() && reason.len() < 300 && !reason.contains(char::is_control), "{place}: {reason}");
    format!("{place}: {reason}")
}

fn tiff() -> Tiff {
    let list: Vec<u8> = (0..24i16).flat_map(|n| (n * 3 - 9).to_le_bytes()).collect();
    let parts = list.chunks(16).map(<[u8]>::to_vec).collect();
    Tiff::strips(false, [4, 6], 16, 2, 2, parts).entry(42113, 2, b"-9\0".to_vec()).doubles(33550, &[30.0, 30.0, 0.0])
}

/// A file of each format that has a structure.
fn small() -> Vec<(Vec<u8>, HeightReader)> {
    let grey: Vec<u16> = (0..24).map(|n| n * 777).collect();
    let tile = |n: u16| (0..256u16).flat_map(|i| (n * i).to_be_bytes()).collect();
    vec![
        (png_file(4, 6, &grey, true), png::read),
        (png_file(4, 6, &grey, false), png::read),
        (tiff().file(), geotiff::read),
        (Tiff::tiles(true, [20, 18], 16, 1, (0..4).map(tile).collect()).file(), geotiff::read),
    ]
}

#[test]
fn cut_off_anywhere() {
    for (file, reader) in small() {
        assert!(read(&file, reader).is_ok());
        for length in 0..file.len() {
            // The last twelve bytes of a PNG are its end, which nobody waits for.
            match read(&file[..length], reader) {
                Ok(_) => assert!(length + 12 >= file.len(), "{length} of {}", file.len()),
                Err(FormatError::Cancelled) => panic!("nothing cancels the import"),
                Err(FormatError::Malformed { place, reason }) => {
                    assert!(!place.is_empty() && reason.len() < 300, "{reason}")
                }
            }
        }
    }
}

#[test]
fn any_byte_changed() {
    for (file, reader) in small() {
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
fn two_bytes_changed_in_a_directory() {
    // Sizes, kinds and places that do not fit each other.
    let file = tiff().file();
    let start = u32::from_le_bytes(file[4..8].try_into().unwrap()) as usize;
    let mut random = 0x9E37_79B9_7F4A_7C15_u64;
    for _ in 0..5000 {
        let mut file = file.clone();
        for _ in 0..2 {
            random = random.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            let at = start + (random >> 33) as usize % (file.len() - start);
            file[at] = (random >> 20) as u8;
        }
        let _ = read(&file, geotiff::read);
    }
}

#[test]
fn files_that_go_wrong() {
    let huge = |tag: u16, value: u32| tiff().long(tag, value).file();
    let mut wide = png_file(4, 6, &[0; 24], true);
    // Width and height of the head, and its checksum made right again.
    wide[16..24].copy_from_slice(&[0, 0, 0xFF, 0xFF, 0, 0, 0xFF, 0xFF]);
    let sum = crc32fast::hash(&wide[12..29]).to_be_bytes();
    wide[29..33].copy_from_slice(&sum);
    let mut colours = vec![];
    image::RgbImage::new(3, 2).write_to(&mut std::io::Cursor::new(&mut colours), image::ImageFormat::Png).unwrap();
    let nan = Tiff::strips(false, [2, 1], 32, 3, 1, vec![[f32::NAN; 2].iter().flat_map(|n| n.to_le_bytes()).collect()]);
    for (file, reader, message) in [
        (vec![0; 3], raw::read_r16 as HeightReader, "size: 3 bytes are no square of heights of two bytes each"),
        (vec![0; 10], raw::read_r16, "size: 10 bytes are no square"),
        (vec![], raw::read_r16, "size: it is 0 x 0 cells large; there are no heights in it"),
        (vec![0; 8], raw::read_hgt, "size: it is 2 x 2 cells large; SRTM tiles are 1201 x 1201 or 3601 x 3601"),
        ([0x80, 0].repeat(1201 * 1201), raw::read_hgt, "heights: there are none: no cell has one"),
        (wide, png::read, "size: it is 65535 x 65535 cells large; of a file of "),
        (colours, png::read, "PNG: it has colours"),
        (b"\x89PNG\r\n\x1a\n".to_vec(), png::read, "PNG: "),
        (b"GIF89a".to_vec(), geotiff::read, "byte 0: this is no TIFF file"),
        (b"II+\0\x08\0\0\0".to_vec(), geotiff::read, "byte 0: it is a BigTIFF, which is not read"),
        (b"II*\0\xff\xff\xff\xff".to_vec(), geotiff::read, "byte 4294967295: the file is cut off"),
        (
            huge(256, u32::MAX),
            geotiff::read,
            "size: it is 4294967295 x 6 cells large; at most 65536 a side are imported",
        ),
        (huge(257, 0), geotiff::read, "size: it is 4 x 0 cells large; there are no heights in it"),
        (huge(257, 60_000), geotiff::read, "TIFF: "),
        (
            tiff().long(256, 60_000).long(257, 60_000).file(),
            geotiff::read,
            "size: it is 60000 x 60000 cells large; of a file of ",
        ),
        (tiff().short(277, &[3]).file(), geotiff::read, "TIFF: it has 3 values a cell; heights have one"),
        (tiff().short(259, &[7]).file(), geotiff::read, "TIFF: "),
        (tiff().short(262, &[2]).file(), geotiff::read, "TIFF: "),
        (tiff().short(258, &[1]).file(), geotiff::read, "TIFF: its cells are not one grey value"),
        (nan.file(), geotiff::read, "heights: there are none: no cell has one"),
    ] {
        let error = flaw(&file, reader);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
}

#[test]
fn lands_that_are_too_high() {
    let file: Vec<u8> = [0u16, 65535, 0, 0].iter().flat_map(|n| n.to_le_bytes()).collect();
    let with = |metres| of(raw::read_r16(&file).unwrap(), HeightmapOptions { metres_per_block: Some(metres) });
    let error = with(1.0).unwrap_err();
    assert_eq!(error.reason(), "the land would be 65535 blocks high; at most 4096 are made: a block needs more metres");
    assert_eq!(with(16.0).unwrap().bounds.max.y, BOTTOM + 4095);
    for metres in [0.0, -1.0, 1e-300, f64::NAN] {
        // From the command line none of these comes.
        assert!(with(metres).is_err() || metres.is_nan());
    }
}
