//! Truncated, damaged and hostile schematics: each import ends with an error that has a place,
//! never with a panic.

use super::{
    DATA, bytes, file, gzip, import, litematica, mcedit, plain, region, sponge, sponge_version_3,
    with,
};
use crate::error::FormatError;
use crate::progress::ignore_progress;
use fastnbt::{Value, nbt};

fn error(bytes: Vec<u8>) -> FormatError {
    import(bytes, &mut ignore_progress).expect_err("the file is bad")
}

fn error_text(bytes: Vec<u8>) -> String {
    error(bytes).to_string()
}

/// A small file of each format and version.
fn samples() -> Vec<Value> {
    let indices: Vec<usize> = (0..12).map(|i| i % 5).collect();
    let occupancies =
        nbt!({ "Occupancies": (bytes(&[1, 2, 9])), "Checksum": (crc32fast::hash(&DATA) as i32) });
    vec![
        sponge(1),
        with(&sponge(2), nbt!({ "Metadata": { "Stonerun": (occupancies) } })),
        sponge_version_3(),
        with(
            &mcedit(),
            nbt!({ "AddBlocks": (bytes(&[0, 0, 0x04])), "SchematicaMapping": { "mod:a": 1234i16 } }),
        ),
        litematica(&[
            ("a", region("a", [0; 3], [-3, 2, 2], 5, &indices)),
            ("b", region("b", [1; 3], [1; 3], 2, &[1])),
        ]),
    ]
}

#[test]
fn file_truncated_in_its_content_is_refused() {
    for content in samples() {
        let packed = file(&content);
        let plain = plain(&content);
        let voxels = super::imported(&content).voxels;
        let mut complete = 0;
        for length in 0..packed.len() {
            // The content is complete even without the checksum or the end of the last block.
            match import(packed[..length].to_vec(), &mut ignore_progress) {
                Ok(imported) => {
                    assert_eq!(imported.voxels, voxels);
                    let end = "the packed data has no end; its content is complete";
                    assert!(
                        imported.warnings.iter().any(|warning| warning == end),
                        "{:?}",
                        imported.warnings
                    );
                    complete += 1;
                }
                Err(error) => assert_eq!(complete, 0, "{length}: {error}"),
            }
        }
        assert!((8..16).contains(&complete), "{complete}");
        for length in 0..plain.len() {
            let error = error_text(plain[..length].to_vec());
            assert!(error.contains("the data is cut off"), "{length}: {error}");
        }
    }
}

#[test]
fn file_with_changed_byte_never_panics() {
    let mut sound = 0;
    let mut damaged = 0;
    for content in samples() {
        for (file, checked) in [(file(&content), true), (plain(&content), false)] {
            for at in 0..file.len() {
                for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80, file[at].wrapping_add(1)] {
                    let mut file = file.clone();
                    file[at] = with;
                    match import(file, &mut ignore_progress) {
                        Ok(_) => sound += u32::from(!checked),
                        Err(error) => {
                            let text = error.to_string();
                            assert!(
                                !error.place().is_empty()
                                    && text.len() < 250
                                    && !text.contains(char::is_control),
                                "{text:?}"
                            );
                            damaged += 1;
                        }
                    }
                }
            }
        }
    }
    assert!(sound > 1000 && damaged > 1000, "{sound} {damaged}");
}

