//! Imports of ClassicWorld and Indev files, block by block.

mod hostile;

use super::{classic_ids, classic_world, indev, mcgalaxy};
use crate::chunk_store::{Imported, in_memory};
use crate::error::{FormatError, ImportError};
use crate::format_reader::NbtReader;
use crate::minecraft::appearance;
use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::nbt_file::NbtFile;
use crate::progress::ignore_progress;
use fastnbt::{ByteArray, Value, nbt};
use glam::IVec3;
use std::io::Write;

/// Imports unpacked NBT data into memory.
fn import(data: &[u8], read: NbtReader) -> Result<Imported, FormatError> {
    in_memory(|target| read(&NbtFile::new(data.to_vec()), target, &mut ignore_progress))
}

fn bytes(list: &[u8]) -> Value {
    Value::ByteArray(ByteArray::new(list.iter().map(|byte| *byte as i8).collect()))
}

/// A ClassicWorld file of 3 x 2 x 2 blocks with the lower and upper bits of their numbers, and
/// definitions.
fn cw_file(lower: &[u8], upper: Option<&[u8]>, definitions: Value) -> Vec<u8> {
    let mut root = nbt!({
        "FormatVersion": 1i8, "Name": "test", "UUID": (bytes(&[7; 16])), "X": 3i16, "Y": 2i16, "Z": 2i16,
        "Spawn": { "X": 1i16, "Y": 1i16, "Z": 1i16, "H": 0i8, "P": 0i8 },
        "BlockArray": (bytes(lower)),
        "Metadata": { "CPE": { "ClickDistance": { "Distance": 160i16 }, "BlockDefinitions": definitions }, "Other": {} },
    });
    let Value::Compound(map) = &mut root else { unreachable!() };
    if let Some(upper) = upper {
        map.insert("BlockArray2".to_owned(), bytes(upper));
    }
    fastnbt::to_bytes(&root).unwrap()
}

/// A definition of a block with the entries that clients write.
fn definition(id: u16, name: &str, draw: i8, shape: i8, coords: [u8; 6]) -> Value {
    nbt!({
        "ID": (id as i8), "ID2": (id as i16), "Name": name, "CollideType": 2i8, "Speed": 1.0f32, "TransmitsLight": 0i8,
        "WalkSound": 1i8, "FullBright": 1i8, "Shape": shape, "BlockDraw": draw, "Textures": (bytes(&[1; 6])),
        "Fog": (bytes(&[0, 10, 20, 30])), "Coords": (bytes(&coords)),
    })
}

/// An Indev file of 3 x 2 x 2 blocks.
fn indev_file(blocks: &[u8], data: Option<&[u8]>) -> Vec<u8> {
    let mut map = nbt!({ "Width": 3i16, "Height": 2i16, "Length": 2i16, "Blocks": (bytes(blocks)), "Spawn": [1i16, 2i16, 3i16] });
    if let (Value::Compound(map), Some(data)) = (&mut map, data) {
        map.insert("Data".to_owned(), bytes(data));
    }
    fastnbt::to_bytes(&nbt!({ "About": { "Name": "A Nice World" }, "Entities": [], "Map": map }))
        .unwrap()
}

/// A level of MCGalaxy of 3 x 2 x 2 blocks.
fn lvl_file(blocks: &[u8]) -> Vec<u8> {
    let header = [1874u16, 3, 2, 2, 1, 1, 1].map(u16::to_le_bytes);
    // The section of custom blocks begins after the blocks.
    [header.as_flattened(), &[0, 0, 0, 0], blocks, &[0xBD, 0]].concat()
}

/// Names and occupancies of all twelve voxels, x fastest, then z, then y.
fn all(imported: &Imported) -> Vec<(&str, u8)> {
    let at = |i: i32| {
        let voxel = imported.world.get(IVec3::new(i % 3 - 1, i / 6, i / 3 % 2 - 1));
        (
            imported.materials.get(voxel.material()).map_or("not loaded", |m| &*m.name),
            voxel.occupancy(),
        )
    };
    (0..12).map(at).collect()
}

#[test]
fn classic_world_imports_every_block() {
    let lower = [1, 2, 3, 4, 8, 7, 44, 12, 0, 5, 53, 36];
    let imported = import(&cw_file(&lower, None, nbt!({})), classic_world::read).unwrap();
    assert_eq!(
        all(&imported),
        [
            ("stone", 255),
            ("grass", 255),
            ("dirt", 255),
            ("cobblestone", 255),
            // The top is lowered: snow is above.
            ("water", 223),
            ("minecraft:bedrock", 255),
            ("minecraft:smooth_stone_slab", 127),
            ("sand", 255),
            ("air", 0),
            ("oak_planks", 255),
            ("snow", 63),
            ("wool_white", 255),
        ]
    );
    assert_eq!(imported.voxels, 11);
    assert_eq!(imported.bounds.size(), IVec3::new(3, 2, 2));
}

