//! What schematics of each format and version mean, and where they land.

use super::*;
use crate::exchange::ignore_progress;
use crate::exchange::{Imported, chunk_store::in_memory};
use fastnbt::{ByteArray, LongArray, SerOpts, Value, nbt};
use glam::IVec3;
use std::io::Write;

/// Imports bytes into memory.
pub(super) fn read(bytes: Vec<u8>, progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| from_bytes(bytes, target, progress))
}

pub(super) fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

/// NBT data, not packed.
pub(super) fn plain(content: &Value) -> Vec<u8> {
    fastnbt::to_bytes_with_opts(content, SerOpts::new().root_name("Schematic")).unwrap()
}

/// A file.
pub(super) fn file(content: &Value) -> Vec<u8> {
    gzip(&plain(content))
}

pub(super) fn bytes(bytes: &[u8]) -> Value {
    Value::ByteArray(ByteArray::new(bytes.iter().map(|&byte| byte as i8).collect()))
}

/// A compound with these entries beside those that it has.
pub(super) fn with(content: &Value, entries: Value) -> Value {
    match (content.clone(), entries) {
        (Value::Compound(mut content), Value::Compound(entries)) => {
            content.extend(entries);
            Value::Compound(content)
        }
        _ => unreachable!("both are compounds"),
    }
}

pub(super) fn imported(content: &Value) -> Imported {
    read(file(content), &mut ignore_progress).unwrap_or_else(|flaw| panic!("{}: {}", flaw.place(), flaw.reason()))
}

/// Names and occupancies of a whole box of this size, x fastest, then z, then y; "" and 0 is air.
pub(super) fn all(imported: &Imported, size: [i32; 3]) -> Vec<(&str, u8)> {
    let [x, y, z] = size;
    let name = |voxel: crate::voxel::Voxel| match voxel.is_air() || voxel == crate::voxel::Voxel::NOT_LOADED {
        true => ("", 0),
        false => (&*imported.materials.get(voxel.material()).unwrap().name, voxel.occupancy()),
    };
    (0..x * y * z)
        .map(|i| IVec3::new(i % x - x / 2, i / x / z, i / x % z - z / 2))
        .map(|at| name(imported.world.get(at)))
        .collect()
}

/// Six kinds of blocks, one of them with an index of two bytes.
pub(super) fn palette() -> Value {
    nbt!({
        "minecraft:air": 0,
        "minecraft:stone": 1,
        "minecraft:oak_slab[type=bottom,waterlogged=false]": 2,
        "minecraft:water[level=3]": 300,
        "mod:thing[facing=east]": 4,
        "spruce_log[axis=y]": 5,
    })
}

/// 3 x 2 x 2 of them. 300 is 0b10_0101100.
pub(super) const DATA: [u8; 13] = [1, 2, 0xac, 2, 4, 5, 0, 0, 1, 0, 2, 0, 5];

const MEANT: [(&str, u8); 12] = [
    ("stone", 255),
    ("minecraft:oak_slab", 127),
    ("water", 159),
    ("mod:thing", 255),
    ("pine_log", 255),
    ("", 0),
    ("", 0),
    ("stone", 255),
    ("", 0),
    ("minecraft:oak_slab", 127),
    ("", 0),
    ("pine_log", 255),
];

/// Version 1 or 2.
pub(super) fn sponge(version: i32) -> Value {
    nbt!({
        "Version": version, "DataVersion": 2584, "Width": 3i16, "Height": 2i16, "Length": 2i16,
        "PaletteMax": 301, "Palette": (palette()), "BlockData": (bytes(&DATA)), "Offset": [I; 5, 6, 7],
        "Metadata": { "WEOffsetX": 1, "Name": "a house" }, "BlockEntities": [{ "Id": "minecraft:chest", "Items": [] }],
    })
}

pub(super) fn sponge_3() -> Value {
    nbt!({ "Schematic": {
        "Version": 3, "DataVersion": 3700, "Width": 3i16, "Height": 2i16, "Length": 2i16, "Metadata": {},
        "Blocks": { "Palette": (palette()), "Data": (bytes(&DATA)), "BlockEntities": [] },
        "Biomes": { "Palette": { "minecraft:plains": 0 }, "Data": (bytes(&[0; 12])) },
    } })
}

#[test]
fn sponge_of_every_version() {
    for content in [sponge(1), sponge(2), sponge_3()] {
        let imported = imported(&content);
        assert_eq!(all(&imported, [3, 2, 2]), MEANT);
        assert_eq!((imported.voxels, imported.warnings.len(), imported.unfinished), (8, 0, 0));
    }
    // Sides of other types, and no gzip.
    let content = with(&sponge(2), nbt!({ "Width": 3, "Height": 2i8, "Length": 2i64 }));
    assert_eq!(all(&read(plain(&content), &mut ignore_progress).unwrap(), [3, 2, 2]), MEANT);
}

