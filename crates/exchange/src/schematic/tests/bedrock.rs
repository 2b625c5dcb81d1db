//! Imports of `.mcstructure` files: voxels, their positions, and malformed files.

use super::all;
use crate::chunk_store::{Imported, in_memory};
use crate::error::FormatError;
use crate::format_reader::import_nbt;
use crate::losses::ImportLosses;
use crate::minecraft::nbt_file::NbtFile;
use crate::progress::{Progress, ignore_progress};
use crate::schematic::import_mcstructure;
use glam::IVec3;
use std::ops::ControlFlow;

fn import(bytes: Vec<u8>) -> Result<Imported, FormatError> {
    let file = NbtFile::little_endian(bytes);
    in_memory(|target| import_nbt(&file, import_mcstructure, target, &mut ignore_progress))
}

/// Tag and name of an entry.
fn entry(tag: u8, name: &str) -> Vec<u8> {
    [&[tag][..], &text(name)].concat()
}

fn text(text: &str) -> Vec<u8> {
    [&(text.len() as u16).to_le_bytes()[..], text.as_bytes()].concat()
}

/// The content of a list.
fn list(tag: u8, elements: &[Vec<u8>]) -> Vec<u8> {
    [&[tag][..], &(elements.len() as i32).to_le_bytes(), &elements.concat()].concat()
}

fn ints(numbers: &[i32]) -> Vec<u8> {
    list(3, &numbers.iter().map(|number| number.to_le_bytes().to_vec()).collect::<Vec<_>>())
}

/// A block of the palette with one state.
fn block(name: &str, state: &str, value: &str) -> Vec<u8> {
    let states = [entry(10, "states"), entry(8, state), text(value), vec![0]].concat();
    [entry(8, "name"), text(name), states, entry(3, "version"), vec![1, 2, 3, 4], vec![0]].concat()
}

/// A structure of this size with these indices, in the form of version 1.
fn structure(size: &[i32], indices: &[i32]) -> Vec<u8> {
    let water = vec![-1; indices.len()];
    structure_with(1, size, list(9, &[ints(indices), ints(&water)]))
}

/// A structure of this size with these indices, in the form of version 2.
fn structure_of_arrays(size: &[i32], indices: &[i32]) -> Vec<u8> {
    // The elements of an array have no tag.
    structure_with(2, size, list(11, &[ints(indices)[1..].to_vec()]))
}

fn structure_with(version: u8, size: &[i32], indices: Vec<u8>) -> Vec<u8> {
    let palette = [
        block("minecraft:air", "a", "b"),
        block("minecraft:planks", "wood_type", "oak"),
        block("minecraft:birch_log", "pillar_axis", "x"),
        block("mod:machine", "on", "yes"),
    ];
    structure_of(version, size, indices, &palette)
}

/// A structure with this palette.
fn structure_of(version: u8, size: &[i32], indices: Vec<u8>, palette: &[Vec<u8>]) -> Vec<u8> {
    [
        entry(10, ""),
        entry(3, "format_version"),
        vec![version, 0, 0, 0],
        [entry(9, "size"), ints(size)].concat(),
        entry(10, "structure"),
        [entry(9, "block_indices"), indices].concat(),
        [entry(9, "entities"), list(10, &[vec![0], vec![0]])].concat(),
        [entry(10, "palette"), entry(10, "default"), entry(9, "block_palette"), list(10, palette)]
            .concat(),
        vec![0, 0, 0],
        [entry(9, "structure_world_origin"), ints(&[7, 8, 9]), vec![0]].concat(),
    ]
    .concat()
}

#[test]
fn structure_imports_every_block() {
    // For x = 0 two blocks along z at each of y = 0, 1 and 2; then the same for x = 1.
    let indices = [1, 2, 0, 3, 1, -1, 2, 2, 1, 1, 3, 0];
    let imported = import(structure(&[2, 3, 2], &indices)).unwrap();
    let oak = ("oak_planks", 255);
    let birch = ("birch_log[axis=x]", 255);
    let machine = ("mod:machine", 255);
    let air = ("", 0);
    // In the order x fastest, then z, then y.
    let expected = [oak, birch, birch, birch, air, oak, machine, oak, oak, machine, air, air];
    assert_eq!(all(&imported, [2, 3, 2]), expected);
    let arrays = import(structure_of_arrays(&[2, 3, 2], &indices)).unwrap();
    assert_eq!(all(&arrays, [2, 3, 2]), expected);
    // The states of air and of the machine are unknown.
    assert_eq!(imported.losses, ImportLosses { entities: 2, unread: 2, ..ImportLosses::default() });
}

