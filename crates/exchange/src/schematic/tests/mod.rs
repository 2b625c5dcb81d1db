//! Imports of schematics of every format and version: voxels and their positions.

mod bedrock;
mod forms;
mod hostile;
mod real;
mod smooth_ground;
mod sponge_materials;
mod sponge_round_trip;

use crate::chunk_store::{Imported, in_memory};
use crate::error::FormatError;
use crate::format_reader::import_nbt;
use crate::losses::ImportLosses;
use crate::minecraft::nbt_file::NbtFile;
use crate::progress::{Progress, ignore_progress};
use fastnbt::{ByteArray, LongArray, SerOpts, Value, nbt};
use glam::IVec3;
use std::io::Write;
use stonerun_engine::voxel::Voxel;

/// Imports bytes into memory.
fn import(bytes: Vec<u8>, progress: &mut Progress) -> Result<Imported, FormatError> {
    in_memory(|target| import_nbt(&NbtFile::new(bytes), super::import, target, progress))
}

fn gzip(data: &[u8]) -> Vec<u8> {
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(data).unwrap();
    packer.finish().unwrap()
}

/// Uncompressed NBT data.
fn plain(content: &Value) -> Vec<u8> {
    fastnbt::to_bytes_with_opts(content, SerOpts::new().root_name("Schematic")).unwrap()
}

/// NBT data compressed with gzip.
fn file(content: &Value) -> Vec<u8> {
    gzip(&plain(content))
}

fn bytes(bytes: &[u8]) -> Value {
    Value::ByteArray(ByteArray::new(bytes.iter().map(|&byte| byte as i8).collect()))
}

/// A compound with additional entries.
fn with(content: &Value, entries: Value) -> Value {
    match (content.clone(), entries) {
        (Value::Compound(mut content), Value::Compound(entries)) => {
            content.extend(entries);
            Value::Compound(content)
        }
        _ => unreachable!("both are compounds"),
    }
}

fn imported(content: &Value) -> Imported {
    import(file(content), &mut ignore_progress).unwrap_or_else(|error| panic!("{error}"))
}

/// Names and occupancies of all blocks of a box, x fastest, then z, then y; "" and 0 for air.
fn all(imported: &Imported, size: [i32; 3]) -> Vec<(&str, u8)> {
    let [x, y, z] = size;
    let name = |voxel: Voxel| {
        if voxel.is_air() || voxel == Voxel::NOT_LOADED {
            return ("", 0);
        }
        (&*imported.materials.get(voxel.material()).unwrap().name, voxel.occupancy())
    };
    (0..x * y * z)
        .map(|i| IVec3::new(i % x - x / 2, i / x / z, i / x % z - z / 2))
        .map(|at| name(imported.world.get(at)))
        .collect()
}

/// Six block states, one of which has an index of two bytes.
fn palette() -> Value {
    nbt!({
        "minecraft:air": 0,
        "minecraft:stone": 1,
        "minecraft:oak_slab[type=bottom,waterlogged=false]": 2,
        "minecraft:water[level=3]": 300,
        "mod:thing[facing=east]": 4,
        "spruce_log[axis=y]": 5,
    })
}

/// Indices of 3 x 2 x 2 blocks into [`palette`]. 300 is 0b10_0101100.
const DATA: [u8; 13] = [1, 2, 0xac, 2, 4, 5, 0, 0, 1, 0, 2, 0, 5];

/// Voxels of [`DATA`].
const EXPECTED: [(&str, u8); 12] = [
    ("stone", 255),
    ("minecraft:oak_slab", 127),
    ("water", 159),
    ("mod:thing[facing=east]", 255),
    ("pine_log", 255),
    ("", 0),
    ("", 0),
    ("stone", 255),
    ("", 0),
    ("minecraft:oak_slab", 127),
    ("", 0),
    ("pine_log", 255),
];

/// A Sponge schematic of version 1 or 2.
fn sponge(version: i32) -> Value {
    nbt!({
        "Version": version, "DataVersion": 2584, "Width": 3i16, "Height": 2i16, "Length": 2i16,
        "PaletteMax": 301, "Palette": (palette()), "BlockData": (bytes(&DATA)), "Offset": [I; 5, 6, 7],
        "Metadata": { "WEOffsetX": 1, "Name": "a house" }, "BlockEntities": [{ "Id": "minecraft:chest", "Items": [] }],
    })
}

/// A Sponge schematic of version 3.
fn sponge_version_3() -> Value {
    nbt!({ "Schematic": {
        "Version": 3, "DataVersion": 3700, "Width": 3i16, "Height": 2i16, "Length": 2i16, "Metadata": {},
        "Blocks": { "Palette": (palette()), "Data": (bytes(&DATA)), "BlockEntities": [] },
        "Biomes": { "Palette": { "minecraft:plains": 0 }, "Data": (bytes(&[0; 12])) },
    } })
}

