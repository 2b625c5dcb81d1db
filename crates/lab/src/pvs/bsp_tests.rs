//! Maps of each version made in memory: valid, cut off at any byte, and hostile.

use super::*;

/// A file with a directory of `lumps` entries and the lumps in `content`, by index.
fn file(magic: &[u8], lumps: usize, content: &[(usize, &[u8])]) -> Vec<u8> {
    let mut file = magic.to_vec();
    let directory = file.len();
    file.resize(directory + lumps * 8, 0);
    for &(index, bytes) in content {
        let at = file.len() as u32;
        file[directory + index * 8..][..8]
            .copy_from_slice([at, bytes.len() as u32].map(u32::to_le_bytes).as_flattened());
        file.extend(bytes);
    }
    file
}

/// A map of BSP 29 or 30 whose leafs have their rows at the offsets `rows_at`.
fn quake(version: u32, cells: u32, rows_at: &[i32], visibility: &[u8]) -> Vec<u8> {
    let mut model = [0; 64];
    model[52..56].copy_from_slice(&cells.to_le_bytes());
    let mut leafs = vec![0; LEAF_BYTES * (rows_at.len() + 1)];
    for (leaf, at) in leafs.chunks_mut(LEAF_BYTES).skip(1).zip(rows_at) {
        leaf[4..8].copy_from_slice(&at.to_le_bytes());
    }
    file(&version.to_le_bytes(), 15, &[(4, visibility), (10, &leafs), (14, &model)])
}

/// A map of IBSP 46.
fn quake3(cells: u32, row_bytes: u32, rows: &[u8]) -> Vec<u8> {
    let lump = [&cells.to_le_bytes()[..], &row_bytes.to_le_bytes(), rows].concat();
    file(b"IBSP\x2e\0\0\0", 17, &[(16, &lump)])
}

fn refused(file: &[u8]) -> String {
    read(file).unwrap_err().to_string()
}

/// Three rows of 20 cells: a run and a byte; all cells; a byte and a run beyond the end.
const VISIBILITY_OF_20: [u8; 6] = [0, 2, 0x81, 7, 0, 9];

fn small(version: u32) -> Vec<u8> {
    let rows: Vec<i32> = [0, -1, 3].into_iter().chain([-1; 20]).collect();
    quake(version, 20, &rows, &VISIBILITY_OF_20)
}

#[test]
fn packed_rows_are_unpacked() {
    for version in [29, 30] {
        let matrix = read(&small(version)).unwrap();
        assert_eq!(matrix.cells(), 20, "leafs of other models are not cells");
        // Bit 23 is beyond the last cell.
        assert_eq!([0, 1, 2].map(|i| matrix.row(i)[0]), [1 << 16, 0xF_FFFF, 7]);
    }
}

#[test]
fn plain_rows_are_read_unchanged() {
    // The map compiler rounds rows up to 8 bytes.
    let mut rows = [0; 8 * 9];
    (rows[0], rows[9], rows[2], rows[65]) = (0x81, 0xFF, 0xFF, 1);
    let matrix = read(&quake3(9, 8, &rows)).unwrap();
    assert_eq!((matrix.cells(), matrix.visible_pairs()), (9, 4));
    assert_eq!([0, 1, 8].map(|i| matrix.row(i)[0]), [0x81, 0x100, 0x100]);
    assert_eq!(read(&quake3(0, 0, &[])).unwrap().cells(), 0);
}

#[test]
fn truncated_maps_are_refused() {
    for (file, header) in [(small(29), 124), (quake3(9, 2, &[1; 18]), 144)] {
        assert!(read(&file).is_ok());
        for length in 0..file.len() {
            let error = refused(&file[..length]);
            assert!(
                error.contains(if length < header { "cut off" } else { "outside the file" }),
                "{length}: {error}"
            );
        }
    }
}

#[test]
fn maps_with_a_changed_byte_return() {
    for file in [small(30), quake3(9, 2, &[1; 18])] {
        for at in 0..file.len() {
            for with in [0, 0xFF, file[at] ^ 1, file[at] ^ 0x80] {
                let mut file = file.clone();
                file[at] = with;
                // Some changes yield another valid matrix, so only a panic or a hang would fail the
                // test.
                let _ = read(&file);
            }
        }
    }
}

#[test]
fn malformed_maps_are_refused() {
    assert_eq!(
        refused(b"BSP2 and more"),
        "byte 0: not a map of Quake, Half-Life or Quake III (BSP 29, BSP 30, IBSP 46)"
    );
    assert_eq!(refused(b"IBSP\x26\0\0\0"), "byte 4: IBSP version 38 is not supported, only 46 is");
    // A header of 124 bytes and 6 bytes of visibility, then the leafs and the model.
    let packed =
        |cells: u32, rows_at: &[i32]| refused(&quake(29, cells, rows_at, &VISIBILITY_OF_20));
    assert_eq!(packed(20, &[-1; 19]), "byte 742: the world model has 20 leafs, found 19");
    assert!(packed(u32::MAX, &[]).ends_with("4294967295 leafs exceed the limit of 32767"));
    assert!(packed(32768, &[]).ends_with("32768 leafs exceed the limit of 32767"));
    let row = |at: i32| packed(1, &[at]);
    assert_eq!(row(6), "byte 162: row 0, at byte 130: the row is cut off");
    assert_eq!(row(i32::MAX), "byte 162: row 0, at byte 2147483771: the row is cut off");
    assert!(row(-2).ends_with("the row is cut off"));
    let short = refused(&quake(29, 20, &[-1; 20].map(|_| 4), &VISIBILITY_OF_20[..5]));
    assert!(short.ends_with("row 0, at byte 128: the row is cut off"), "{short}");
    assert!(
        refused(&quake(29, 1, &[0], &[0, 0, 1])).ends_with("row 0, at byte 124: a run of 0 bytes")
    );
    assert_eq!(
        refused(&quake(29, 1, &[-1], &[])),
        "byte 36: the map was compiled without visibility"
    );
    assert_eq!(refused(&file(&[30, 0, 0, 0], 15, &[])), "byte 0: the world model is missing");
    // The header of a Quake III map takes 144 bytes.
    assert_eq!(
        refused(&quake3(9, 1, &[0; 9])),
        "byte 148: a row of 9 clusters cannot have 1 bytes"
    );
    assert_eq!(
        refused(&quake3(9, 2, &[0; 17])),
        "byte 144: 9 clusters need 18 bytes of rows, found 17"
    );
    assert!(refused(&quake3(u32::MAX, u32::MAX, &[0; 17])).ends_with("bytes of rows, found 17"));
    assert_eq!(
        refused(&file(b"IBSP\x2e\0\0\0", 17, &[])),
        "byte 136: the map was compiled without visibility"
    );
    assert_eq!(
        refused(&file(b"IBSP\x2e\0\0\0", 17, &[(16, &[1; 7])])),
        "byte 144: the visibility is cut off"
    );
}
