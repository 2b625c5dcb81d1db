//! Truncated, damaged and hostile region files: an import yields the sound chunks or an error with
//! a place, and never panics.

use super::region_files::{
    BlockLayout, LAYOUTS, beta_chunk, chunk, region, region_of_bytes, section, section_of_ids,
    state,
};
use super::{import_at, imported};
use crate::anvil::chunk_nbt::read_column;
use crate::anvil::import::WorldImport;
use crate::anvil::region_file::RegionReader;
use crate::anvil::world_folder::RegionFile;
use crate::chunk_store::{CHUNK_OVERHEAD_BYTES, ImportTarget, MemoryStore};
use crate::minecraft::block_mapper::BlockMapper;
use crate::progress::ignore_progress;
use fastnbt::{LongArray, Value, nbt};
use glam::IVec3;

/// A chunk with one section of stone.
fn stone() -> Value {
    chunk(
        Some(BlockLayout::Flat),
        vec![section(BlockLayout::Flat, 0, &[state("minecraft:stone", &[])], &[0; 4096])],
    )
}

/// A small file with a chunk of each layout.
fn small() -> Vec<u8> {
    let palette: Vec<Value> =
        (0..20).map(|i| state(&format!("mod:{i}"), &[("type", "top"), ("layers", "2")])).collect();
    let indices: Vec<u16> = (0..4096).map(|i| i / 99 % 20).collect();
    let blocks: Vec<(u16, u8)> = (0..4096).map(|i| (i / 300, (i / 50) as u8 & 1)).collect();
    let mut chunks: Vec<Value> = LAYOUTS
        .map(|layout| chunk(Some(layout), vec![section(layout, 1, &palette, &indices)]))
        .into();
    chunks.push(chunk(None, vec![section_of_ids(0, &blocks)]));
    region(chunks.iter().enumerate().map(|(x, chunk)| (x, 0, chunk)))
}

