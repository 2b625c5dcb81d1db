//! Blocks of the Bedrock Edition as blocks of the Java Edition.
//!
//! Most names are equal. Older files keep a block's kind, colour or wood in a state
//! (`minecraft:planks`, `wood_type` = `acacia`); the Java Edition has a name for each. Names that are
//! in no table stay as they are and become materials of that name.

use crate::exchange::minecraft::block_state::{BlockProperties, BlockState};

/// Most states of a block that are kept.
pub(super) const MAX_STATES: usize = 32;

/// Blocks with other names, without `minecraft:`.
const NAMES: &[(&str, &str)] = &[
    ("grass", "grass_block"),
    ("snow_layer", "snow"),
    ("snow", "snow_block"),
    ("flowing_water", "water"),
    ("flowing_lava", "lava"),
    ("reeds", "sugar_cane"),
    ("waterlily", "lily_pad"),
    ("web", "cobweb"),
    ("deadbush", "dead_bush"),
    ("yellow_flower", "dandelion"),
    ("brick_block", "bricks"),
    ("nether_brick", "nether_bricks"),
    ("red_nether_brick", "red_nether_bricks"),
    ("stonebrick", "stone_bricks"),
    ("end_bricks", "end_stone_bricks"),
    ("hardened_clay", "terracotta"),
    ("lit_pumpkin", "jack_o_lantern"),
    ("magma", "magma_block"),
    ("sealantern", "sea_lantern"),
    ("seaLantern", "sea_lantern"),
    ("melon_block", "melon"),
    ("noteblock", "note_block"),
    ("slime", "slime_block"),
    ("quartz_ore", "nether_quartz_ore"),
    ("mob_spawner", "spawner"),
    ("monster_egg", "infested_stone"),
    ("lit_furnace", "furnace"),
    ("lit_redstone_ore", "redstone_ore"),
    ("lit_redstone_lamp", "redstone_lamp"),
    ("golden_rail", "powered_rail"),
    ("trip_wire", "tripwire"),
    ("dirt_with_roots", "rooted_dirt"),
    ("azalea_leaves_flowered", "flowering_azalea_leaves"),
    ("invisible_bedrock", "barrier"),
    ("concretePowder", "concrete_powder"),
];

/// Blocks whose name in the Java Edition is `VALUE_BLOCK`: the name, the state, the block.
const PREFIXED: &[(&str, &str, &str)] = &[
    ("planks", "wood_type", "planks"),
    ("log", "old_log_type", "log"),
    ("log2", "new_log_type", "log"),
    ("wood", "wood_type", "wood"),
    ("leaves", "old_leaf_type", "leaves"),
    ("leaves2", "new_leaf_type", "leaves"),
    ("sapling", "sapling_type", "sapling"),
    ("fence", "wood_type", "fence"),
    ("wooden_slab", "wood_type", "slab"),
    ("double_wooden_slab", "wood_type", "double_slab"),
    ("wool", "color", "wool"),
    ("carpet", "color", "carpet"),
    ("concrete", "color", "concrete"),
    ("concrete_powder", "color", "concrete_powder"),
    ("concretePowder", "color", "concrete_powder"),
    ("stained_glass", "color", "stained_glass"),
    ("stained_glass_pane", "color", "stained_glass_pane"),
    ("stained_hardened_clay", "color", "terracotta"),
    ("shulker_box", "color", "shulker_box"),
];

