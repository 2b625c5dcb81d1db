//! States of Minecraft's blocks, and shapes of the game's.

use crate::minecraft::block_mapper::BlockMapper;
use crate::minecraft::block_state::BlockState;
use crate::scene::{Scene, SceneBuilder};
use glam::IVec3;
use stonerun_engine::voxel::{Box3, MaterialTable, Shape, Voxel};
use stonerun_engine::world::{Chunk, World};

/// Blocks, each with its properties and their values: `name=value|value`.
const BLOCKS: &[(&str, &[&str])] = &[
    ("oak_log", &["axis=x|y|z"]),
    ("stripped_birch_wood", &["axis=x|y|z"]),
    ("quartz_pillar", &["axis=x|y|z"]),
    (
        "oak_stairs",
        &[
            "facing=north|east|south|west",
            "half=top|bottom",
            "shape=straight|inner_left|inner_right|outer_left|outer_right",
            "waterlogged=true|false",
        ],
    ),
    (
        "stone_brick_stairs",
        &["facing=north|west", "half=top", "shape=straight", "waterlogged=true"],
    ),
    ("oak_slab", &["type=top|bottom|double", "waterlogged=false"]),
    ("cobblestone_slab", &["type=top|bottom", "waterlogged=true"]),
    (
        "oak_fence",
        &[
            "east=true|false",
            "north=true|false",
            "south=true|false",
            "waterlogged=true|false",
            "west=true|false",
        ],
    ),
    (
        "cobblestone_wall",
        &[
            "east=none|low|tall",
            "north=none|low|tall",
            "south=none|low|tall",
            "up=true|false",
            "waterlogged=false",
            "west=none|low|tall",
        ],
    ),
    (
        "mossy_cobblestone_wall",
        &["east=none", "north=low", "south=tall", "up=true", "waterlogged=true", "west=none"],
    ),
    (
        "glass_pane",
        &[
            "east=true|false",
            "north=true|false",
            "south=true",
            "waterlogged=true|false",
            "west=false",
        ],
    ),
    (
        "iron_bars",
        &[
            "east=true|false",
            "north=true|false",
            "south=false",
            "waterlogged=false",
            "west=true|false",
        ],
    ),
    (
        "oak_door",
        &[
            "facing=north|east|south|west",
            "half=upper|lower",
            "hinge=left|right",
            "open=true|false",
            "powered=true|false",
        ],
    ),
    (
        "oak_trapdoor",
        &[
            "facing=north|east|south|west",
            "half=top|bottom",
            "open=true|false",
            "powered=false",
            "waterlogged=true|false",
        ],
    ),
    (
        "oak_fence_gate",
        &["facing=north|east", "in_wall=true|false", "open=true|false", "powered=true|false"],
    ),
    ("ladder", &["facing=north|east|south|west", "waterlogged=true|false"]),
    ("lantern", &["hanging=true|false", "waterlogged=true|false"]),
    ("chain", &["axis=x|y|z", "waterlogged=true|false"]),
    ("end_rod", &["facing=up|down|north|east|south|west"]),
    (
        "stone_button",
        &["face=floor|wall|ceiling", "facing=north|east|south|west", "powered=true|false"],
    ),
    ("lever", &["face=floor|wall|ceiling", "facing=north|east|south|west", "powered=true|false"]),
    ("stone_pressure_plate", &["powered=true|false"]),
    ("red_bed", &["facing=north|east|south|west", "occupied=false", "part=head|foot"]),
    ("oak_sign", &["rotation=0|1|2|3|4|5|6|7|8|9|10|11|12|13|14|15", "waterlogged=false"]),
    ("oak_wall_sign", &["facing=north|east|south|west", "waterlogged=true|false"]),
    ("white_banner", &["rotation=0|3|15"]),
    ("white_wall_banner", &["facing=north|east|south|west"]),
    (
        "rail",
        &[
            "shape=north_south|east_west|ascending_north|ascending_east|ascending_south|ascending_west|south_east|south_west|north_west|north_east",
            "waterlogged=false",
        ],
    ),
    (
        "chest",
        &["facing=north|east|south|west", "type=single|left|right", "waterlogged=true|false"],
    ),
    ("ender_chest", &["facing=south", "waterlogged=false"]),
    ("barrel", &["facing=up|north", "open=true|false"]),
    ("furnace", &["facing=north|east|south|west", "lit=true|false"]),
    (
        "redstone_wire",
        &["east=up|side|none", "north=side|none", "power=0|7|15", "south=none", "west=side|none"],
    ),
    ("repeater", &["delay=1|4", "facing=north|west", "locked=false", "powered=true|false"]),
    ("comparator", &["facing=north|west", "mode=compare|subtract", "powered=false"]),
    ("piston", &["extended=true|false", "facing=up|down|north|east|south|west"]),
    ("piston_head", &["facing=up|north", "short=true|false", "type=normal|sticky"]),
    ("observer", &["facing=down|west", "powered=true|false"]),
    ("vine", &["east=true|false", "north=true", "south=false", "up=true|false", "west=false"]),
    ("snow", &["layers=1|2|3|4|5|6|7|8"]),
    ("farmland", &["moisture=0|7"]),
    ("carrots", &["age=0|7"]),
    ("wheat", &["age=0|1|2|3|4|5|6|7"]),
    ("cake", &["bites=0|1|2|3|4|5|6"]),
    ("candle", &["candles=1|2|3|4", "lit=true|false", "waterlogged=false"]),
    ("torch", &[]),
    ("wall_torch", &["facing=north|east|south|west"]),
    ("redstone_torch", &["lit=true|false"]),
    ("redstone_wall_torch", &["facing=north|east|south|west", "lit=true|false"]),
    ("oak_leaves", &["distance=1|7", "persistent=true|false"]),
    ("grass_block", &["snowy=true|false"]),
    ("podzol", &["snowy=true|false"]),
    ("tall_grass", &["half=upper|lower"]),
    ("sunflower", &["half=upper|lower"]),
    ("water", &["level=0|2|3|4|5|6|7"]),
    ("lava", &["level=0|2|4|6"]),
    ("hopper", &["enabled=true|false", "facing=down|north"]),
    ("lectern", &["facing=north|east", "has_book=true|false", "powered=false"]),
    (
        "bell",
        &["attachment=floor|ceiling|single_wall|double_wall", "facing=north|east", "powered=false"],
    ),
    (
        "campfire",
        &["facing=north", "lit=true|false", "signal_fire=true|false", "waterlogged=false"],
    ),
    ("scaffolding", &["bottom=true|false", "distance=0|7", "waterlogged=false"]),
    ("jigsaw", &["orientation=down_east|up_north|west_up"]),
    ("player_head", &["rotation=0|9"]),
    ("amethyst_cluster", &["facing=up|down|north", "waterlogged=true|false"]),
    (
        "pointed_dripstone",
        &["thickness=tip|middle|base", "vertical_direction=up|down", "waterlogged=false"],
    ),
    ("note_block", &["instrument=harp|bass", "note=0|24", "powered=false"]),
    ("infested_stone", &[]),
    ("bedrock", &[]),
    ("cherry_planks", &[]),
    ("flower_pot", &[]),
    ("potted_poppy", &[]),
    ("mod:thing", &["a=b|c", "lit=true|false"]),
    ("mod:plain/block.2", &[]),
    ("mod:marble_stairs", &["facing=east", "half=top", "shape=straight", "waterlogged=true|false"]),
    ("mod:marble_slab", &["type=top|bottom|double", "waterlogged=false"]),
    ("mod:marble_wall", &["east=true", "lamp=red"]),
    ("mod:marble_fence", &[]),
    ("mod:maple_leaves", &["distance=3"]),
    ("mod:oak_leaves", &[]),
    ("mod:shaft", &["axis=x|y|z", "waterlogged=true|false"]),
];

