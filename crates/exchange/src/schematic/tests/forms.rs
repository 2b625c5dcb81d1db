//! Schematics of unusual form: faulty ends, mappings, palettes of strings and unknown entries.

use super::{
    all, bytes, import, imported, litematica, mcedit, plain, region, sponge, sponge_version_3, with,
};
use crate::losses::ImportLosses;
use crate::progress::ignore_progress;
use fastnbt::{Value, nbt};
use flate2::Compression;
use std::io::Write;

/// A schematic of each format, and its size.
fn samples() -> [(Value, [i32; 3]); 4] {
    let indices: Vec<usize> = (0..12).map(|i| i % 5).collect();
    [
        (sponge(2), [3, 2, 2]),
        (sponge_version_3(), [3, 2, 2]),
        (mcedit(), [3, 1, 2]),
        (litematica(&[("a", region("a", [0; 3], [3, 2, 2], 5, &indices))]), [3, 2, 2]),
    ]
}

#[test]
fn end_of_the_nbt_data_is_the_end_of_every_format() {
    for (content, size) in samples() {
        let sound = imported(&content);
        let plain = plain(&content);
        let mut packer = flate2::write::GzEncoder::new(vec![], Compression::fast());
        packer.write_all(&plain).unwrap();
        packer.flush().unwrap();
        let flushed = packer.get_ref().clone();
        let closed = packer.finish().unwrap();
        let wrong = {
            let mut wrong = closed.clone();
            let last = wrong.len() - 6;
            wrong[last] ^= 1;
            wrong
        };
        for (file, warning) in [
            ([&closed[..], &[0; 512]].concat(), "the packed data is followed by 512 bytes"),
            ([&closed[..], b"\x1f\x8b\x08garbage"].concat(), ""),
            (closed[..closed.len() - 3].to_vec(), "the packed data has no end"),
            (closed[..closed.len() - 8].to_vec(), "the packed data has no end"),
            (flushed.clone(), "the packed data has no end"),
            ([&flushed[..], &[0; 7]].concat(), "the packed data is damaged"),
            ([&plain[..], b"more"].concat(), "4 bytes follow its NBT data"),
        ] {
            let made = import(file, &mut ignore_progress).unwrap();
            assert_eq!(all(&made, size), all(&sound, size), "{warning}");
            let more = made
                .warnings
                .iter()
                .filter(|line| !sound.warnings.contains(line))
                .collect::<Vec<_>>();
            assert!(
                more.len() == 1 && more[0].starts_with(warning),
                "{more:?} instead of {warning:?}"
            );
            assert!(more[0].ends_with("; its content is complete"), "{more:?}");
        }
        assert_eq!(import(wrong, &mut ignore_progress).unwrap_err().place(), "gzip");
    }
}

#[test]
fn flat_form_of_version_3_is_read() {
    let Value::Compound(root) = sponge_version_3() else { unreachable!() };
    let flat = imported(&root["Schematic"]);
    assert_eq!(all(&flat, [3, 2, 2]), super::EXPECTED);
    // Conversely, a schematic of version 2 inside a compound.
    assert_eq!(all(&imported(&nbt!({ "Schematic": (sponge(2)) })), [3, 2, 2]), super::EXPECTED);
}

#[test]
fn mappings_of_every_form_name_the_numbers() {
    let content = |mapping: Value| {
        let numbers =
            nbt!({ "Blocks": (bytes(&[1, 2, 3, 1, 1, 1])), "Data": (bytes(&[2, 0, 0, 0, 0, 0])) });
        let made = imported(&with(&with(&mcedit(), numbers), mapping));
        let names = all(&made, [3, 1, 2]).into_iter().take(3);
        (
            names.map(|(name, occupancy)| (name.to_owned(), occupancy)).collect::<Vec<_>>(),
            made.losses.unread,
        )
    };
    let row = |names: [&str; 3]| names.map(|name| (name.to_owned(), 255)).to_vec();
    // Old names use the data, here for birch planks.
    let old = nbt!({ "minecraft:planks": 1i16, "minecraft:brick_block": 2i16, "mod:engine": 3i16 });
    for name in ["SchematicaMapping", "Mapping"] {
        let mut mapping = nbt!({});
        let Value::Compound(map) = &mut mapping else { unreachable!() };
        map.insert(name.to_owned(), old.clone());
        assert_eq!(content(mapping), (row(["birch_planks", "bricks", "mod:engine"]), 0), "{name}");
    }
    let ids = nbt!({ "BlockIDs": { "1": "minecraft:planks", "2": "minecraft:brick_block", "3": "mod:engine" } });
    assert_eq!(content(ids), (row(["birch_planks", "bricks", "mod:engine"]), 0));
    // New names do not use the data, here the 2 of the first block.
    let new = nbt!({ "SchematicaMapping": {
        "minecraft:cherry_planks": 1i16, "minecraft:stone": 2i16, "minecraft:oak_slab[type=double]": 3i16,
    } });
    assert_eq!(content(new), (row(["minecraft:cherry_planks", "stone", "minecraft:oak_slab"]), 1));
}

#[test]
fn litematica_palette_of_strings_is_read() {
    let wrapped = nbt!({ "": { "id": "minecraft:snow", "properties": { "layers": 3 } } });
    let palette =
        nbt!(["minecraft:oak_slab", "minecraft:wall_torch", "minecraft:oak_slab[type=double]"]);
    let content = |palette: Value| {
        let region = with(
            &region("", [0; 3], [2, 1, 1], 1, &[0, 1]),
            nbt!({ "BlockStatePalette": palette }),
        );
        imported(&litematica(&[("a", region)]))
    };
    assert_eq!(
        all(&content(palette), [2, 1, 1]),
        [("minecraft:oak_slab", 127), ("torch_wall_south", 255)]
    );
    let mixed = content(nbt!([wrapped, { "": "minecraft:stone" }]));
    assert_eq!(all(&mixed, [2, 1, 1]), [("snow", 95), ("stone", 255)]);
    assert_eq!(mixed.losses, ImportLosses::default());
}

#[test]
fn unknown_entries_of_every_format_are_counted() {
    let unread = |content: &Value| {
        let made = imported(content);
        (made.losses.unread, made.warnings.join("; "))
    };
    let more = || nbt!({ "Extra": { "blocks": [1] }, "Nothing": {} });
    assert_eq!(unread(&with(&sponge(2), more())), (1, "not read: entry Extra".to_owned()));
    let (count, warning) = unread(&with(&mcedit(), more()));
    assert!(count == 2 && warning.contains("entry Extra"), "{warning}");
    let region = with(&region("a", [0; 3], [1; 3], 2, &[1]), more());
    let content = with(&litematica(&[("a", region)]), more());
    assert_eq!(unread(&content), (2, "not read: entry Extra, entry Extra of a region".to_owned()));
    let palette =
        nbt!({ "mod:carpet[color=red]": 0, "mod:carpet[color=blue]": 1, "minecraft:barrier": 2 });
    let content = with(
        &sponge(2),
        nbt!({ "Palette": palette, "BlockData": (bytes(&[0, 1, 2, 0, 1, 2, 0, 0, 0, 0, 0, 0])) }),
    );
    let warning = "not read: invisible block minecraft:barrier";
    assert_eq!(unread(&content), (1, warning.to_owned()));
}