#[test]
fn sponge_with_mismatched_parts_is_refused() {
    let data = |data: &[u8]| nbt!({ "BlockData": (bytes(data)) });
    for (entries, message) in [
        (nbt!({ "Version": 4 }), "Version: it is 4; versions 1 to 3 are read"),
        (nbt!({ "Version": "2" }), "should be an integer"),
        (nbt!({ "Width": 4i16 }), "blocks: 4 x 2 x 2 blocks do not fit into 13 bytes"),
        (nbt!({ "Width": (-1i16) }), "blocks: 65535 x 2 x 2 blocks do not fit into 13 bytes"),
        (
            nbt!({ "Width": i32::MAX, "Height": i32::MAX, "Length": i32::MAX }),
            "do not fit into 13 bytes",
        ),
        (nbt!({ "Width": i64::MAX, "Height": i64::MAX }), "do not fit into 13 bytes"),
        (nbt!({ "Width": (-3) }), "size: it is -3 x 2 x 2 blocks large: there is nothing in it"),
        (
            nbt!({ "Width": (-3), "Height": (-2) }),
            "size: it is -3 x -2 x 2 blocks large: there is nothing in it",
        ),
        (nbt!({ "Height": 0 }), "size: it is 3 x 0 x 2 blocks large: there is nothing in it"),
        (nbt!({ "Height": 1 }), "blocks: there are more than 3 x 1 x 2 of them"),
        (data(&[1; 11]), "blocks: 3 x 2 x 2 blocks do not fit into 11 bytes"),
        (data(&[1; 13]), "blocks: there are more than 3 x 2 x 2 of them"),
        (
            data(&[1, 1, 1, 1, 1, 1, 1, 3, 1, 1, 1, 1]),
            "block (1, 1, 0): it has the index 3, which is not in the palette",
        ),
        (data(&[0x80; 12]), "block (0, 0, 0): a varint is longer than 5 bytes"),
        (
            data(&[&[0xff; 4][..], &[0x7f; 20]].concat()),
            "block (0, 0, 0): the varint 34359738367 does not fit into 32 bits",
        ),
        (
            data(&[1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 0x80]),
            "block (2, 1, 1): the array ends before it",
        ),
        (
            nbt!({ "Palette": { "minecraft:stone": (-1) } }),
            "the palette index -1 is not between 0 and 1048575",
        ),
        (
            nbt!({ "Palette": { "minecraft:stone": (1 << 20) } }),
            "the palette index 1048576 is not between",
        ),
        (
            nbt!({ "Palette": { "stone[": 0 } }),
            "a block state is \"stone[\", not name[key=value,key=value]",
        ),
        (nbt!({ "Palette": { "": 0 } }), "a block's name is 0 bytes long"),
        (nbt!({ "Palette": { (&*"x".repeat(300)): 0 } }), "a block's name is 310 bytes long"),
        (nbt!({ "Palette": [1, 2] }), "a value with tag 9 should be a compound"),
        (nbt!({ "BlockData": [1, 2] }), "a value with tag 9 should be an array of bytes"),
        (nbt!({ "BlockData": [I; 1, 2] }), "a value with tag 11 should be an array of bytes"),
        (
            nbt!({ "Palette": { "minecraft:air": 0 }, "BlockData": (bytes(&[0; 12])) }),
            "blocks: there is nothing but air",
        ),
        (
            nbt!({ "Palette": { "minecraft:barrier": 0, "minecraft:cave_air": 1 }, "BlockData": (bytes(&[0; 12])) }),
            "blocks: there is nothing but air and blocks that cannot be seen (minecraft:barrier)",
        ),
    ] {
        let error = error_text(file(&with(&sponge(2), entries)));
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
    for (part, message) in [
        ("Version", "Version: it is missing"),
        ("Width", "size: there is no Width"),
        ("Length", "size: there is no Length"),
        ("BlockData", "blocks: there are none"),
        ("Palette", "block (0, 0, 0): it has the index 1, which is not in the palette"),
    ] {
        let Value::Compound(mut content) = sponge(2) else { unreachable!() };
        content.remove(part);
        assert_eq!(error_text(file(&Value::Compound(content))), message);
    }
}

#[test]
fn mcedit_with_mismatched_parts_is_refused() {
    for (entries, message) in [
        (
            nbt!({ "Materials": "Pocket" }),
            "Materials: block numbers of \"Pocket\" are not read, only those of \"Alpha\"",
        ),
        (nbt!({ "Width": 4i16 }), "Blocks: 4 x 1 x 2 blocks need 8 bytes, not 6"),
        (
            nbt!({ "Width": i64::MAX, "Length": i64::MAX }),
            "blocks need 9223372036854775807 bytes, not 6",
        ),
        (
            nbt!({ "Width": 0, "Blocks": (bytes(&[])), "Data": (bytes(&[])) }),
            "size: it is 0 x 1 x 2 blocks large",
        ),
        (nbt!({ "Data": (bytes(&[0; 5])) }), "Data: 3 x 1 x 2 blocks need 6 bytes, not 5"),
        (
            nbt!({ "AddBlocks": (bytes(&[0; 2])) }),
            "AddBlocks: 3 x 1 x 2 blocks need 3 bytes, not 2",
        ),
        (nbt!({ "Add": (bytes(&[0; 3])) }), "Add: 3 x 1 x 2 blocks need 6 bytes, not 3"),
        (
            nbt!({ "SchematicaMapping": { "mod:a": "x" } }),
            "a value with tag 8 should be an integer",
        ),
        (
            nbt!({ "SchematicaMapping": { (&*"x".repeat(257)): 1i16 } }),
            "a block's name is 257 bytes long",
        ),
        (nbt!({ "Blocks": (bytes(&[0; 6])) }), "blocks: there is nothing but air"),
    ] {
        let error = error_text(file(&with(&mcedit(), entries)));
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
}

#[test]
fn litematica_with_mismatched_parts_is_refused() {
    let one = || region("a", [0; 3], [2, 1, 1], 5, &[1, 4]);
    let many: Vec<(String, Value)> =
        (0..(1 << 14) + 1).map(|i| (i.to_string(), nbt!({}))).collect();
    let many: Vec<(&str, Value)> =
        many.iter().map(|(name, region)| (&**name, region.clone())).collect();
    let vector = |x: i32| nbt!({ "x": x, "y": 1, "z": 1 });
    for (content, message) in [
        (litematica(&[]), "Regions: there is none".to_owned()),
        (litematica(&many), "there are more than 16384 regions".to_owned()),
        (litematica(&[("a\n", nbt!({}))]), "region \"a?\": there is no Position".to_owned()),
        (
            litematica(&[("a", with(&one(), nbt!({ "Size": (vector(3000)) })))]),
            "region \"a\": 3000 x 1 x 1 blocks with a palette of 5 entries need 141 longs of indices, not 1".to_owned(),
        ),
        (
            litematica(&[("a", with(&one(), nbt!({ "Size": { "x": i32::MIN, "y": i32::MIN, "z": i32::MIN } })))]),
            "it is 2147483648 x 2147483648 x 2147483648 blocks large".to_owned(),
        ),
        (litematica(&[("a", with(&one(), nbt!({ "Size": (vector(0)) })))]), "it is 0 x 1 x 1 blocks large".to_owned()),
        (
            litematica(&[("a", with(&one(), nbt!({ "Size": { "x": i64::MAX, "y": 1, "z": 1 } })))]),
            "a position or size is not x, y and z of 32 bits".to_owned(),
        ),
        (
            litematica(&[("a", one()), ("b", with(&one(), nbt!({ "Position": (vector(1 << 20)) })))]),
            "size: it is 1048578 x 2 x 2 blocks large; at most 65536 per side".to_owned(),
        ),
        (
            litematica(&[("a", with(&one(), nbt!({ "BlockStatePalette": [] })))]),
            "region \"a\": there is no BlockStatePalette".to_owned(),
        ),
        (
            litematica(&[("a", with(&one(), nbt!({ "BlockStatePalette": [{}] })))]),
            "a palette entry has no Name".to_owned(),
        ),
        (
            litematica(&[("a", region("a", [0; 3], [2, 1, 1], 5, &[1, 7]))]),
            "region \"a\", block (1, 0, 0): it has the index 7, but the palette has 5 entries".to_owned(),
        ),
    ] {
        let error = error_text(file(&content));
        assert!(error.contains(&message), "{error:?} instead of {message:?}");
    }
}

#[test]
fn malformed_nbt_is_refused() {
    let list = |tag: u8, length: i32| [&[tag][..], &length.to_be_bytes()].concat();
    let named =
        |tag: u8, content: &[u8]| [&[10, 0, 0, tag, 0, 1, b'a'][..], content, &[0]].concat();
    for (data, message) in [
        (
            named(9, &list(9, 1).repeat(1_000_000)),
            "lists and compounds are nested more than 512 deep",
        ),
        (
            b"\x0a\0\0"
                .iter()
                .chain(b"\x0a\0\x09Schematic".repeat(1_000_000).iter())
                .copied()
                .collect(),
            "nested more than 512 deep",
        ),
        (named(9, &list(0, 5)), "a list of 5 elements has no element type"),
        (named(9, &list(10, i32::MAX)), "the data is cut off"),
        (named(11, &i32::MAX.to_be_bytes()), "the data is cut off"),
        (
            named(7, &(-2i32).to_be_bytes()),
            "byte 11 of its unpacked data: the length -2 is negative",
        ),
        (named(13, &[]), "byte 7 of its unpacked data: a value has the unknown tag 13"),
        (named(9, &list(0, -1)), "content: this is not a schematic"),
        (vec![], "byte 1 of its unpacked data: the data is cut off"),
        (
            b"MTS something".to_vec(),
            "this is not a schematic: NBT data begins with 10, not with 77",
        ),
    ] {
        for file in [data.clone(), gzip(&data)] {
            let error = error_text(file);
            assert!(error.contains(message), "{error:?} instead of {message:?}");
        }
    }
    let mut damaged = file(&sponge(2));
    let last = damaged.len() - 5;
    damaged[last] ^= 1;
    assert!(error_text(damaged).starts_with("gzip: "));
}