/// Shapes of the game's blocks at their places, which join to each other.
const SHAPES: &[([i32; 3], &str, &str)] = &[
    ([0, 0, 0], "oak_planks", "stairs,north,top"),
    ([2, 0, 0], "pine_planks", "stairs,west,inner_left"),
    ([4, 0, 0], "stone_bricks", "slab,top"),
    ([6, 0, 0], "oak_planks", "fence"),
    ([7, 0, 0], "oak_planks", "fence"),
    ([7, 0, 1], "birch_planks", "fence"),
    ([8, 0, 0], "stone", "block"),
    ([10, 0, 0], "cobblestone", "wall"),
    ([11, 0, 0], "cobblestone", "wall"),
    ([12, 0, 0], "cobblestone", "wall"),
    ([11, 1, 0], "stone", "block"),
    ([14, 0, 0], "glass", "pane"),
    ([15, 0, 0], "iron_block", "pane"),
    ([17, 0, 0], "oak_planks", "gate,east,open"),
    ([19, 0, 0], "oak_planks", "panel,top"),
    ([21, 0, 0], "oak_planks", "ladder,south"),
];

/// All states of [`BLOCKS`], as Minecraft writes them.
pub(super) fn states() -> Vec<String> {
    let mut all = vec![];
    for (block, properties) in BLOCKS {
        let full =
            if block.contains(':') { (*block).to_owned() } else { format!("minecraft:{block}") };
        let mut texts = vec![String::new()];
        for property in *properties {
            let (name, values) = property.split_once('=').unwrap();
            let with = |text: &String| -> Vec<String> {
                let comma = if text.is_empty() { "" } else { "," };
                values.split('|').map(|value| format!("{text}{comma}{name}={value}")).collect()
            };
            texts = texts.iter().map(with).collect::<Vec<_>>().concat();
        }
        let state = |text: String| match text.is_empty() {
            true => full.clone(),
            false => format!("{full}[{text}]"),
        };
        all.extend(texts.into_iter().map(state));
    }
    all
}