/// Kinds with names of their own: the name, the state, its value, the block.
const KINDS: &[(&str, &str, &str, &str)] = &[
    ("stone", "stone_type", "granite", "granite"),
    ("stone", "stone_type", "granite_smooth", "polished_granite"),
    ("stone", "stone_type", "diorite", "diorite"),
    ("stone", "stone_type", "diorite_smooth", "polished_diorite"),
    ("stone", "stone_type", "andesite", "andesite"),
    ("stone", "stone_type", "andesite_smooth", "polished_andesite"),
    ("dirt", "dirt_type", "coarse", "coarse_dirt"),
    ("sand", "sand_type", "red", "red_sand"),
    ("stonebrick", "stone_brick_type", "mossy", "mossy_stone_bricks"),
    ("stonebrick", "stone_brick_type", "cracked", "cracked_stone_bricks"),
    ("stonebrick", "stone_brick_type", "chiseled", "chiseled_stone_bricks"),
    ("tallgrass", "tall_grass_type", "tall", "short_grass"),
    ("tallgrass", "tall_grass_type", "fern", "fern"),
    ("red_flower", "flower_type", "poppy", "poppy"),
    ("red_flower", "flower_type", "orchid", "blue_orchid"),
    ("red_flower", "flower_type", "allium", "allium"),
    ("red_flower", "flower_type", "houstonia", "azure_bluet"),
    ("red_flower", "flower_type", "tulip_red", "red_tulip"),
    ("red_flower", "flower_type", "tulip_orange", "orange_tulip"),
    ("red_flower", "flower_type", "tulip_white", "white_tulip"),
    ("red_flower", "flower_type", "tulip_pink", "pink_tulip"),
    ("red_flower", "flower_type", "oxeye", "oxeye_daisy"),
    ("red_flower", "flower_type", "cornflower", "cornflower"),
    ("red_flower", "flower_type", "lily_of_the_valley", "lily_of_the_valley"),
    ("double_plant", "double_plant_type", "sunflower", "sunflower"),
    ("double_plant", "double_plant_type", "syringa", "lilac"),
    ("double_plant", "double_plant_type", "grass", "tall_grass"),
    ("double_plant", "double_plant_type", "fern", "large_fern"),
    ("double_plant", "double_plant_type", "rose", "rose_bush"),
    ("double_plant", "double_plant_type", "paeonia", "peony"),
];

/// The block of the Java Edition for a block with its states, numbers as text.
pub(super) fn java_state(name: &str, states: &[(String, String)]) -> BlockState<'static> {
    let state = |name: &str| states.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str());
    let properties = Some(Box::new(properties(name, states)));
    let Some(short) = name.strip_prefix("minecraft:") else {
        return BlockState { name: name.to_owned().into(), properties };
    };
    let kind = KINDS.iter().find(|(known, name, value, _)| *known == short && state(name) == Some(*value));
    let mut prefixed = PREFIXED.iter().filter(|(known, ..)| *known == short);
    let prefixed = prefixed.find_map(|(_, name, block)| Some((state(name)?, block)));
    let renamed = NAMES.iter().find(|(known, _)| *known == short);
    let java = match (kind, prefixed, renamed) {
        (Some((.., block)), ..) => (*block).to_owned(),
        // The Bedrock Edition calls light grey silver.
        (None, Some(("silver", block)), _) => format!("light_gray_{block}"),
        (None, Some((value, block)), _) => format!("{value}_{block}"),
        (None, None, Some((_, block))) => (*block).to_owned(),
        (None, None, None) if short.starts_with("light_block") => "light".to_owned(),
        (None, None, None) => short.to_owned(),
    };
    let java = java.replace("_double_slab", "_slab");
    let hangs = state("torch_facing_direction").is_some_and(|side| !matches!(side, "top" | "unknown"));
    let java = match java.strip_suffix("torch") {
        Some(kind) if hangs => format!("{kind}wall_torch"),
        _ => java,
    };
    BlockState { name: format!("minecraft:{java}").into(), properties }
}