#[test]
fn sponge_of_every_version_imports_same_voxels() {
    for content in [sponge(1), sponge(2), sponge_version_3()] {
        let imported = imported(&content);
        assert_eq!(all(&imported, [3, 2, 2]), EXPECTED);
        assert_eq!((imported.voxels, imported.warnings.len(), imported.unfinished), (8, 0, 0));
    }
    // Dimensions of other types, in an uncompressed file.
    let content = with(&sponge(2), nbt!({ "Width": 3, "Height": 2i8, "Length": 2i64 }));
    assert_eq!(all(&import(plain(&content), &mut ignore_progress).unwrap(), [3, 2, 2]), EXPECTED);
}

#[test]
fn exported_block_imports_as_its_material() {
    let palette = nbt!({ "minecraft:air": 0, "stonerun:marble": 1, "stonerun:vox.3a.23ff8000": 2 });
    let content = with(
        &sponge(2),
        nbt!({ "Palette": (palette), "BlockData": (bytes(&[2, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0])) }),
    );
    let imported = imported(&content);
    assert_eq!(all(&imported, [3, 2, 2])[..3], [("vox:#ff8000", 255), ("marble", 255), ("", 0)]);
    let builtin = stonerun_engine::voxel::MaterialTable::builtin();
    assert_eq!(imported.materials.find("marble"), builtin.find("marble"));
}

#[test]
fn sponge_occupancies_need_matching_checksum() {
    let with_occupancies = |checksum: u32| {
        // Skips one block, then two of occupancy 9; skips three, then one of 200.
        let runs = bytes(&[1, 2, 9, 3, 1, 200]);
        let metadata = nbt!({ "Metadata": { "Stonerun": { "Occupancies": (runs), "Checksum": (checksum as i32) } } });
        with(&sponge(2), metadata)
    };
    let mut expected = EXPECTED;
    (expected[1].1, expected[2].1, expected[6].1) = (9, 9, 0);
    assert_eq!(all(&imported(&with_occupancies(crc32fast::hash(&DATA))), [3, 2, 2]), expected);
    assert_eq!(all(&imported(&with_occupancies(crc32fast::hash(&DATA) ^ 1)), [3, 2, 2]), EXPECTED);
    let truncated = with(
        &with_occupancies(crc32fast::hash(&DATA)),
        nbt!({ "Metadata": { "Stonerun": {
        "Occupancies": (bytes(&[1, 2])), "Checksum": (crc32fast::hash(&DATA) as i32) } } }),
    );
    let error = import(file(&truncated), &mut ignore_progress).unwrap_err();
    assert_eq!((error.place(), error.reason()), ("block (0, 0, 0)", "the array ends before it"));
}

/// An MCEdit schematic of 3 x 1 x 2 blocks.
fn mcedit() -> Value {
    nbt!({
        "Width": 3i16, "Height": 1i16, "Length": 2i16, "Materials": "Alpha", "Entities": [], "TileEntities": [],
        "Blocks": (bytes(&[1, 44, 44, 5, 0, 0xd2])), "Data": (bytes(&[3, 3, 11, 1, 0, 0xf0])),
    })
}

#[test]
fn mcedit_id_and_data_map_to_voxels() {
    let expected = |last: &'static str| {
        [
            ("minecraft:diorite", 255),
            ("minecraft:cobblestone_slab", 127),
            ("minecraft:cobblestone_slab[type=top]", 127),
            ("pine_planks", 255),
            ("", 0),
            (last, 255),
        ]
    };
    assert_eq!(
        all(&imported(&mcedit()), [3, 1, 2]),
        expected("minecraft:repeating_command_block[facing=down]")
    );
}

#[test]
fn mcedit_ids_above_255_use_order_of_writer() {
    // The number of the last block is 0x4d2 = 1234; all others are below 256.
    let last = |entries: Value| {
        let imported = imported(&with(&mcedit(), entries));
        let all = all(&imported, [3, 1, 2]);
        assert_eq!(all[..2], [("minecraft:diorite", 255), ("minecraft:cobblestone_slab", 127)]);
        all[5].0.to_owned()
    };
    let id = "unknown:1234";
    // First the order of the wiki, then WorldEdit's order.
    assert_eq!(last(nbt!({ "AddBlocks": (bytes(&[0, 0, 0x04])) })), id);
    assert_eq!(last(nbt!({ "AddBlocks": (bytes(&[0, 0, 0x40])), "WEOffsetX": 0 })), id);
    assert_eq!(last(nbt!({ "Add": (bytes(&[0, 0, 0, 0, 0, 4])) })), id);
    // Schematica's mapping names the mod block. Schematica's order applies even if the file has
    // WorldEdit's entries.
    let mapping = nbt!({ "minecraft:stone": 1i16, "mod:machine": 1234i16, "mod:no": (-1i16), "mod:far": 5000i16 });
    let mapped = nbt!({ "AddBlocks": (bytes(&[0, 0, 0x04])), "WEOffsetX": 0, "SchematicaMapping": (mapping) });
    assert_eq!(last(mapped), "mod:machine");
}

