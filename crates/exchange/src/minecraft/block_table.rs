//! Tables of blocks that become built-in materials, and of blocks that become air.

use stonerun_engine::voxel::TorchMount;

/// Blocks that become air, without `minecraft:`.
const AIR: [&str; 7] =
    ["air", "cave_air", "void_air", "structure_void", "light", "barrier", "moving_piston"];

/// Built-in materials, and the blocks that become them (without `minecraft:`).
const EQUIVALENTS: &[(&str, &[&str])] = &[
    ("stone", &["stone", "infested_stone"]),
    ("deepstone", &["deepslate", "infested_deepslate"]),
    ("granite", &["granite"]),
    ("basalt", &["basalt", "smooth_basalt"]),
    ("sandstone", &["sandstone"]),
    ("red_sandstone", &["red_sandstone"]),
    ("dirt", &["dirt"]),
    ("grass", &["grass_block"]),
    ("sand", &["sand", "suspicious_sand"]),
    ("red_sand", &["red_sand"]),
    ("gravel", &["gravel", "suspicious_gravel"]),
    ("clay", &["clay"]),
    ("snow", &["snow", "snow_block", "powder_snow"]),
    ("ice", &["ice", "frosted_ice"]),
    ("water", &["water", "bubble_column", "kelp", "kelp_plant", "seagrass", "tall_seagrass"]),
    ("lava", &["lava"]),
    ("coal_ore", &["coal_ore"]),
    ("iron_ore", &["iron_ore"]),
    ("copper_ore", &["copper_ore"]),
    ("gold_ore", &["gold_ore"]),
    ("oak_log", &["oak_log", "oak_wood"]),
    ("oak_leaves", &["oak_leaves"]),
    ("pine_log", &["spruce_log", "spruce_wood"]),
    ("pine_leaves", &["spruce_leaves"]),
    ("birch_log", &["birch_log", "birch_wood"]),
    ("birch_leaves", &["birch_leaves"]),
    ("cactus", &["cactus"]),
    ("tall_grass", &["grass", "short_grass", "tall_grass", "fern", "large_fern"]),
    ("flower_red", &["poppy"]),
    ("flower_yellow", &["dandelion"]),
    ("flower_blue", &["cornflower"]),
    ("dead_bush", &["dead_bush"]),
    ("mushroom", &["brown_mushroom"]),
    ("reeds", &["sugar_cane"]),
    ("oak_sapling", &["oak_sapling"]),
    ("pine_sapling", &["spruce_sapling"]),
    ("birch_sapling", &["birch_sapling"]),
    ("wheat_4", &["wheat"]),
    ("farmland", &["farmland"]),
    ("cobblestone", &["cobblestone", "infested_cobblestone"]),
    ("mossy_cobblestone", &["mossy_cobblestone"]),
    ("stone_bricks", &["stone_bricks", "infested_stone_bricks"]),
    ("bricks", &["bricks"]),
    ("oak_planks", &["oak_planks"]),
    ("pine_planks", &["spruce_planks"]),
    ("birch_planks", &["birch_planks"]),
    ("glass", &["glass"]),
    ("obsidian", &["obsidian"]),
    ("thatch", &["hay_block"]),
    ("bookshelf", &["bookshelf"]),
    ("iron_block", &["iron_block"]),
    ("gold_block", &["gold_block"]),
    ("wool_white", &["white_wool"]),
    ("wool_red", &["red_wool"]),
    ("wool_orange", &["orange_wool"]),
    ("wool_yellow", &["yellow_wool"]),
    ("wool_green", &["green_wool"]),
    ("wool_blue", &["blue_wool"]),
    ("wool_purple", &["purple_wool"]),
    ("wool_black", &["black_wool"]),
    ("torch", &["torch", "wall_torch"]),
    ("blue_torch", &["soul_torch", "soul_wall_torch"]),
    ("red_torch", &["redstone_torch", "redstone_wall_torch"]),
];

/// Torches of the table that hang on a wall. Their `facing` selects the material for the wall.
const WALL_TORCHES: [&str; 3] = ["wall_torch", "soul_wall_torch", "redstone_wall_torch"];

/// True for the full names of torches that hang on a wall.
pub(super) fn is_wall_torch(name: &str) -> bool {
    name.strip_prefix("minecraft:").is_some_and(|short| WALL_TORCHES.contains(&short))
}

