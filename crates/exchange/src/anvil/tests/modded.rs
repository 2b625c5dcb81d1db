//! Sections with block numbers of more than 12 bits, palettes of strings, and entries of unknown
//! meaning.

use super::region_files::{BlockLayout, LAYOUTS, chunk, region, section, section_of_ids, state};
use super::{at, import_at, imported};
use crate::chunk_store::Imported;
use fastnbt::{ByteArray, IntArray, Value, nbt};
use glam::IVec3;

/// An array of `length` bytes that begins with `first`.
fn array(first: &[u8], length: usize) -> Value {
    let mut bytes: Vec<i8> = first.iter().map(|byte| *byte as i8).collect();
    bytes.resize(length, 0);
    Value::ByteArray(ByteArray::new(bytes))
}

/// A chunk from before 1.13 with one section.
fn one_section(section: Value) -> Imported {
    imported(region([(0, 0, &chunk(None, vec![section]))]))
}

/// Material names of the first `count` blocks along x.
fn names(imported: &Imported, count: i32) -> Vec<&str> {
    (0..count).map(|x| at(imported, IVec3::ZERO, [x, 0, 0]).0).collect()
}

#[test]
fn numbers_of_every_width_are_read() {
    let expected = ["stone", "granite", "unknown:4660", "unknown:1193046"];
    // Expected numbers and data: 1:0, 1:1, 0x1234:5 and 0x123456:0.
    let endless = nbt!({
        "Y": 0i8, "Blocks": (array(&[1, 1, 0x34, 0x56], 4096)), "Add": (array(&[0, 0x42], 2048)),
        "BlocksB2Hi": (array(&[0, 0x31], 2048)), "BlocksB3": (array(&[0, 0, 0, 0x12], 4096)),
        "Data": (array(&[0x10, 5], 2048)), "Data1High": (array(&[], 2048)), "Data2": (array(&[], 4096)),
    });
    assert_eq!(names(&one_section(endless), 4), expected);
    let not_enough = nbt!({
        "Y": 0i8, "Blocks16": (array(&[0, 1, 0, 1, 0x12, 0x34], 8192)), "Data16": (array(&[0, 0, 0, 1, 0, 5], 8192)),
    });
    assert_eq!(names(&one_section(not_enough), 3), expected[..3]);
    // Minecraft's array of data with a mod's array of numbers.
    let nibbles = nbt!({
        "Y": 0i8, "Blocks16": (array(&[0, 1, 0, 1, 0x12, 0x34], 8192)), "Data": (array(&[0x10, 5], 2048)),
    });
    assert_eq!(names(&one_section(nibbles), 3), expected[..3]);
    let legacy = nbt!({
        "Y": 0i8, "Blocks": (array(&[1, 1, 0x34], 4096)), "Add": (array(&[0, 2], 2048)),
        "Add2": (array(&[0, 1], 2048)), "Data": (array(&[0x10, 5], 2048)),
    });
    assert_eq!(names(&one_section(legacy), 3), expected[..3]);
    // Indices 1, 2 and 0x13 into the palette, which has numbers and data.
    let mut palette = vec![0; 20];
    (palette[1], palette[2], palette[0x13]) = (1 << 4, 1 << 4 | 1, 0x1234 << 4 | 5);
    let palettes = nbt!({
        "Y": 0i8, "Blocks": (array(&[0, 0, 1], 4096)), "Data": (array(&[0x21, 3], 2048)),
        "Palette": (Value::IntArray(IntArray::new(palette))),
    });
    assert_eq!(names(&one_section(palettes), 3), expected[..3]);
}

#[test]
fn data_of_more_than_four_bits_is_counted() {
    let imported = one_section(nbt!({
        "Y": 0i8, "Blocks16": (array(&[0, 1, 0, 1], 8192)), "Data16": (array(&[0, 1, 1, 1], 8192)),
    }));
    assert_eq!(names(&imported, 2), ["granite"; 2]);
    assert_eq!((imported.losses.unread, imported.warnings.len()), (1, 1));
    assert!(
        imported.warnings[0].ends_with("not read: data 257 of block number 1"),
        "{:?}",
        imported.warnings
    );
    // Both 1 and 0 occur as block numbers with data 257; the order of the blocks does not change
    // the count.
    let alternating: Vec<i8> = (0..8192).map(|at| i8::from(at % 4 != 2)).collect();
    let imported = one_section(nbt!({
        "Y": 0i8, "Blocks16": (array(&[0, 1, 0, 1], 8192)), "Data16": (ByteArray::new(alternating)),
    }));
    assert_eq!(imported.losses.unread, 2);
}

#[test]
fn all_unknown_entries_of_a_section_are_counted() {
    let Value::Compound(mut section) = section_of_ids(0, &[(1, 0); 4096]) else {
        unreachable!("a section")
    };
    section.extend((0..20).map(|number| (format!("mod{number}"), Value::Byte(1))));
    let imported = imported(region([(0, 0, &chunk(None, vec![Value::Compound(section)]))]));
    assert_eq!((imported.voxels, imported.losses.unread), (4096, 20));
}