/// The properties of the Java Edition that decide a voxel.
fn properties(name: &str, states: &[(String, String)]) -> BlockProperties {
    let mut properties = BlockProperties::default();
    if name.ends_with("_slab") {
        let is_double = name.contains("double_");
        properties.r#type = Some(if is_double { "double" } else { "bottom" }.into());
    }
    for (state, value) in states {
        match (state.as_str(), value.as_str()) {
            ("top_slot_bit", "1") | ("minecraft:vertical_half", "top") if !name.contains("double_") => {
                properties.set("type", "top");
            }
            // 0 is one layer.
            ("height", layers) if name.ends_with(":snow_layer") => {
                let layers = layers.parse::<u8>().map_or(1, |layers| layers.saturating_add(1));
                properties.set("layers", &layers.to_string());
            }
            ("liquid_depth", level) => properties.set("level", level),
            ("upside_down_bit", "1") => properties.set("half", "top"),
            ("pillar_axis", axis) => properties.set("axis", axis),
            ("facing_direction" | "direction" | "weirdo_direction" | "minecraft:cardinal_direction", value)
            | ("minecraft:facing_direction" | "minecraft:block_face", value) => {
                properties.set("facing", value);
            }
            // The side of the wall; the Java Edition has the side that the torch leans to.
            ("torch_facing_direction", "east") => properties.set("facing", "west"),
            ("torch_facing_direction", "west") => properties.set("facing", "east"),
            ("torch_facing_direction", "south") => properties.set("facing", "north"),
            ("torch_facing_direction", "north") => properties.set("facing", "south"),
            _ => {}
        }
    }
    properties
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exchange::minecraft::block_mapper::BlockMapper;

    fn voxel(name: &str, states: &[(&str, &str)]) -> (String, u8, bool) {
        let states: Vec<_> = states.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let state = java_state(name, &states);
        let mut blocks = BlockMapper::new();
        let voxel = blocks.voxel_for_state(&state).unwrap();
        let lost = state.loses_shape();
        (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy(), lost)
    }

    #[test]
    fn bedrock_blocks_become_java_blocks() {
        for (name, states, expected) in [
            ("minecraft:grass", &[][..], ("grass", 255, false)),
            ("minecraft:grass_block", &[], ("grass", 255, false)),
            ("minecraft:planks", &[("wood_type", "oak")], ("oak_planks", 255, false)),
            ("minecraft:oak_planks", &[], ("oak_planks", 255, false)),
            ("minecraft:log", &[("old_log_type", "spruce"), ("pillar_axis", "y")], ("pine_log", 255, false)),
            ("minecraft:log", &[("old_log_type", "spruce"), ("pillar_axis", "x")], ("pine_log", 255, true)),
            ("minecraft:stone", &[("stone_type", "granite")], ("granite", 255, false)),
            ("minecraft:stone", &[("stone_type", "stone")], ("stone", 255, false)),
            ("minecraft:concrete", &[("color", "silver")], ("minecraft:light_gray_concrete", 255, false)),
            ("minecraft:snow_layer", &[("height", "3")], ("snow", 127, false)),
            ("minecraft:snow", &[], ("snow", 255, false)),
            ("minecraft:water", &[("liquid_depth", "0")], ("water", 255, false)),
            ("minecraft:flowing_water", &[("liquid_depth", "6")], ("water", 63, false)),
            ("minecraft:red_flower", &[("flower_type", "poppy")], ("flower_red", 255, false)),
            ("minecraft:light_block_7", &[], ("air", 0, false)),
            ("minecraft:torch", &[("torch_facing_direction", "top")], ("torch", 255, false)),
            ("minecraft:torch", &[("torch_facing_direction", "west")], ("torch_wall_west", 255, false)),
            ("minecraft:soul_torch", &[("torch_facing_direction", "north")], ("blue_torch_wall_north", 255, false)),
            ("mod:planks", &[("wood_type", "oak")], ("mod:planks", 255, false)),
        ] {
            let (material, occupancy, lost) = voxel(name, states);
            assert_eq!((material.as_str(), occupancy, lost), expected, "{name} {states:?}");
        }
        let slab = |name: &str, half: &str| voxel(name, &[("minecraft:vertical_half", half)]);
        assert_eq!(slab("minecraft:oak_slab", "bottom").1, 127);
        assert_eq!(slab("minecraft:oak_slab", "top").1, 255);
        let double = slab("minecraft:oak_double_slab", "bottom");
        assert_eq!((double.0.as_str(), double.1), ("minecraft:oak_slab", 255));
    }
}