#[test]
fn mcedit_upper_half_of_plant_has_kind_of_lower_half() {
    let size = [3, 3, 1];
    let content = nbt!({
        "Width": 3i16, "Height": 3i16, "Length": 1i16, "Materials": "Alpha",
        "Blocks": (bytes(&[175, 175, 1, 175, 175, 175, 0, 175, 0])), "Data": (bytes(&[0, 5, 0, 8, 9, 8, 0, 8, 0])),
    });
    let imported = imported(&content);
    let names =
        all(&imported, size).into_iter().map(|(name, _)| name.trim_start_matches("minecraft:"));
    // The last upper half stands on another upper half, so it becomes tall grass.
    let expected =
        ["sunflower", "peony", "stone", "sunflower", "peony", "tall_grass", "", "tall_grass", ""];
    assert_eq!(names.collect::<Vec<_>>(), expected);
}

#[test]
fn losses_of_every_format_are_counted() {
    let chest = nbt!([{ "Id": "minecraft:chest", "Items": [{ "Slot": 0i8, "Count": 1i8 }] }, { "Id": "minecraft:chest" }]);
    let pigs =
        nbt!([{ "Id": "minecraft:pig" }, { "Id": "minecraft:pig" }, { "Id": "minecraft:pig" }]);
    let all = ImportLosses { shapes: 0, entities: 3, contents: 1, biomes: 1, unread: 0 };
    let lists = nbt!({ "Entities": (pigs.clone()), "BlockEntities": (chest.clone()), "BiomeData": (bytes(&[0])) });
    assert_eq!(imported(&with(&sponge(2), lists)).losses, all);
    let Value::Compound(root) = sponge_version_3() else { unreachable!() };
    let lists = nbt!({ "Entities": (pigs.clone()) });
    assert_eq!(
        imported(&nbt!({ "Schematic": (with(&root["Schematic"], lists)) })).losses,
        ImportLosses { contents: 0, ..all }
    );
    let lists = nbt!({ "Entities": (pigs.clone()), "TileEntities": (chest.clone()), "Biomes": (bytes(&[0; 6])) });
    // The lost shape is the direction of a command block, whose data has more than four bits.
    assert_eq!(imported(&with(&mcedit(), lists)).losses, ImportLosses { unread: 1, ..all });
    let palette = nbt!([
        { "Name": "minecraft:oak_log", "Properties": { "axis": "y" } },
        { "Name": "minecraft:oak_log", "Properties": { "axis": "x" } },
    ]);
    let lists = nbt!({ "Entities": pigs, "TileEntities": chest, "BlockStatePalette": palette });
    let region = with(&region("", [0; 3], [2, 1, 1], 1, &[0, 1]), lists);
    assert_eq!(imported(&litematica(&[("a", region)])).losses, ImportLosses { biomes: 0, ..all });
    assert_eq!(imported(&mcedit()).losses, ImportLosses { unread: 1, ..ImportLosses::default() });
}

/// Packs indices of `bits` bits, bit by bit.
fn pack_indices(indices: &[usize], bits: usize) -> Value {
    let mut longs = vec![0u64; (indices.len() * bits).div_ceil(64)];
    for at in 0..indices.len() * bits {
        longs[at / 64] |= (indices[at / bits] as u64 >> (at % bits) & 1) << (at % 64);
    }
    Value::LongArray(LongArray::new(longs.into_iter().map(|long| long as i64).collect()))
}

fn vector([x, y, z]: [i32; 3]) -> Value {
    nbt!({ "x": x, "y": y, "z": z })
}

/// A region with a palette of air, `mod:PREFIX_1`, `mod:PREFIX_2` and so on.
fn region(
    prefix: &str,
    position: [i32; 3],
    size: [i32; 3],
    palette_len: usize,
    indices: &[usize],
) -> Value {
    let name =
        |i: usize| if i == 0 { "minecraft:air".to_owned() } else { format!("mod:{prefix}_{i}") };
    let palette = Value::List((0..palette_len).map(|i| nbt!({ "Name": (name(i)) })).collect());
    let bits = (usize::BITS - (palette_len - 1).leading_zeros()).max(2) as usize;
    nbt!({
        "Position": (vector(position)), "Size": (vector(size)), "BlockStatePalette": (palette),
        "BlockStates": (pack_indices(indices, bits)), "TileEntities": [], "PendingBlockTicks": [],
    })
}