#[test]
fn our_own_blocks_have_their_names_again() {
    let palette = nbt!({ "minecraft:air": 0, "stonerun:marble": 1, "stonerun:vox.3a.23ff8000": 2 });
    let content =
        with(&sponge(2), nbt!({ "Palette": (palette), "BlockData": (bytes(&[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])) }));
    let imported = imported(&content);
    assert_eq!(all(&imported, [3, 2, 2])[..3], [("vox:#ff8000", 255), ("marble", 255), ("", 0)]);
    let builtin = crate::voxel::MaterialTable::builtin();
    assert_eq!(imported.materials.find("marble"), builtin.find("marble"));
}

#[test]
fn occupancies_count_only_for_their_own_blocks() {
    let ours = |checksum: u32| {
        // One other block, two of 9, three others, one of 200.
        let runs = bytes(&[1, 2, 9, 3, 1, 200]);
        let ours = nbt!({ "Metadata": { "Stonerun": { "Occupancies": (runs), "Checksum": (checksum as i32) } } });
        with(&sponge(2), ours)
    };
    let mut expected = MEANT;
    (expected[1].1, expected[2].1, expected[6].1) = (9, 9, 0);
    assert_eq!(all(&imported(&ours(crc32fast::hash(&DATA))), [3, 2, 2]), expected);
    assert_eq!(all(&imported(&ours(crc32fast::hash(&DATA) ^ 1)), [3, 2, 2]), MEANT);
    let cut = with(
        &ours(crc32fast::hash(&DATA)),
        nbt!({ "Metadata": { "Stonerun": {
        "Occupancies": (bytes(&[1, 2])), "Checksum": (crc32fast::hash(&DATA) as i32) } } }),
    );
    let flaw = read(file(&cut), &mut ignore_progress).unwrap_err();
    assert_eq!((&*flaw.place(), &*flaw.reason()), ("block (0, 0, 0)", "the array ends before it"));
}

/// 3 x 1 x 2 blocks of these numbers and data.
pub(super) fn mcedit() -> Value {
    nbt!({
        "Width": 3i16, "Height": 1i16, "Length": 2i16, "Materials": "Alpha", "Entities": [], "TileEntities": [],
        "Blocks": (bytes(&[1, 44, 44, 5, 0, 0xd2])), "Data": (bytes(&[3, 3, 11, 1, 0, 0xf0])),
    })
}

#[test]
fn mcedit_numbers() {
    let meant = |last: &'static str| {
        [
            ("minecraft:diorite", 255),
            ("minecraft:cobblestone_slab", 127),
            ("minecraft:cobblestone_slab", 255),
            ("pine_planks", 255),
            ("", 0),
            (last, 255),
        ]
    };
    assert_eq!(all(&imported(&mcedit()), [3, 1, 2]), meant("minecraft:repeating_command_block"));
}

#[test]
fn mcedit_numbers_above_255() {
    // The last block is 0x4d2 = 1234, all others are below 256.
    let last = |entries: Value| {
        let imported = imported(&with(&mcedit(), entries));
        let all = all(&imported, [3, 1, 2]);
        assert_eq!(all[..2], [("minecraft:diorite", 255), ("minecraft:cobblestone_slab", 127)]);
        all[5].0.to_owned()
    };
    let id = "minecraft:id_1234";
    // The wiki's order, and WorldEdit's.
    assert_eq!(last(nbt!({ "AddBlocks": (bytes(&[0, 0, 0x04])) })), id);
    assert_eq!(last(nbt!({ "AddBlocks": (bytes(&[0, 0, 0x40])), "WEOffsetX": 0 })), id);
    assert_eq!(last(nbt!({ "Add": (bytes(&[0, 0, 0, 0, 0, 4])) })), id);
    // Schematica says which mod's block it is, also where WorldEdit had it in its hands.
    let mapping = nbt!({ "minecraft:stone": 1i16, "mod:machine": 1234i16, "mod:no": (-1i16), "mod:far": 5000i16 });
    let mapped = nbt!({ "AddBlocks": (bytes(&[0, 0, 0x04])), "WEOffsetX": 0, "SchematicaMapping": (mapping) });
    assert_eq!(last(mapped), "mod:machine");
}

/// Indices of these many bits, a bit at a time.
fn packed(indices: &[usize], bits: usize) -> Value {
    let mut longs = vec![0u64; (indices.len() * bits).div_ceil(64)];
    for at in 0..indices.len() * bits {
        longs[at / 64] |= (indices[at / bits] as u64 >> (at % bits) & 1) << (at % 64);
    }
    Value::LongArray(LongArray::new(longs.into_iter().map(|long| long as i64).collect()))
}

fn vector([x, y, z]: [i32; 3]) -> Value {
    nbt!({ "x": x, "y": y, "z": z })
}

