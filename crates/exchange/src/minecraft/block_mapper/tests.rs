//! Voxels of block states and of block numbers.

use super::*;

fn voxel(blocks: &mut BlockMapper, name: &str, properties: BlockProperties) -> (String, u8) {
    let state = BlockState { name: name.into(), properties: Some(Box::new(properties)) };
    let voxel = blocks.voxel_for_state(&state).unwrap();
    (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy())
}

fn new_voxel(name: &str, properties: BlockProperties) -> (String, u8) {
    voxel(&mut BlockMapper::new(), name, properties)
}

#[test]
fn state_maps_to_builtin_or_named_material() {
    for (name, expected) in [
        ("minecraft:stone", ("stone", 255)),
        ("minecraft:spruce_log", ("pine_log", 255)),
        ("minecraft:cave_air", ("air", 0)),
        ("minecraft:kelp", ("water", 255)),
        ("minecraft:diorite", ("minecraft:diorite", 255)),
        ("mod:stone", ("mod:stone", 255)),
        ("stone", ("stone", 255)),
        ("minecraft:oak_trapdoor", ("minecraft:oak_trapdoor", 47)),
        ("minecraft:infested_stone", ("minecraft:infested_stone", 255)),
        ("minecraft:oak_wood", ("minecraft:oak_wood", 255)),
    ] {
        assert_eq!(
            new_voxel(name, BlockProperties::default()),
            (expected.0.to_owned(), expected.1),
            "{name}"
        );
    }
}

#[test]
fn properties_decide_occupancy_and_material() {
    let slab =
        |kind: &str| new_voxel("minecraft:oak_slab", BlockProperties::new([("type", kind)])).1;
    assert_eq!(["bottom", "top", "double", "?"].map(slab), [127, 127, 255, 127]);
    let snow = |n: &str| new_voxel("minecraft:snow", BlockProperties::new([("layers", n)]));
    assert_eq!(["1", "4", "8", "0", "99", "x"].map(|n| snow(n).1), [31, 127, 255, 31, 255, 31]);
    let water = |n: &str| new_voxel("minecraft:water", BlockProperties::new([("level", n)]));
    assert_eq!(["0", "1", "7", "8", "15", "x"].map(|n| water(n).1), [255, 223, 31, 255, 255, 255]);
    let grass =
        |snowy: &str| new_voxel("minecraft:grass_block", BlockProperties::new([("snowy", snowy)]));
    assert_eq!((grass("true").0, grass("false").0), ("snowy_grass".to_owned(), "grass".to_owned()));
    for (name, occupancy) in
        [("tube_coral", 255), ("sea_pickle", 1), ("lantern", 17), ("oak_fence", 15)]
    {
        let name = format!("minecraft:{name}");
        let wet = BlockProperties::new([("waterlogged", "true")]);
        // A full voxel says itself that it is wet.
        let state = if occupancy == 255 { "true" } else { "false" };
        let expected = (format!("{name}[waterlogged={state}]"), occupancy);
        assert_eq!(new_voxel(&name, wet), expected, "a block in water stays");
    }
    let torch = |text: &str| {
        new_voxel("minecraft:soul_wall_torch", BlockProperties::new([("facing", text)])).0
    };
    let south = "blue_torch_wall_south";
    assert_eq!(["east", "north", "up"].map(torch), ["blue_torch_wall_west", south, south]);
    // Chests have a property `type` as well.
    let chest = new_voxel("minecraft:chest", BlockProperties::new([("type", "bottom")]));
    assert_eq!(chest, ("minecraft:chest[type=bottom]".to_owned(), 171));
}

#[test]
fn id_and_data_map_to_voxel() {
    let mut blocks = BlockMapper::new();
    let names = [(2000, "mod:engine".to_owned()), (-1, "mod:b".to_owned())];
    blocks.name_numbers(
        NumberNames::Registry,
        names.into_iter().chain([(3000, "x".repeat(MAX_NAME_BYTES + 1))]),
    );
    for (id, data, expected) in [
        (3000, 0, ("unknown:3000", 255)),
        (0, 0, ("air", 0)),
        (1, 0, ("stone", 255)),
        (1, 3, ("minecraft:diorite", 255)),
        (9, 0, ("water", 255)),
        (8, 3, ("water", 159)),
        (44, 3, ("minecraft:cobblestone_slab", 127)),
        (44, 11, ("minecraft:cobblestone_slab[type=top]", 127)),
        (67, 5, ("minecraft:cobblestone_stairs[facing=west,half=top]", 191)),
        (43, 3, ("minecraft:cobblestone_slab", 255)),
        (78, 1, ("snow", 63)),
        (80, 0, ("snow", 255)),
        (1234, 5, ("unknown:1234", 255)),
        (2000, 5, ("mod:engine", 255)),
        (54, 0, ("minecraft:chest", 171)),
        (54, 4, ("minecraft:chest[facing=west]", 171)),
        (17, 0, ("oak_log", 255)),
        (17, 5, ("pine_log[axis=x]", 255)),
        (85, 0, ("minecraft:oak_fence", 15)),
        (50, 0, ("torch", 255)),
        (50, 1, ("torch_wall_west", 255)),
        (50, 4, ("torch_wall_south", 255)),
        (50, 5, ("torch", 255)),
        (76, 2, ("red_torch_wall_east", 255)),
    ] {
        for _ in 0..2 {
            let voxel = blocks.voxel_for_id(id, data).unwrap();
            let name = blocks.materials().get(voxel.material()).unwrap().name.as_str();
            assert_eq!((name, voxel.occupancy()), expected, "{id}:{data}");
        }
    }
}