/// Slabs, a full block, and water of two levels.
fn slabs_and_water() -> [Vec<u8>; 6] {
    [
        block("minecraft:oak_slab", "minecraft:vertical_half", "bottom"),
        block("minecraft:oak_slab", "minecraft:vertical_half", "top"),
        block("minecraft:planks", "wood_type", "oak"),
        block("minecraft:water", "liquid_depth", "0"),
        block("minecraft:flowing_water", "liquid_depth", "2"),
        block("minecraft:lava", "liquid_depth", "0"),
    ]
}

#[test]
fn water_around_blocks_is_kept_where_voxels_have_room() {
    let blocks = ints(&[0, 1, 2, -1, 3, 0, 0, 0]);
    let water = ints(&[3, 3, 3, 3, 3, 4, 5, -1]);
    let lists = list(9, &[blocks.clone(), water.clone()]);
    let version_1 = structure_of(1, &[8, 1, 1], lists, &slabs_and_water());
    // The elements of an array have no tag.
    let arrays = list(11, &[blocks[1..].to_vec(), water[1..].to_vec()]);
    let version_2 = structure_of(2, &[8, 1, 1], arrays, &slabs_and_water());
    for file in [version_1, version_2] {
        let imported = import(file).unwrap();
        let at = |x: i32| imported.world.get(IVec3::new(x - 4, 0, 0));
        // The slab in flowing water is as high as water of six eighths.
        assert_eq!([0, 1, 2, 3, 4, 5, 6, 7].map(|x| at(x).liquid()), [128, 128, 0, 0, 0, 64, 0, 0]);
        assert_eq!([0, 5, 6, 7].map(|x| at(x).occupancy()), [127; 4]);
        // The planks fill their voxel; water around no block or around water, and lava, cannot be
        // kept.
        assert_eq!(imported.losses.shapes, 4);
    }
}

#[test]
fn water_lower_than_its_block_is_counted() {
    let palette = [
        block("minecraft:oak_slab", "minecraft:vertical_half", "bottom"),
        block("minecraft:flowing_water", "liquid_depth", "4"),
    ];
    let lists = list(9, &[ints(&[0]), ints(&[1])]);
    let imported = import(structure_of(1, &[1, 1, 1], lists, &palette)).unwrap();
    assert!(!imported.world.get(IVec3::ZERO).is_wet());
    assert_eq!(imported.losses.shapes, 1);
}