#[test]
fn bad_chunk_is_reported_and_other_chunks_are_imported() {
    let stone = fastnbt::to_bytes(&stone()).unwrap();
    let section = |content: Value| nbt!({ "Status": "full", "sections": [content] });
    let four = Value::List((0..4).map(|i| state(&format!("mod:{i}"), &[])).collect());
    let many = Value::List((0..4097).map(|i| state(&format!("mod:{i}"), &[])).collect());
    let longs = |long: i64, n: usize| Value::LongArray(LongArray::new(vec![long; n]));
    let states = |palette: &Value, data: Value| nbt!({ "Y": 3i8, "block_states": { "palette": palette, "data": data } });
    let old = |content: Value| nbt!({ "Level": { "Sections": [content] } });
    let bytes = |n: usize| Value::ByteArray(fastnbt::ByteArray::new(vec![0; n]));
    for (content, message) in [
        (
            section(states(&four, longs(0x7777, 256))),
            "section 3: block 0 has the index 7, but the palette has 4 entries",
        ),
        (
            section(states(&four, longs(0, 255))),
            "section 3: a palette of 4 entries needs 256 or 256 longs of indices, not 255",
        ),
        (
            section(states(&many, longs(0, 820))),
            "section 3: its palette has 4097 entries for 4096 blocks",
        ),
        (
            section(states(&four, longs(0, 5000))),
            "section 3: a palette of 4 entries needs 256 or 256 longs of indices, not 5000",
        ),
        (section(states(&Value::List(vec![]), longs(0, 256))), "section 3: its palette is empty"),
        (
            section(nbt!({ "Y": 3i8, "BlockStates": [L; 1] })),
            "section 3: it has indices but no palette",
        ),
        (
            section(nbt!({ "Y": 3000, "block_states": {} })),
            "section 3000: sections are read from -128 to 255",
        ),
        (section(nbt!({ "block_states": {} })), "NBT: missing field `Y`"),
        (section(nbt!({ "Y": 0, "Palette": [{ "Name": 5 }] })), "NBT: invalid type"),
        (
            section(nbt!({ "Y": 0, "Palette": [{ "Name": "" }] })),
            "section 0: a block's name is 0 bytes long",
        ),
        (
            old(nbt!({ "Y": 0i8, "Blocks": (bytes(4095)) })),
            "section 0: Blocks has 4095 bytes, not 4096",
        ),
        (
            old(nbt!({ "Y": 0i8, "Blocks": (bytes(4096)), "Data": (bytes(1)) })),
            "section 0: Data has 1 bytes, not 2048",
        ),
        (
            old(nbt!({ "Y": 0i8, "Blocks": (bytes(4096)), "Add": (bytes(9)) })),
            "section 0: Add has 9 bytes, not 2048",
        ),
        (
            nbt!({ "Level": { "Blocks": (bytes(32767)) } }),
            "blocks: Blocks has 32767 bytes, not 32768",
        ),
        (
            nbt!({ "Level": { "Blocks": (bytes(32768)), "Data": (bytes(9)) } }),
            "blocks: Data has 9 bytes, not 16384",
        ),
        (
            nbt!({ "Level": { "Blocks": (bytes(32769)) } }),
            "greater than max sequence length (32768)",
        ),
        (
            old(nbt!({ "Y": 0i8, "Blocks": (bytes(4096)), "Palette": [] })),
            "section 0: it has both block numbers and a palette",
        ),
    ] {
        let bad = fastnbt::to_bytes(&content).unwrap();
        let file =
            region_of_bytes([(2, 3, stone.clone()), (4, 3, bad.clone()), (5, 3, stone.clone())]);
        let imported = import_at(file, -1, 1).unwrap();
        assert_eq!((imported.voxels, imported.warnings.len()), (2 * 4096, 1), "{message}");
        let warning = &imported.warnings[0];
        let start = "test.mca: chunk (-28, 35) at byte 12288, ";
        assert!(
            warning.starts_with(start) && warning.contains(message),
            "{warning:?} instead of {message:?}"
        );
        // With no other chunk, the warning becomes the error.
        let error = import_at(region_of_bytes([(4, 3, bad)]), -1, 1).unwrap_err().to_string();
        assert!(
            error.starts_with("test.mca: chunk (-28, 35) at byte 8192, ")
                && error.contains(message),
            "{error}"
        );
    }
}

#[test]
fn malformed_nbt_is_refused_before_deserialisation() {
    let list = |tag: u8, length: i32| [&[tag][..], &length.to_be_bytes()].concat();
    let named =
        |tag: u8, content: &[u8]| [&[10, 0, 0, tag, 0, 1, b'a'][..], content, &[0]].concat();
    for (data, message) in [
        (
            named(9, &list(9, 1).repeat(1_000_000)),
            "lists and compounds are nested more than 512 deep",
        ),
        (named(9, &list(0, 5)), "a list of 5 elements has no element type"),
        (named(9, &list(10, i32::MAX)), "the data is cut off"),
        (named(11, &i32::MAX.to_be_bytes()), "the data is cut off"),
        (vec![], "byte 0 of its unpacked data: the data is cut off"),
        (vec![0x1f, 0x8b, 8], "it begins with a tag 31, not with a compound"),
    ] {
        let error = import_at(region_of_bytes([(0, 0, data)]), 0, 0).unwrap_err().to_string();
        assert!(
            error.starts_with("test.mca: chunk (0, 0) at byte 8192, byte ")
                && error.contains(message),
            "{error}"
        );
    }
}

#[test]
fn list_of_negative_length_is_refused_only_where_read() {
    let with = |name: &str, tag: u8| {
        let Value::Compound(mut map) = stone() else { unreachable!() };
        map.insert(name.to_owned(), Value::List(vec![]));
        let mut data = fastnbt::to_bytes(&Value::Compound(map)).unwrap();
        let at = data.windows(name.len()).position(|bytes| bytes == name.as_bytes()).unwrap()
            + name.len();
        data[at] = tag;
        data[at + 1..at + 5].copy_from_slice(&(-1i32).to_be_bytes());
        import_at(region_of_bytes([(0, 0, data)]), 0, 0)
            .map(|imported| imported.voxels)
            .map_err(|e| e.to_string())
    };
    for tag in [0, 10] {
        assert_eq!(with("block_entities", tag), Ok(4096), "the list is skipped");
        let error = with("sections", tag).unwrap_err();
        assert!(error.starts_with("test.mca: chunk (0, 0) at byte 8192, NBT: "), "{error}");
    }
}