/// Position of the state of this index. States do not touch.
pub(super) fn place(index: usize) -> IVec3 {
    let i = index as i32;
    IVec3::new(i % 10 * 2, -64 + i / 100 * 2, i / 10 % 10 * 2)
}

/// A world of all states at their places, shapes far above them, and blocks at the highest and
/// lowest heights of Minecraft's overworld.
pub(super) fn scene() -> Scene {
    let mut blocks = BlockMapper::new();
    let mut voxels = vec![];
    for (index, state) in states().iter().enumerate() {
        let parsed = BlockState::parse(state).unwrap();
        voxels.push((place(index), blocks.voxel_for_state(&parsed).unwrap()));
    }
    assert_eq!(blocks.unread.warning(), None);
    let mut table = blocks.into_materials();
    for &(at, block, words) in SHAPES {
        let whole = table.get(table.find(block).unwrap()).unwrap().clone();
        let shape = Shape::from_words(words).unwrap_or(Shape::Cube);
        let material = whole.reshaped(shape).unwrap();
        let occupancy = material.shape.row().fill.unwrap_or(u8::MAX);
        let id = table.add(material).unwrap();
        voxels.push((IVec3::from(at) + IVec3::Y * 260, Voxel::new(id, occupancy)));
    }
    let stone = Voxel::full(table.find("stone").unwrap());
    voxels.extend([(IVec3::new(-1, -64, -1), stone), (IVec3::new(30, 319, 30), stone)]);
    scene_of(&voxels, table)
}

/// A scene of these voxels.
pub(super) fn scene_of(voxels: &[(IVec3, Voxel)], table: MaterialTable) -> Scene {
    let mut world = World::new();
    for &(at, voxel) in voxels {
        let area = Box3 { min: at, max: at + 1 };
        for pos in area.chunks().filter(|pos| !world.is_loaded(*pos)).collect::<Vec<_>>() {
            world.insert(pos, Chunk::uniform(Voxel::AIR));
        }
        world.set(at, voxel);
    }
    let mut builder = SceneBuilder::new(None);
    for (pos, chunk) in world.chunks() {
        builder.add(pos, chunk.clone());
    }
    builder.finish(table).unwrap()
}