/// The mount of a torch material on a wall, and its block without `minecraft:`.
pub(super) fn wall_torch(material: &str) -> Option<(TorchMount, &'static str)> {
    let mount = TorchMount::ALL
        .into_iter()
        .find(|m| m.wall().is_some() && material.ends_with(m.name_ending()))?;
    let kind = material.strip_suffix(mount.name_ending())?;
    let (_, blocks) = EQUIVALENTS.iter().find(|(name, _)| *name == kind)?;
    Some((mount, blocks.iter().find(|block| WALL_TORCHES.contains(block))?))
}

/// True for a block (without `minecraft:`) that is written for its built-in material. Others of the
/// table only look like it.
pub(super) fn is_written(block: &str) -> bool {
    const ALSO: [&str; 3] = ["short_grass", "snow_block", "bubble_column"];
    let is_first = EQUIVALENTS.iter().any(|(_, blocks)| blocks[0] == block);
    let also = [&ALSO[..], &WALL_TORCHES, &WATER_PLANTS].concat();
    is_first || also.contains(&block)
}

/// States in which built-in materials are written, by the block's name without `minecraft:`.
const PLAIN_STATES: [(&str, &str); 18] = [
    ("basalt", "[axis=y]"),
    ("birch_leaves", LEAVES_STATE),
    ("birch_log", "[axis=y]"),
    ("birch_sapling", "[stage=0]"),
    ("cactus", "[age=0]"),
    ("deepslate", "[axis=y]"),
    ("farmland", "[moisture=0]"),
    ("grass_block", "[snowy=false]"),
    ("hay_block", "[axis=y]"),
    ("oak_leaves", LEAVES_STATE),
    ("oak_log", "[axis=y]"),
    ("oak_sapling", "[stage=0]"),
    ("redstone_torch", "[lit=true]"),
    ("spruce_leaves", LEAVES_STATE),
    ("spruce_log", "[axis=y]"),
    ("spruce_sapling", "[stage=0]"),
    ("sugar_cane", "[age=0]"),
    ("wheat", "[age=7]"),
];

/// State of leaves that do not decay.
const LEAVES_STATE: &str = "[distance=7,persistent=true]";

/// State in which a built-in material is written as `block`, which is named without `minecraft:`;
/// empty for blocks without one.
pub(super) fn plain_state(block: &str) -> &'static str {
    PLAIN_STATES.iter().find(|(name, _)| *name == block).map_or("", |(_, state)| state)
}

/// True for the full names of blocks that become air.
pub(super) fn is_air(name: &str) -> bool {
    name.strip_prefix("minecraft:").is_some_and(|short| AIR.contains(&short))
}

/// Plants that grow only under water and are imported as water.
const WATER_PLANTS: [&str; 4] = ["kelp", "kelp_plant", "seagrass", "tall_seagrass"];

/// True for blocks (without `minecraft:`) that become water in all their states.
pub(super) fn is_water(block: &str) -> bool {
    block == "bubble_column" || WATER_PLANTS.contains(&block)
}

/// True for the full names of plants that become water.
pub(super) fn is_water_plant(name: &str) -> bool {
    name.strip_prefix("minecraft:").is_some_and(|short| WATER_PLANTS.contains(&short))
}

/// Pairs of a block (without `minecraft:`) and its built-in material.
pub(super) fn equivalents() -> impl Iterator<Item = (&'static str, &'static str)> {
    EQUIVALENTS.iter().flat_map(|(material, blocks)| blocks.iter().map(|block| (*block, *material)))
}

/// The block for a built-in material, without `minecraft:`; the first one if there are several.
pub(super) fn block_for_material(material: &str) -> Option<&'static str> {
    match material {
        // The same block with the property `snowy`.
        "snowy_grass" => Some("grass_block"),
        _ => EQUIVALENTS
            .iter()
            .find(|(name, _)| *name == material)
            .map(|(_, blocks)| blocks[0])
            .or_else(|| wall_torch(material).map(|(_, block)| block)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;
    use stonerun_engine::voxel::MaterialTable;

    #[test]
    fn equivalents_are_builtin_materials_and_unique_blocks() {
        let materials = MaterialTable::builtin();
        let mut blocks = HashSet::new();
        for (block, material) in equivalents() {
            assert!(materials.find(material).is_some(), "{material}");
            assert!(blocks.insert(block), "{block} is listed twice");
        }
        assert!(EQUIVALENTS.iter().all(|(material, _)| materials.find(material).is_some()));
        assert!(WALL_TORCHES.iter().all(|torch| equivalents().any(|pair| pair.0 == *torch)));
        assert!(
            WATER_PLANTS.iter().all(|plant| equivalents().any(|pair| pair == (*plant, "water")))
        );
    }
}