#[test]
fn malformed_list_of_water_is_refused() {
    for (water, message) in [
        (&[3, 6][..], "water around block (1, 0, 0): it has the index 6, but the palette has 6"),
        (&[-2, 3], "water around block (0, 0, 0): it has the index -2, which is neither"),
        (&[3, 3, -1], "there are more than 2 blocks"),
    ] {
        let lists = list(9, &[ints(&[0, 0]), ints(water)]);
        let file = structure_of(1, &[2, 1, 1], lists, &slabs_and_water());
        let error = import(file).map(|imported| imported.voxels).expect_err(message).to_string();
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
}

#[test]
fn import_with_water_can_be_cancelled_at_every_step() {
    let lists = list(9, &[ints(&[0]), ints(&[3])]);
    let file = NbtFile::little_endian(structure_of(1, &[1, 1, 1], lists, &slabs_and_water()));
    let import = |progress: &mut Progress| {
        in_memory(|target| import_nbt(&file, import_mcstructure, target, progress)).map(|_| ())
    };
    let mut steps = vec![];
    import(&mut |done| {
        steps.push(done);
        ignore_progress(done)
    })
    .unwrap();
    // After the palette, before the water, before the blocks, and at the end.
    assert_eq!(steps, [0.2, 0.2, 0.4, 1.0]);
    for calls in 0..steps.len() {
        let mut left = calls;
        let error = import(&mut |_| {
            left = left.wrapping_sub(1);
            if left == usize::MAX { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
        });
        assert!(matches!(error, Err(FormatError::Cancelled)), "{calls}: {error:?}");
    }
}

#[test]
fn water_and_contents_of_blocks_are_counted() {
    // A log on its side, planks, and a log on its side. Water surrounds the first two.
    let indices = list(9, &[ints(&[2, 1, 2]), ints(&[1, 1, -1])]);
    let with_water = structure_with(1, &[3, 1, 1], indices);
    let losses = import(with_water).unwrap().losses;
    assert_eq!((losses.shapes, losses.contents), (2, 0));
    let chest =
        [entry(10, "7"), entry(10, "block_entity_data"), entry(8, "id"), text("Chest")].concat();
    let filled =
        [&chest[..], &entry(1, "isMovable"), &[1], &entry(3, "Pages"), &[2, 0, 0, 0], &[0, 0]]
            .concat();
    let empty =
        [entry(10, "8"), entry(10, "block_entity_data"), entry(1, "isMovable"), vec![1, 0, 0]]
            .concat();
    let data = [entry(10, "block_position_data"), filled, empty, vec![0]].concat();
    let mut file = structure(&[1, 1, 1], &[1]);
    let palette = entry(9, "block_palette");
    let at = file.windows(palette.len()).position(|bytes| bytes == palette).unwrap();
    file.splice(at..at, data);
    assert_eq!(import(file).unwrap().losses.contents, 1);
}

#[test]
fn truncated_structure_is_refused_at_every_length() {
    for file in [structure(&[2, 3, 2], &[1; 12]), structure_of_arrays(&[2, 3, 2], &[1; 12])] {
        for length in 0..file.len() {
            let error = import(file[..length].to_vec()).expect_err("the file is cut off");
            assert!(!error.place().is_empty() && error.reason().len() < 300, "{length}: {error}");
        }
    }
}

#[test]
fn changed_byte_never_panics() {
    let file = structure(&[2, 3, 2], &[1, 2, 0, 3, 1, -1, 2, 2, 1, 1, 3, 0]);
    for at in 0..file.len() {
        for with in [0, 0xff, file[at] ^ 1, file[at] ^ 0x80] {
            let mut file = file.clone();
            file[at] = with;
            // Some changes yield another valid structure, so only a panic or a hang would fail the
            // test.
            let _ = import(file);
        }
    }
}

#[test]
fn malformed_structure_is_refused() {
    let long = |length: i32| {
        [entry(10, ""), entry(9, "size"), vec![3], length.to_le_bytes().to_vec(), vec![1, 0, 0, 0]]
            .concat()
    };
    for (file, message) in [
        (structure(&[2, 3], &[1; 12]), "size: it has 2 sides, not three"),
        (
            structure(&[2, 3, 0], &[1; 12]),
            "size: it is 2 x 3 x 0 blocks large: there is nothing in it",
        ),
        (structure_of_arrays(&[1, 3, 2], &[1; 12]), "there are more than 6 blocks"),
        (structure(&[2, 3, 3], &[1; 12]), "block_indices: there are 12 of 18"),
        (structure(&[2, 3, 1], &[1; 12]), "there are more than 6 blocks"),
        (structure(&[1 << 14; 3], &[1; 12]), "blocks large; at most"),
        (
            structure(&[2, 1, 1], &[1, 4]),
            "block (1, 0, 0): it has the index 4, but the palette has 4 entries",
        ),
        (structure(&[1, 1, 2], &[1, -2]), "block (0, 0, 1): it has the index -2, which is neither"),
        (structure(&[1, 1, 2], &[0, -1]), "blocks: there is nothing but air"),
        (
            [entry(10, ""), entry(9, "size"), ints(&[1; 3]), vec![0]].concat(),
            "block_indices: they are missing",
        ),
        (b"\x1f\x8bnot gzip".to_vec(), "gzip: "),
        (
            vec![9, 0, 0],
            "byte 0: this is not a Bedrock structure: NBT data begins with 10, not with 9",
        ),
        (long(i32::MAX), "the data is cut off"),
    ] {
        let error = import(file).map(|imported| imported.voxels).expect_err(message).to_string();
        assert!(error.contains(message), "{error:?} instead of {message:?}");
    }
}