#[test]
fn classic_world_definitions_decide_voxels() {
    let full = [0, 0, 0, 16, 16, 16];
    let definitions = nbt!({
        "ExtensionVersion": 1,
        "Block66": (definition(66, "Oak Planks", 0, 16, full)),
        "Block_300": (definition(300, "Red Lamp#", 3, 16, [0, 0, 0, 16, 4, 16])),
        "Block_67": (definition(67, "Fern", 0, 0, full)),
        "Block_68": (definition(68, "Nothing", 4, 16, full)),
        "Block_69": (definition(69, "Oak Planks", 0, 16, [0, 8, 0, 16, 16, 16])),
        "Block_1": (definition(1, "Glowing Rock", 0, 16, full)),
    });
    // The tenth block lies above the fourth, which is air, so that the chunk of both exists.
    let lower = [66, 44, 67, 68, 69, 1, 200, 0, 0, 1, 0, 0];
    let upper = [0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
    let imported =
        import(&cw_file(&lower, Some(&upper), definitions), classic_world::read).unwrap();
    assert_eq!(
        all(&imported)[..7],
        [
            ("classic:oak_planks", 255),
            ("classic:red_lamp", 63),
            ("classic:fern", 255),
            ("air", 0),
            ("classic:oak_planks_69", 255),
            ("classic:glowing_rock", 255),
            ("classic:id_200", 255),
        ]
    );
    let material =
        |name: &str| imported.materials.get(imported.materials.find(name).unwrap()).unwrap();
    let lamp = material("classic:red_lamp");
    let fern = material("classic:fern");
    let planks = material("classic:oak_planks");
    assert_eq!((lamp.tint, lamp.light), ([10, 20, 30], 15));
    assert_eq!(lamp.opacity, stonerun_engine::voxel::Opacity::Translucent);
    assert_eq!(fern.shape, stonerun_engine::voxel::Shape::Cross);
    assert_eq!(planks.tint, appearance::for_block("minecraft:oak_planks").0.tint);
}

#[test]
fn defined_blocks_of_equal_name_stay_distinct() {
    let full = [0, 0, 0, 16, 16, 16];
    let definitions = nbt!({
        "Block3": (definition(3, "Teal Wool", 0, 16, full)),
        "Block70": (definition(70, "Lamp", 0, 16, full)),
        "Block71": (definition(71, "Lamp 72", 0, 16, full)),
        "Block72": (definition(72, "Lamp", 3, 16, full)),
    });
    let imported = import(
        &cw_file(&[3, 70, 71, 72, 26, 0, 0, 0, 0, 0, 0, 0], None, definitions),
        classic_world::read,
    )
    .unwrap();
    let names = [
        "classic:teal_wool_3",
        "classic:lamp",
        "classic:lamp_72",
        "classic:lamp_72_72",
        "classic:teal_wool",
    ];
    assert_eq!(all(&imported)[..5], names.map(|name| (name, 255)));
    let opacity = |name: &str| {
        imported.materials.get(imported.materials.find(name).unwrap()).unwrap().opacity
    };
    assert_eq!(opacity("classic:lamp_72"), stonerun_engine::voxel::Opacity::Opaque);
    assert_eq!(opacity("classic:lamp_72_72"), stonerun_engine::voxel::Opacity::Translucent);
}

#[test]
fn mcgalaxy_level_imports_every_block() {
    let imported =
        import(&lvl_file(&[1, 2, 111, 9, 163, 160, 44, 12, 0, 100, 230, 36]), mcgalaxy::read)
            .unwrap();
    let names = all(&imported);
    assert_eq!(
        names,
        [
            ("stone", 255),
            ("grass", 255),
            ("oak_log", 255),
            // The top is lowered: glass is above.
            ("water", 223),
            ("classic:custom_block", 255),
            ("air", 0),
            ("minecraft:smooth_stone_slab", 127),
            ("sand", 255),
            ("air", 0),
            ("glass", 255),
            ("classic:aqua_wool", 255),
            ("wool_white", 255),
        ]
    );
    // Sides x, z and y that all differ.
    let header = [1874u16, 2, 3, 4, 0, 0, 0].map(u16::to_le_bytes);
    let level = [header.as_flattened(), &[0; 4], &[1; 24]].concat();
    assert_eq!(import(&level, mcgalaxy::read).unwrap().bounds.size(), IVec3::new(2, 4, 3));
}

#[test]
fn indev_world_imports_every_block() {
    let blocks = [1, 21, 52, 53, 55, 56, 8, 50, 3, 9, 78, 255];
    // The lower half of each byte is light.
    let mut data = [15; 12];
    data[6] = 0x3F;
    data[10] = 0x1F;
    let imported = import(&indev_file(&blocks, Some(&data)), indev::read).unwrap();
    assert_eq!(
        all(&imported),
        [
            ("stone", 255),
            ("wool_red", 255),
            ("water", 223),
            // The top is lowered: water, not lava, is above.
            ("lava", 223),
            ("indev:cog", 255),
            ("minecraft:diamond_ore", 255),
            ("water", 159),
            ("torch", 255),
            ("dirt", 255),
            ("water", 223),
            ("snow", 63),
            ("minecraft:structure_block", 255),
        ]
    );
    assert_eq!(import(&indev_file(&blocks, None), indev::read).unwrap().voxels, 12);
}

#[test]
fn import_selects_format_by_extension_and_can_be_cancelled() {
    let folder = tempfile::tempdir().unwrap();
    for (name, data) in [
        ("a.cw", cw_file(&[1; 12], None, nbt!({}))),
        ("A.MCLEVEL", indev_file(&[1; 12], None)),
        ("a.lvl", lvl_file(&[1; 12])),
    ] {
        let mut gzip = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
        gzip.write_all(&data).unwrap();
        let path = folder.path().join(name);
        std::fs::write(&path, gzip.finish().unwrap()).unwrap();
        let mut steps = vec![];
        let imported = crate::import(&path, &mut |done| {
            steps.push(done);
            ignore_progress(done)
        });
        assert_eq!(imported.unwrap().voxels, 12, "{name}");
        assert!(steps.is_sorted() && steps.last() == Some(&1.0));
        let end = |_| std::ops::ControlFlow::Break(());
        assert!(matches!(crate::import(&path, &mut { end }), Err(ImportError::Cancelled { .. })));
    }
}

#[test]
fn world_of_several_chunks_imports_every_block() {
    // 70 x 3 x 70: several chunks along x and z.
    let blocks: Vec<u8> = (0..70 * 3 * 70).map(|i: u32| (i * 7919 % 6) as u8).collect();
    let root = nbt!({ "FormatVersion": 1i8, "X": 70i16, "Y": 3i16, "Z": 70i16, "BlockArray": (bytes(&blocks)) });
    let imported = import(&fastnbt::to_bytes(&root).unwrap(), classic_world::read).unwrap();
    let mut mapper = BlockMapper::new();
    for (i, id) in blocks.iter().enumerate() {
        let i = i as i32;
        let at = IVec3::new(i % 70 - 35, i / 4900, i / 70 % 70 - 35);
        let expected = classic_ids::voxel(&mut mapper, u16::from(*id)).unwrap().unwrap();
        assert_eq!(imported.world.get(at), expected, "{at}");
    }
}

#[test]
fn faulty_ends_are_warnings_and_losses_are_counted() {
    let folder = tempfile::tempdir().unwrap();
    let blocks = [1, 2, 3, 4, 8, 7, 44, 12, 0, 5, 53, 36];
    let plain = cw_file(&blocks, None, nbt!({}));
    let mut packer = flate2::write::GzEncoder::new(vec![], flate2::Compression::fast());
    packer.write_all(&plain).unwrap();
    let packed = packer.finish().unwrap();
    let path = folder.path().join("a.cw");
    for (file, fault) in [
        (packed[..packed.len() - 8].to_vec(), "the packed data has no end"),
        ([&packed[..], &[0; 4]].concat(), "the packed data is followed by 4 bytes"),
    ] {
        std::fs::write(&path, file).unwrap();
        let made = crate::import(&path, &mut ignore_progress).unwrap();
        let line = format!("{}: {fault}; its content is complete", path.display());
        assert_eq!((made.voxels, made.warnings), (11, vec![line]));
    }
    let chest = nbt!({ "Items": [{ "Slot": 0i8, "Count": 1i8 }] });
    let Ok(Value::Compound(mut root)) = fastnbt::from_bytes(&indev_file(&blocks, None)) else {
        unreachable!()
    };
    root.insert("Entities".to_owned(), nbt!([{ "id": "Pig" }, { "id": "Pig" }]));
    root.insert("TileEntities".to_owned(), nbt!([chest]));
    let made = import(&fastnbt::to_bytes(&Value::Compound(root)).unwrap(), indev::read).unwrap();
    assert_eq!((made.losses.entities, made.losses.contents), (2, 1));
    let mut custom = blocks;
    custom[3] = 163;
    assert_eq!(import(&lvl_file(&custom), mcgalaxy::read).unwrap().losses.unread, 1);
}