/// Names and occupancies of the blocks 1 to 5 with data 1, in a file that gives them these names.
fn named_numbers(source: NumberNames, names: [&str; 5]) -> (Vec<(String, u8)>, u64) {
    let mut blocks = BlockMapper::new();
    blocks.name_numbers(source, (1..).zip(names.map(str::to_owned)));
    let voxels = (1..6).map(|id| {
        let voxel = blocks.voxel_for_id(id, 1).unwrap();
        (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy())
    });
    let voxels = voxels.collect();
    (voxels, blocks.unread.losses().unread)
}

#[test]
fn names_decide_what_numbers_mean() {
    let pair = |name: &str, occupancy| (name.to_owned(), occupancy);
    let old = [
        "minecraft:planks",
        "minecraft:snow",
        "minecraft:stone_slab",
        "minecraft:stone",
        "minecraft:air",
    ];
    let expected = [
        pair("pine_planks", 255),
        pair("snow", 255),
        pair("minecraft:sandstone_slab", 127),
        pair("granite", 255),
        pair("air", 0),
    ];
    assert_eq!(named_numbers(NumberNames::Mapping, old), (expected.to_vec(), 0));
    assert_eq!(named_numbers(NumberNames::Registry, old), (expected.to_vec(), 0));
    // A single new name shows that all are new, so data has no meaning.
    let new = [
        "minecraft:oak_planks",
        "minecraft:snow",
        "minecraft:stone_slab",
        "stone",
        "minecraft:oak_slab[type=top]",
    ];
    let expected = [
        pair("oak_planks", 255),
        pair("snow", 31),
        pair("minecraft:stone_slab", 127),
        pair("stone", 255),
        pair("minecraft:oak_slab[type=top]", 127),
    ];
    assert_eq!(named_numbers(NumberNames::Mapping, new), (expected.to_vec(), 5));
    // In a registry all names are old.
    let (voxels, _) = named_numbers(NumberNames::Registry, new);
    assert_eq!(voxels[..2], [pair("oak_planks", 255), pair("snow", 255)]);
}

#[test]
fn missing_properties_are_those_of_the_default_state() {
    let mut blocks = BlockMapper::new();
    for (text, expected) in [
        ("oak_slab", ("minecraft:oak_slab", 127)),
        ("oak_slab[waterlogged=true]", ("minecraft:oak_slab", 127)),
        ("oak_slab[type=top]", ("minecraft:oak_slab[type=top]", 127)),
        ("oak_stairs", ("minecraft:oak_stairs", 191)),
        ("oak_log[axis=y]", ("oak_log", 255)),
        ("snow[layers=8]", ("snow[layers=8]", 255)),
        ("mod:oak_slab", ("mod:oak_slab", 127)),
        ("snow", ("snow", 31)),
        ("water", ("water", 255)),
        ("wall_torch", ("torch_wall_south", 255)),
        ("redstone_wall_torch", ("red_torch_wall_south", 255)),
        ("grass_block", ("grass", 255)),
        ("oak_trapdoor", ("minecraft:oak_trapdoor", 47)),
    ] {
        let parsed = BlockState::parse(text).unwrap();
        let voxel = blocks.voxel_for_state(&parsed).unwrap();
        let name = blocks.materials().get(voxel.material()).unwrap().name.as_str();
        assert_eq!((name, voxel.occupancy()), expected, "{text}");
        let is_waterlogged = text.contains("waterlogged=true");
        assert_eq!(voxel.liquid(), if is_waterlogged { voxel.free() } else { 0 }, "{text}");
        if is_waterlogged {
            continue;
        }
        if !parsed.properties().in_brackets(true).is_empty() {
            continue;
        }
        // A state without properties, as in a list of names.
        let named = BlockState { name: parsed.name, properties: None };
        assert_eq!(blocks.voxel_for_state(&named).unwrap(), voxel, "{text}");
    }
    assert_eq!(blocks.unread, UnreadParts::default());
}