fn litematica(regions: &[(&str, Value)]) -> Value {
    let regions =
        regions.iter().map(|(name, region)| ((*name).to_owned(), region.clone())).collect();
    nbt!({ "Version": 6, "MinecraftDataVersion": 3465, "Metadata": {}, "Regions": (Value::Compound(regions)) })
}

#[test]
fn litematica_reads_indices_of_every_width() {
    for palette_len in [2, 3, 4, 5, 17, 40, 100, 200, 513] {
        let size = [5, 7, 11];
        let indices: Vec<usize> =
            (0..385usize).map(|i| ((i * 2_654_435_761) >> 7) % palette_len).collect();
        let imported = imported(&litematica(&[(
            "all",
            region("a", [9, -9, 99], size, palette_len, &indices),
        )]));
        let names: Vec<String> = indices
            .iter()
            .map(|&i| if i == 0 { String::new() } else { format!("mod:a_{i}") })
            .collect();
        assert!(
            all(&imported, size).iter().map(|(name, _)| *name).eq(names.iter().map(|name| &**name)),
            "{palette_len}"
        );
    }
}

#[test]
fn litematica_properties_decide_occupancy() {
    let palette = nbt!([
        { "Name": "minecraft:snow", "Properties": { "layers": "3" } },
        { "Name": "minecraft:oak_slab", "Properties": { "type": "bottom", "waterlogged": "true" } },
    ]);
    let region =
        with(&region("", [0; 3], [2, 1, 1], 1, &[0, 1]), nbt!({ "BlockStatePalette": (palette) }));
    assert_eq!(
        all(&imported(&litematica(&[("a", region)])), [2, 1, 1]),
        [("snow", 95), ("minecraft:oak_slab", 127)]
    );
}

#[test]
fn litematica_region_of_negative_size_starts_at_lowest_corner() {
    // From 10 down to 8, from 5 up to 6 and from -3 down to -4, so the lowest corner is (8, 5, -4).
    let indices: Vec<usize> = (0..12).map(|i| i % 5 + 1).collect();
    let negative = region("a", [10, 5, -3], [-3, 2, -2], 6, &indices);
    let positive = region("b", [7, 5, -4], [1, 1, 1], 2, &[1]);
    let imported = imported(&litematica(&[("negative", negative), ("positive", positive)]));
    let all = all(&imported, [4, 2, 2]);
    let names: Vec<&str> = all.iter().map(|(name, _)| *name).collect();
    assert_eq!(
        names[..8],
        ["mod:b_1", "mod:a_1", "mod:a_2", "mod:a_3", "", "mod:a_4", "mod:a_5", "mod:a_1"]
    );
    assert_eq!(
        names[8..],
        ["", "mod:a_2", "mod:a_3", "mod:a_4", "", "mod:a_5", "mod:a_1", "mod:a_2"]
    );
}

#[test]
fn litematica_later_region_wins_except_for_air() {
    // Each region reaches a corner of the box that the other does not.
    let below = region("a", [0; 3], [3, 1, 1], 2, &[1, 1, 1]);
    let above = region("b", [1, 0, 0], [3, 1, 1], 2, &[1, 0, 1]);
    let bytes = |first: &Value, second: &Value| {
        // The regions are written by hand, because the entries of a hash map have no order.
        let one = |name: &str, region: &Value| {
            [&[10, 0, 1], name.as_bytes(), &fastnbt::to_bytes(region).unwrap()[3..]].concat()
        };
        [&b"\x0a\0\0\x0a\0\x07Regions"[..], &one("x", first), &one("y", second), &[0, 0]].concat()
    };
    let names = |bytes: Vec<u8>| {
        let imported = import(bytes, &mut ignore_progress).unwrap();
        all(&imported, [4, 1, 1]).into_iter().map(|(name, _)| name.to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names(bytes(&below, &above)), ["mod:a_1", "mod:b_1", "mod:a_1", "mod:b_1"]);
    assert_eq!(names(bytes(&above, &below)), ["mod:a_1", "mod:a_1", "mod:a_1", "mod:b_1"]);
}

#[test]
fn import_reports_progress_and_can_be_cancelled() {
    let content = sponge(2);
    let mut steps = vec![];
    import(file(&content), &mut |done| {
        steps.push(done);
        ignore_progress(done)
    })
    .unwrap();
    assert!(steps.is_sorted() && steps.len() == 3 && steps.last() == Some(&1.0), "{steps:?}");
    for content in [sponge(2), mcedit(), litematica(&[("a", region("a", [0; 3], [1; 3], 2, &[1]))])]
    {
        let error = import(file(&content), &mut |_| std::ops::ControlFlow::Break(())).unwrap_err();
        assert_eq!(error, FormatError::Cancelled);
    }
}