#[test]
fn section_of_unknown_layout_is_never_air() {
    let stone = chunk(None, vec![section_of_ids(0, &[(1, 0); 4096])]);
    for (section, reason) in [
        (
            nbt!({ "Y": 2i8, "Blocks24": (array(&[1], 4096)), "SkyLight": [B; 1] }),
            "section 2: its blocks are in entries of unknown meaning: Blocks24",
        ),
        (
            nbt!({ "Y": 2i8, "states": { "palette": [1] } }),
            "section 2: its blocks are in entries of unknown meaning: states",
        ),
        (
            nbt!({ "Y": 2i8, "block_states": { "ids": [1] } }),
            "section 2: its blocks are in entries of unknown meaning: ids",
        ),
        (nbt!({ "Y": 2i8, "Data": (array(&[1], 2048)) }), "section 2: it has data but no Blocks"),
        (nbt!({ "Y": 2i8, "Palette": [I; 1, 2] }), "section 2: it has data but no Blocks"),
        (nbt!({ "Y": 2i8, "block_states": {} }), "section 2: its block_states have no palette"),
        (
            nbt!({ "Y": 2i8, "Blocks16": (array(&[1], 4096)) }),
            "section 2: Blocks16 has 4096 bytes, not 8192",
        ),
        (
            nbt!({ "Y": 2i8, "Blocks": (array(&[1], 4096)), "Data": (array(&[], 2048)), "Palette": [I; 7] }),
            "section 2: block 0 has the index 16, but the palette has 1 entries",
        ),
    ] {
        let strange = chunk(None, vec![section_of_ids(0, &[(1, 0); 4096]), section]);
        let imported = import_at(region([(0, 0, &stone), (1, 0, &strange)]), 0, 0).unwrap();
        assert_eq!(imported.voxels, 4096, "{reason}");
        assert!(
            imported.warnings.len() == 1 && imported.warnings[0].contains(reason),
            "{:?}",
            imported.warnings
        );
    }
    // A section with only light.
    let light = nbt!({ "Y": 2i8, "SkyLight": (array(&[1], 2048)), "starlight.skylight_state": 1, "flag": 1i8 });
    let imported =
        imported(region([(0, 0, &chunk(None, vec![section_of_ids(0, &[(1, 0); 4096]), light]))]));
    assert_eq!((imported.voxels, imported.losses.unread), (4096, 1));
    assert!(
        imported.warnings[0].ends_with("not read: entry flag of a section"),
        "{:?}",
        imported.warnings
    );
}

#[test]
fn unknown_entries_of_chunks_are_counted() {
    let filled = nbt!({ "Level": { "Sections": [(section_of_ids(0, &[(1, 0); 4096]))], "Ores": [1, 2], "Empty": {} } });
    let imported = imported(region([(0, 0, &filled), (1, 0, &filled)]));
    assert_eq!((imported.voxels, imported.losses.unread), (8192, 2));
    assert_eq!(imported.warnings, ["test.mca: not read: entry Ores of a chunk (2)"]);
}

#[test]
fn palettes_of_strings_and_compounds_mean_the_same() {
    let indices: Vec<u16> = (0..4096).map(|i| i % 3).collect();
    let old = [
        state("minecraft:stone", &[]),
        state("minecraft:oak_slab", &[("type", "bottom"), ("waterlogged", "false")]),
        state("minecraft:oak_slab", &[("type", "top")]),
    ];
    let top = nbt!({ "id": "minecraft:oak_slab", "properties": { "type": "top" } });
    for palette in [
        [nbt!("minecraft:stone"), nbt!("minecraft:oak_slab"), nbt!("minecraft:oak_slab[type=top]")],
        [nbt!({ "": "minecraft:stone" }), nbt!({ "": "oak_slab" }), nbt!({ "": (top.clone()) })],
        [nbt!({ "id": "minecraft:stone" }), nbt!({ "id": "minecraft:oak_slab" }), top.clone()],
    ] {
        for layout in LAYOUTS {
            let made = |palette: &[Value]| {
                imported(region([(
                    0,
                    0,
                    &chunk(Some(layout), vec![section(layout, 0, palette, &indices)]),
                )]))
            };
            let new = made(&palette);
            let old = made(&old);
            let row = |imported: &Imported| {
                (0..3)
                    .map(|x| at(imported, IVec3::ZERO, [x, 0, 0]))
                    .map(|(n, o)| (n.to_owned(), o))
                    .collect::<Vec<_>>()
            };
            assert_eq!(row(&new), row(&old));
            assert_eq!((new.losses, new.warnings), (old.losses, old.warnings), "{layout:?}");
        }
    }
    let single = [nbt!("minecraft:snow")];
    let layer = section(BlockLayout::Flat, 0, &single, &[0; 4096]);
    let imported = imported(region([(0, 0, &chunk(Some(BlockLayout::Flat), vec![layer]))]));
    assert_eq!(at(&imported, IVec3::ZERO, [0, 0, 0]), ("snow", 31));
}