#[test]
fn unknown_states_are_counted() {
    for text in [
        "oak_slab[type=left]",
        "oak_stairs[half=left]",
        "oak_stairs[shape=round]",
        "snow[layers=9]",
        "water[level=deep]",
        "grass_block[snowy=maybe]",
        "wall_torch[facing=up]",
        "oak_stairs[facing=up]",
        "oak_door[facing=inside]",
        "mod:carpet[color=]",
        "barrier",
    ] {
        let mut blocks = BlockMapper::new();
        blocks.voxel_for_state(&BlockState::parse(text).unwrap()).unwrap();
        assert_eq!(blocks.unread.losses().unread, 1, "{text}");
    }
    let mut blocks = BlockMapper::new();
    blocks.voxel_for_id(1, 7).unwrap();
    blocks.voxel_for_id(1, 7).unwrap();
    assert_eq!(blocks.unread.warning().unwrap(), "not read: data 7 of minecraft:stone");
}

#[test]
fn states_are_kept_in_names() {
    let mut blocks = BlockMapper::new();
    for (text, name) in [
        ("mod:carpet[kind=2,color=red]", "mod:carpet[color=red,kind=2]"),
        ("oak_leaves[distance=1,persistent=false]", "oak_leaves[distance=1,persistent=false]"),
        ("furnace[lit=false,facing=west]", "minecraft:furnace[facing=west,lit=false]"),
        ("oak_wood[axis=x]", "minecraft:oak_wood[axis=x]"),
        ("tall_grass[half=upper]", "minecraft:tall_grass[half=upper]"),
        (
            "oak_slab[type=double,waterlogged=true]",
            "minecraft:oak_slab[type=double,waterlogged=true]",
        ),
    ] {
        let voxel = blocks.voxel_for_state(&BlockState::parse(text).unwrap()).unwrap();
        assert_eq!(blocks.materials().get(voxel.material()).unwrap().name, name);
    }
    for text in
        ["kelp[age=5]", "tall_seagrass[half=upper]", "bubble_column[drag=true]", "water[level=9]"]
    {
        let voxel = blocks.voxel_for_state(&BlockState::parse(text).unwrap()).unwrap();
        assert_eq!(Some(voxel.material()), blocks.materials().water(), "{text}");
        assert_eq!(voxel.occupancy(), 255);
    }
    for (text, light) in [
        ("redstone_wall_torch[facing=east,lit=false]", 0),
        ("redstone_torch[lit=false]", 0),
        ("mod:x_slab[color=red,type=bottom]", 0),
        ("campfire[lit=true]", 15),
    ] {
        let voxel = blocks.voxel_for_state(&BlockState::parse(text).unwrap()).unwrap();
        let material = blocks.materials().get(voxel.material()).unwrap();
        let state = &text[text.find('[').unwrap()..];
        assert!(material.name.ends_with(state), "{}", material.name);
        assert_eq!(material.light, light, "{text}");
    }
    assert_eq!(blocks.unread, UnreadParts::default());
    // A state that makes the name too long is left out, and noted.
    let text = format!("mod:thing[a={}]", "x".repeat(300));
    let voxel = blocks.voxel_for_state(&BlockState::parse(&text).unwrap()).unwrap();
    assert_eq!(blocks.materials().get(voxel.material()).unwrap().name, "mod:thing");
    assert_eq!(blocks.unread.warning().unwrap(), "not read: long state of mod:thing");
}

#[test]
fn halves_of_old_doors_share_their_side() {
    let mut blocks = BlockMapper::new();
    let [lower, upper, other] =
        [(64, 6), (64, 9), (71, 9)].map(|(id, data)| blocks.voxel_for_id(id, data).unwrap());
    assert!(blocks.is_lower_door(lower) && blocks.is_upper_door(upper));
    let whole = blocks.upper_door(lower, upper).unwrap();
    let name = |blocks: &BlockMapper, voxel: Voxel| {
        blocks.materials().get(voxel.material()).unwrap().name.clone()
    };
    let expected = "minecraft:oak_door[facing=west,half=upper,hinge=right,open=true,powered=false]";
    assert_eq!(name(&blocks, whole), expected);
    // Of another door, or torn.
    assert_eq!(blocks.upper_door(lower, other).unwrap(), other);
    assert_eq!(blocks.upper_door(upper, upper).unwrap(), upper);
    assert_eq!(blocks.upper_door(Voxel::AIR, upper).unwrap(), upper);
}

#[test]
fn bad_names_and_full_material_table_are_refused() {
    let mut blocks = BlockMapper::new();
    let mut state =
        |name: String| blocks.voxel_for_state(&BlockState { name: name.into(), properties: None });
    let error = state("m:".to_owned() + &"x".repeat(255)).unwrap_err().to_string();
    assert_eq!(error, "a block's name is 257 bytes long; 1 to 256 are read");
    let error = state(String::new()).unwrap_err().to_string();
    assert_eq!(error, "a block's name is 0 bytes long; 1 to 256 are read");
    let refused = (0..70_000).find_map(|i| state(format!("mod:{i}")).err());
    assert_eq!(refused.unwrap().to_string(), "more than 65535 materials");
    assert!(state("mod:0".to_owned()).is_ok(), "a known name needs no new material");
}