/// A region of `kinds` blocks, called `mod:PREFIX_1` and so on; the first is air.
pub(super) fn region(prefix: &str, position: [i32; 3], size: [i32; 3], kinds: usize, indices: &[usize]) -> Value {
    let name = |i: usize| if i == 0 { "minecraft:air".to_owned() } else { format!("mod:{prefix}_{i}") };
    let palette = Value::List((0..kinds).map(|i| nbt!({ "Name": (name(i)) })).collect());
    let bits = (usize::BITS - (kinds - 1).leading_zeros()).max(2) as usize;
    nbt!({
        "Position": (vector(position)), "Size": (vector(size)), "BlockStatePalette": (palette),
        "BlockStates": (packed(indices, bits)), "TileEntities": [], "PendingBlockTicks": [],
    })
}

pub(super) fn litematica(regions: &[(&str, Value)]) -> Value {
    let regions = regions.iter().map(|(name, region)| ((*name).to_owned(), region.clone())).collect();
    nbt!({ "Version": 6, "MinecraftDataVersion": 3465, "Metadata": {}, "Regions": (Value::Compound(regions)) })
}

#[test]
fn litematica_indices_of_every_width() {
    for kinds in [2, 3, 4, 5, 17, 40, 100, 200, 513] {
        let size = [5, 7, 11];
        let indices: Vec<usize> = (0..385usize).map(|i| ((i * 2_654_435_761) >> 7) % kinds).collect();
        let imported = imported(&litematica(&[("all", region("a", [9, -9, 99], size, kinds, &indices))]));
        let names: Vec<String> =
            indices.iter().map(|&i| if i == 0 { String::new() } else { format!("mod:a_{i}") }).collect();
        assert!(all(&imported, size).iter().map(|(name, _)| *name).eq(names.iter().map(|name| &**name)), "{kinds}");
    }
}

#[test]
fn litematica_properties() {
    let palette = nbt!([
        { "Name": "minecraft:snow", "Properties": { "layers": "3" } },
        { "Name": "minecraft:oak_slab", "Properties": { "type": "bottom", "waterlogged": "true" } },
    ]);
    let region = with(&region("", [0; 3], [2, 1, 1], 1, &[0, 1]), nbt!({ "BlockStatePalette": (palette) }));
    assert_eq!(all(&imported(&litematica(&[("a", region)])), [2, 1, 1]), [("snow", 95), ("minecraft:oak_slab", 127)]);
}

#[test]
fn litematica_regions_of_negative_size() {
    // From 10 down to 8, up from 5 to 6, from -3 down to -4: the lowest corner is (8, 5, -4).
    let indices: Vec<usize> = (0..12).map(|i| i % 5 + 1).collect();
    let turned = region("a", [10, 5, -3], [-3, 2, -2], 6, &indices);
    let upright = region("b", [7, 5, -4], [1, 1, 1], 2, &[1]);
    let imported = imported(&litematica(&[("turned", turned), ("upright", upright)]));
    let all = all(&imported, [4, 2, 2]);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    assert_eq!(names[..8], ["mod:b_1", "mod:a_1", "mod:a_2", "mod:a_3", "", "mod:a_4", "mod:a_5", "mod:a_1"]);
    assert_eq!(names[8..], ["", "mod:a_2", "mod:a_3", "mod:a_4", "", "mod:a_5", "mod:a_1", "mod:a_2"]);
}

#[test]
fn litematica_regions_that_overlap() {
    // Names decide the order in which this writer puts them; each has a corner that the other does not.
    let below = region("a", [0; 3], [3, 1, 1], 2, &[1, 1, 1]);
    let above = region("b", [1, 0, 0], [3, 1, 1], 2, &[1, 0, 1]);
    let bytes = |first: &Value, second: &Value| {
        // By hand, for a map has no order.
        let one = |name: &str, region: &Value| {
            [&[10, 0, 1], name.as_bytes(), &fastnbt::to_bytes(region).unwrap()[3..]].concat()
        };
        [&b"\x0a\0\0\x0a\0\x07Regions"[..], &one("x", first), &one("y", second), &[0, 0]].concat()
    };
    let names = |bytes: Vec<u8>| {
        let imported = read(bytes, &mut ignore_progress).unwrap();
        all(&imported, [4, 1, 1]).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(bytes(&below, &above)), ["mod:a_1", "mod:b_1", "mod:a_1", "mod:b_1"]);
    assert_eq!(names(bytes(&above, &below)), ["mod:a_1", "mod:a_1", "mod:a_1", "mod:b_1"]);
}

#[test]
fn an_import_can_be_cancelled() {
    let content = sponge(2);
    let mut steps = vec![];
    read(file(&content), &mut |done| {
        steps.push(done);
        ignore_progress(done)
    })
    .unwrap();
    assert!(steps.is_sorted() && steps.len() == 3 && steps.last() == Some(&1.0), "{steps:?}");
    for content in [sponge(2), mcedit(), litematica(&[("a", region("a", [0; 3], [1; 3], 2, &[1]))])] {
        let flaw = read(file(&content), &mut |_| std::ops::ControlFlow::Break(())).unwrap_err();
        assert!(matches!(flaw, FormatError::Cancelled));
    }
}