#[test]
fn import_beyond_memory_limit_is_refused() {
    let mut memory = MemoryStore::with_limit(3 * CHUNK_OVERHEAD_BYTES);
    let mut import = WorldImport::new(ImportTarget::new(&mut memory), IVec3::ZERO);
    let chunk = stone();
    let file = region((0..4).map(|i| (i * 2, 0, &chunk)));
    let region_file = RegionFile { path: "test.mca".into(), x: 0, z: 0 };
    let open = RegionReader::open(std::io::Cursor::new(file)).unwrap();
    let error = import.region(open, &region_file, &mut ignore_progress).unwrap_err();
    assert_eq!(error.reason(), "its chunks need more than 192 bytes");
}

#[test]
fn file_truncated_anywhere_warns_or_fails() {
    let file = small();
    assert_eq!(imported(file.clone()).warnings, Vec::<String>::new());
    for length in (0..file.len()).step_by(7) {
        // Some of the chunks may be complete.
        match import_at(file[..length].to_vec(), 0, 0) {
            Ok(imported) => {
                assert!(!imported.warnings.is_empty() || length + 4096 > file.len(), "{length}")
            }
            Err(error) => {
                assert!(
                    error.to_string().contains("missing") || error.to_string().contains("end"),
                    "{error}"
                )
            }
        }
    }
}

#[test]
fn container_with_changed_byte_never_panics() {
    let file = small();
    // Table entries, chunk headers, and a sample of the compressed bytes.
    let offsets =
        (0..file.len()).filter(|at| *at < 32 || (*at >= 8192 && at % 4096 < 40) || at % 61 == 0);
    for at in offsets {
        for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80] {
            let mut file = file.clone();
            file[at] = with;
            let _ = import_at(file, 0, 0);
        }
    }
}

#[test]
fn chunk_data_with_changed_byte_never_panics() {
    // Not compressed, because the checksum of zlib would detect the damage first.
    let mut blocks = BlockMapper::new();
    let palette: Vec<Value> =
        (0..20).map(|i| state(&format!("mod:{i}"), &[("type", "top")])).collect();
    let indices: Vec<u16> = (0..4096).map(|i| i / 99 % 20).collect();
    let ids = section_of_ids(0, &[(300, 1); 4096]);
    let mut chunks = LAYOUTS
        .map(|layout| chunk(Some(layout), vec![section(layout, 1, &palette, &indices)]))
        .to_vec();
    chunks.push(chunk(None, vec![ids]));
    chunks.push(beta_chunk(&[(300 & 255, 1); 32768]));
    let mut sound = 0;
    let mut damaged = 0;
    for chunk in chunks {
        let data = fastnbt::to_bytes(&chunk).unwrap();
        // All of the structure and a sample of the long arrays.
        for at in (0..data.len()).filter(|at| *at < 1500 || *at + 200 > data.len() || at % 37 == 0)
        {
            for with in [0, 0xff, data[at] ^ 1, data[at] ^ 0x80, data[at].wrapping_add(1)] {
                let mut data = data.clone();
                data[at] = with;
                match read_column(&data, &mut blocks) {
                    Ok(_) => sound += 1,
                    Err(error) => {
                        assert!(
                            !error.place().is_empty()
                                && error.reason().len() < 200
                                && !error.reason().contains(char::is_control),
                            "{error:?}"
                        );
                        damaged += 1;
                    }
                }
            }
        }
    }
    assert!(sound > 1000 && damaged > 1000, "{sound} {damaged}");
}
