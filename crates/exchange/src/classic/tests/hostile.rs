//! Truncated, damaged and hostile files: each import ends with an error that has a place, never
//! with a panic.

use super::{
    NbtReader, bytes, classic_world, cw_file, definition, import, indev, indev_file, lvl_file,
    mcgalaxy,
};
use fastnbt::{Value, nbt};

/// A file of each format with all the entries that are read.
fn samples() -> [(Vec<u8>, NbtReader); 2] {
    let definitions = nbt!({ "Block66": (definition(66, "A B#", 0, 16, [0, 0, 0, 16, 8, 16])) });
    let blocks = [1, 2, 66, 4, 8, 7, 44, 12, 0, 5, 53, 36];
    [
        (cw_file(&blocks, Some(&[0; 12]), definitions), classic_world::read),
        (indev_file(&blocks, Some(&[3; 12])), indev::read),
    ]
}

fn error_text(data: &[u8], read: NbtReader) -> String {
    let error = import(data, read).expect_err("the file is bad");
    let place = error.place();
    let reason = error.reason();
    assert!(
        !place.is_empty() && reason.len() < 300 && !reason.contains(char::is_control),
        "{error}"
    );
    error.to_string()
}

#[test]
fn file_truncated_anywhere_is_refused() {
    for (data, read) in samples() {
        assert!(import(&data, read).is_ok());
        for length in 0..data.len() {
            assert!(error_text(&data[..length], read).contains("the data is cut off"), "{length}");
        }
    }
}

#[test]
fn file_with_changed_byte_never_panics() {
    for (data, read) in samples() {
        let mut sound = 0;
        let mut bad = 0;
        for at in 0..data.len() {
            for with in [0, 0xff, data[at] ^ 1, data[at] ^ 0x80, data[at].wrapping_add(1)] {
                let mut data = data.clone();
                data[at] = with;
                match import(&data, read) {
                    Ok(imported) => {
                        for (_, chunk) in imported.world.chunks() {
                            chunk.check().unwrap();
                        }
                        sound += 1;
                    }
                    Err(error) => {
                        assert!(!error.place().is_empty() && error.reason().len() < 300, "{error}");
                        bad += 1;
                    }
                }
            }
        }
        assert!(sound > 100 && bad > 100, "{sound} {bad}");
    }
}

#[test]
fn malformed_world_is_refused_with_place_and_reason() {
    let with = |key: &str, value: Value| {
        let mut root = nbt!({ "FormatVersion": 1i8, "X": 3i16, "Y": 2i16, "Z": 2i16, "BlockArray": (bytes(&[1; 12])) });
        let Value::Compound(map) = &mut root else { unreachable!() };
        map.insert(key.to_owned(), value);
        fastnbt::to_bytes(&root).unwrap()
    };
    let many: std::collections::HashMap<String, Value> =
        (0..5000).map(|i| (format!("Block{i}"), definition(1, "a", 0, 1, [0; 6]))).collect();
    let defined = |definitions: Value| nbt!({ "CPE": { "BlockDefinitions": definitions } });
    for (data, message) in [
        (
            with("FormatVersion", Value::Byte(2)),
            "FormatVersion: its version is 2; version 1 is read",
        ),
        (with("X", Value::Short(4)), "BlockArray: it has 12 bytes, but the world has 16 blocks"),
        (with("X", Value::Short(0)), "size: it is 0 x 2 x 2 blocks large: there is nothing in it"),
        // Sizes are read as unsigned shorts.
        (
            with("X", Value::Short(-1)),
            "BlockArray: it has 12 bytes, but the world has 262140 blocks",
        ),
        (with("BlockArray", bytes(&[0; 12])), "blocks: there is nothing but air"),
        (
            with("BlockArray2", bytes(&[0; 11])),
            "BlockArray2: it has 11 bytes, but the world has 12 blocks",
        ),
        (with("BlockArray", Value::Int(1)), "a value with tag 3 should be an array of bytes"),
        (with("Metadata", defined(Value::Compound(many))), "more than 4096 blocks are defined"),
        (with("FormatVersion", nbt!("one")), "a value with tag 8 should be an integer"),
        (
            with(
                "Metadata",
                defined(nbt!({ "Block1": (definition(1, &"x".repeat(129), 0, 1, [0; 6])) })),
            ),
            "block 1: its name is 129 bytes long",
        ),
        (fastnbt::to_bytes(&nbt!({ "Map": {} })).unwrap(), "FormatVersion: it is missing"),
    ] {
        let error = error_text(&data, classic_world::read);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
    let lvl = |at: usize, value: u16| {
        let mut level = lvl_file(&[1; 12]);
        level[at..at + 2].copy_from_slice(&value.to_le_bytes());
        level
    };
    for (data, message) in [
        (lvl(0, 12), "header: this is not a level of MCGalaxy: it begins with 12, not with 1874"),
        (lvl(2, 0), "size: it is 0 x 2 x 2 blocks large: there is nothing in it"),
        (lvl(4, u16::MAX), "block 14: the array ends before it"),
        (lvl_file(&[0; 12]), "blocks: there is nothing but air"),
        (vec![0x52, 7, 1], "header: the file is cut off"),
    ] {
        let error = error_text(&data, mcgalaxy::read);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
    let level = lvl_file(&[1, 2, 66, 4, 8, 7, 44, 12, 0, 5, 53, 255]);
    for length in 0..level.len() - 2 {
        error_text(&level[..length], mcgalaxy::read);
    }
    for (data, message) in [
        (indev_file(&[1; 11], None), "Blocks: it has 11 bytes, but the world has 12 blocks"),
        (indev_file(&[1; 12], Some(&[1; 13])), "Data: it has 13 bytes, but the world has 12 blocks"),
        (fastnbt::to_bytes(&nbt!({ "Map": { "Width": 1 } })).unwrap(), "Height: it is missing"),
        (
            fastnbt::to_bytes(
                &nbt!({ "Map": { "Width": (-3i16), "Height": (-2i16), "Length": 2i16, "Blocks": (bytes(&[1; 12])) } }),
            )
            .unwrap(),
            "there is nothing in it",
        ),
    ] {
        let error = error_text(&data, indev::read);
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
}
