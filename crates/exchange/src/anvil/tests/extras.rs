//! Plants of two blocks, flower pots, numbers of mods' blocks, and counts of lost parts.

use super::region_files::{BlockLayout, LAYOUTS, chunk, region, section, section_of_ids, state};
use super::{at, imported};
use crate::losses::ImportLosses;
use crate::progress::ignore_progress;
use fastnbt::{Value, nbt};
use glam::IVec3;

/// Adds entries to the compound `Level`, or to the root compound where there is no `Level`.
fn with(mut chunk: Value, entries: Value) -> Value {
    let (Value::Compound(root), Value::Compound(entries)) = (&mut chunk, entries) else {
        unreachable!()
    };
    match root.get_mut("Level") {
        Some(Value::Compound(level)) => level.extend(entries),
        _ => root.extend(entries),
    }
    chunk
}

#[test]
fn upper_half_of_plant_has_kind_of_lower_half() {
    let mut low = vec![(0, 0); 4096];
    let mut high = vec![(0, 0); 4096];
    let kinds = ["sunflower", "lilac", "tall_grass", "large_fern", "rose_bush", "peony"];
    for kind in 0..6u8 {
        // A plant within one section, and a plant across the border of two sections.
        (low[usize::from(kind)], low[256 + usize::from(kind)]) = ((175, kind), (175, 8 + kind % 2));
        (low[3840 + usize::from(kind)], high[usize::from(kind)]) = ((175, kind), (175, 8));
    }
    // An upper half on stone, and upper halves in a section with nothing below.
    (low[9], low[256 + 9]) = ((1, 0), (175, 10));
    let alone = vec![(175, 9); 4096];
    // The order of sections in the file does not matter.
    let sections =
        vec![section_of_ids(5, &alone), section_of_ids(1, &high), section_of_ids(0, &low)];
    let imported = imported(region([(0, 0, &chunk(None, sections))]));
    let name =
        |x: i32, y: i32| at(&imported, IVec3::ZERO, [x, y, 0]).0.trim_start_matches("minecraft:");
    for (x, kind) in kinds.into_iter().enumerate() {
        assert_eq!([0, 1, 15, 16].map(|y| name(x as i32, y)), [kind; 4]);
    }
    assert_eq!([0, 1].map(|y| name(9, y)), ["stone", "tall_grass"]);
    assert_eq!([80, 95].map(|y| name(3, y)), ["tall_grass"; 2]);
}

#[test]
fn block_entity_names_plant_in_pot() {
    let mut blocks = vec![(0, 0); 4096];
    blocks[..6].copy_from_slice(&[(140, 0), (140, 0), (140, 9), (140, 0), (1, 0), (140, 0)]);
    let pot = |x: i32, item: Value, data: i32| nbt!({ "id": "minecraft:flower_pot", "x": x, "y": 16, "z": (-32), "Item": item, "Data": data });
    let pots = Value::List(vec![
        pot(-16, Value::String("minecraft:red_flower".to_owned()), 3),
        nbt!({ "id": "FlowerPot", "x": (-15), "y": 16, "z": (-32), "Item": 6, "Data": 2 }),
        pot(-13, Value::String("minecraft:air".to_owned()), 0),
        // The block at this position is no pot.
        pot(-12, Value::Int(81), 0),
        pot(-11, Value::Int(81), 0),
        pot(i32::MAX, Value::Int(i32::MIN), i32::MIN),
        nbt!({ "id": "FlowerPot", "y": (i32::MAX), "Item": 81 }),
    ]);
    let chunk = with(chunk(None, vec![section_of_ids(1, &blocks)]), nbt!({ "TileEntities": pots }));
    let imported = super::import_at(region([(31, 30, &chunk)]), -1, -1).unwrap();
    let names = [0, 1, 2, 3, 4, 5].map(|x| {
        let pos = imported.bounds.min + IVec3::new(x, 0, 0);
        imported
            .materials
            .get(imported.world.get(pos).material())
            .unwrap()
            .name
            .trim_start_matches("minecraft:")
    });
    assert_eq!(
        names,
        [
            "potted_azure_bluet",
            "potted_birch_sapling",
            "potted_cactus",
            "flower_pot",
            "stone",
            "potted_cactus"
        ]
    );
}

#[test]
fn numbers_of_mods_have_names_of_the_world() {
    let world = tempfile::tempdir().unwrap();
    let import = || crate::import(world.path(), &mut ignore_progress).unwrap();
    let mut blocks = vec![(0, 0); 4096];
    blocks[..2].copy_from_slice(&[(256, 3), (1, 0)]);
    std::fs::create_dir(world.path().join("region")).unwrap();
    let file = region([(0, 0, &chunk(None, vec![section_of_ids(0, &blocks)]))]);
    std::fs::write(world.path().join("region/r.0.0.mca"), file).unwrap();
    let unknown = import();
    assert!(unknown.materials.find("unknown:256").is_some() && unknown.warnings.is_empty());
    let level = nbt!({ "FML": { "Registries": { "minecraft:blocks": { "ids": [{ "K": "mod:engine", "V": 256 }] } } } });
    let level = fastnbt::to_bytes(&level).unwrap();
    std::fs::write(world.path().join("level.dat"), &level).unwrap();
    let named = import();
    assert_eq!(at(&named, IVec3::ZERO, [0, 0, 0]), ("mod:engine", 255));
    assert!(named.materials.find("unknown:256").is_none());
    std::fs::write(world.path().join("level.dat"), &level[..20]).unwrap();
    let warnings = import().warnings;
    let end = "the data is cut off; blocks of mods are named by their numbers";
    assert!(
        warnings.len() == 1
            && warnings[0].contains("level.dat: byte")
            && warnings[0].ends_with(end),
        "{warnings:?}"
    );
}

#[test]
fn losses_are_counted() {
    let palette = [
        state("minecraft:air", &[]),
        state("minecraft:oak_log", &[("axis", "y")]),
        state("minecraft:oak_stairs", &[("facing", "east"), ("waterlogged", "false")]),
        state("minecraft:oak_leaves", &[("distance", "2"), ("waterlogged", "true")]),
    ];
    let mut indices = vec![0; 4096];
    indices[..5].copy_from_slice(&[1, 2, 2, 3, 1]);
    let chest = nbt!({ "id": "minecraft:chest", "x": 0, "y": 0, "z": 0, "Items": [{ "Slot": 0i8, "Count": 1i8 }] });
    let lists = |entities: &str, block_entities: &str| {
        let mut lists = nbt!({ "Heightmaps": {} });
        let Value::Compound(map) = &mut lists else { unreachable!() };
        map.insert(entities.to_owned(), Value::List(vec![nbt!({ "id": "minecraft:pig" }); 2]));
        map.insert(
            block_entities.to_owned(),
            Value::List(vec![chest.clone(), nbt!({ "id": "minecraft:bell" })]),
        );
        lists
    };
    for layout in LAYOUTS {
        let sound = chunk(Some(layout), vec![section(layout, 0, &palette, &indices)]);
        let sound = with(
            sound,
            match layout {
                BlockLayout::Flat => lists("entities", "block_entities"),
                _ => with(lists("Entities", "TileEntities"), nbt!({ "Biomes": [I; 1] })),
            },
        );
        // The losses of a damaged chunk are not counted.
        let bad =
            with(sound.clone(), nbt!({ "sections": [{ "Y": 3000 }], "Sections": [{ "Y": 3000 }] }));
        let imported = imported(region([(0, 0, &sound), (1, 0, &bad), (2, 0, &sound)]));
        assert_eq!(imported.warnings.len(), 1);
        let expected =
            ImportLosses { entities: 4, contents: 2, biomes: 2, ..ImportLosses::default() };
        assert_eq!(imported.losses, expected, "{layout:?}");
    }
    // Stairs, a log on its side, a torch on a wall, slabs and an upright log lose nothing.
    let mut blocks = vec![(0, 0); 4096];
    blocks[..6].copy_from_slice(&[(53, 0), (17, 4), (50, 1), (44, 8), (17, 1), (44, 3)]);
    let imported = imported(region([(0, 0, &chunk(None, vec![section_of_ids(0, &blocks)]))]));
    assert_eq!(imported.losses, ImportLosses::default());
}

#[test]
fn entities_in_files_of_their_own_are_counted() {
    let world = tempfile::tempdir().unwrap();
    let stone = section(BlockLayout::Flat, 0, &[state("minecraft:stone", &[])], &[0; 4096]);
    let entities = nbt!({ "Position": [I; 0, 0], "Entities": [{ "id": "minecraft:cow" }, { "id": "minecraft:pig" }] });
    for (folder, chunk) in
        [("region", &chunk(Some(BlockLayout::Flat), vec![stone])), ("entities", &entities)]
    {
        std::fs::create_dir(world.path().join(folder)).unwrap();
        std::fs::write(
            world.path().join(folder).join("r.0.0.mca"),
            region([(0, 0, chunk), (3, 0, chunk)]),
        )
        .unwrap();
    }
    for path in ["", "region", "region/r.0.0.mca"] {
        let imported = crate::import(&world.path().join(path), &mut ignore_progress).unwrap();
        assert_eq!(
            imported.losses,
            ImportLosses { entities: 4, ..ImportLosses::default() },
            "{path}"
        );
    }
}
