//! Translation of the Bedrock Edition's blocks to blocks of the Java Edition.
//!
//! The two editions share most names. Older files store a block's kind, colour or wood in a state
//! (`minecraft:planks`, `wood_type` = `acacia`), where the Java Edition has a name for each. Names
//! that are in no table are kept and become materials of that name. States of unknown meaning are
//! noted as unread.

mod properties;
mod tables;

use crate::minecraft::block_state::{BlockProperties, BlockState};
use tables::BedrockKind;

/// Maximum number of states kept per block.
pub(super) const MAX_STATES: usize = 32;

/// States of the Bedrock Edition that are known, in alphabetical order: they select a kind, decide
/// a voxel, or change only parts of a block that a voxel does not show.
#[rustfmt::skip]
const STATES: &[&str] = &[
    "active", "age", "age_bit", "allow_underwater_bit", "attached_bit", "attachment", "axis",
    "bamboo_leaf_size", "bamboo_stalk_thickness", "berries", "big_dripleaf_head",
    "big_dripleaf_tilt", "bite_counter", "block_light_level", "bloom", "books_stored",
    "brewing_stand_slot_a_bit", "brewing_stand_slot_b_bit", "brewing_stand_slot_c_bit",
    "brushed_progress", "button_pressed_bit", "can_summon", "candles", "cauldron_liquid", "charges",
    "check_decay", "chisel_type", "cluster_count", "color", "composter_fill_level",
    "conditional_bit", "coral_color", "coral_direction", "coral_fan_direction",
    "coral_hang_type_bit", "covered_bit", "cracked_state", "crafting", "creaking_heart_state",
    "damage", "dead_bit", "deprecated", "direction", "dirt_type", "disarmed_bit", "door_hinge_bit",
    "double_plant_type", "drag_down", "dripstone_thickness", "dusted", "egg_count",
    "end_portal_eye_bit", "explode_bit", "extinguished", "facing_direction", "fill_level",
    "flower_type", "ground_sign_direction", "growing_plant_age", "growth", "hanging", "hatch",
    "head_piece_bit", "height", "honey_level", "huge_mushroom_bits", "in_wall_bit",
    "infiniburn_bit", "item_frame_map_bit", "item_frame_photo_bit", "kelp_age", "lever_direction",
    "liquid_depth", "lit", "minecraft:block_face", "minecraft:cardinal_direction",
    "minecraft:connection_east", "minecraft:connection_north", "minecraft:connection_south",
    "minecraft:connection_west", "minecraft:corner", "minecraft:facing_direction",
    "minecraft:multi_block_part", "minecraft:vertical_half", "moisturized_amount",
    "monster_egg_stone_type", "multi_face_direction_bits", "natural", "new_leaf_type",
    "new_log_type", "no_drop_bit", "occupied_bit", "old_leaf_type", "old_log_type", "ominous",
    "open_bit", "orientation", "output_lit_bit", "output_subtract_bit",
    "pale_moss_carpet_side_east", "pale_moss_carpet_side_north", "pale_moss_carpet_side_south",
    "pale_moss_carpet_side_west", "persistent_bit", "pillar_axis", "portal_axis", "powered_bit",
    "powered_shelf_type", "prismarine_block_type", "propagule_stage", "rail_data_bit",
    "rail_direction", "redstone_signal", "rehydration_level", "repeater_delay",
    "respawn_anchor_charge", "rotation", "sand_stone_type", "sand_type", "sapling_type",
    "sculk_sensor_phase", "sea_grass_type", "segment_amount", "sponge_type", "stability",
    "stability_check", "stone_brick_type", "stone_slab_type", "stone_slab_type_1",
    "stone_slab_type_2", "stone_slab_type_3", "stone_slab_type_4", "stone_type", "stripped_bit",
    "structure_block_type", "structure_void_type", "suspended_bit", "tall_grass_type", "tilt",
    "tip", "toggle_bit", "top_slot_bit", "torch_facing_direction", "trial_spawner_state",
    "triggered_bit", "turtle_egg_count", "twisting_vines_age", "update_bit", "upper_block_bit",
    "upside_down_bit", "vault_state", "vine_direction_bits", "wall_block_type",
    "wall_connection_type_east", "wall_connection_type_north", "wall_connection_type_south",
    "wall_connection_type_west", "wall_post_bit", "weeping_vines_age", "weirdo_direction",
    "wood_type",
];

/// The Java Edition's block for a block with these states. Numbers are written as text.
pub(super) fn java_state(name: &str, states: &[(String, String)]) -> BlockState<'static> {
    let state = |name: &str| {
        states.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    };
    let Some(short) = name.strip_prefix("minecraft:") else {
        let properties = Some(Box::new(properties(name, false, states)));
        return BlockState { name: name.to_owned().into(), properties };
    };
    let kind = tables::kind(short, state);
    let renamed = tables::renamed(short).map(str::to_owned);
    let java = match &kind {
        BedrockKind::Known(block) => block.clone(),
        BedrockKind::Unstated | BedrockKind::Unknown(_) if short.starts_with("light_block") => {
            "light".to_owned()
        }
        // An unknown kind becomes a part of the name, so that it is not mistaken for a known one.
        BedrockKind::Unknown(value) => {
            format!("{value}_{}", renamed.unwrap_or_else(|| short.to_owned()))
        }
        BedrockKind::Unstated => renamed.unwrap_or_else(|| short.to_owned()),
    };
    let is_slab = java.ends_with("_slab");
    let is_double = is_slab && java.contains("double_");
    let java = if is_double { java.replace("double_", "") } else { java };
    let mut properties = properties(name, is_double, states);
    if is_slab {
        let half = if is_double { "double" } else { "bottom" };
        properties.set("type", half);
    }
    if let BedrockKind::Unknown(value) = &kind {
        properties.set_unknown(&format!("kind {value}"));
    }
    let java = with_marks(java, &state);
    BlockState { name: format!("minecraft:{java}").into(), properties: Some(Box::new(properties)) }
}

/// True for skulls and heads on a wall.
fn is_on_wall<'s>(java: &str, state: &dyn Fn(&str) -> Option<&'s str>) -> bool {
    let is_skull = java.ends_with("_skull") || java.ends_with("_head") && java != "piston_head";
    let side = state("facing_direction").and_then(|number| number.parse::<u8>().ok());
    is_skull && side.is_some_and(|side| side > 1)
}

/// Changes the Java Edition's name for states that have names of their own there: on a wall,
/// stripped, dead, tall, or with a liquid in a cauldron.
fn with_marks<'s>(java: String, state: &dyn Fn(&str) -> Option<&'s str>) -> String {
    let is_set = |name: &str| state(name) == Some("1");
    let hangs =
        state("torch_facing_direction").is_some_and(|side| !matches!(side, "top" | "unknown"));
    match java.strip_suffix("torch") {
        Some(kind) if hangs => format!("{kind}wall_torch"),
        _ if java.ends_with("hanging_sign") && !is_set("hanging") => {
            java.replace("_hanging_sign", "_wall_hanging_sign")
        }
        _ if is_on_wall(&java, state) => match java.rsplit_once('_') {
            Some((kind, skull)) => format!("{kind}_wall_{skull}"),
            None => java,
        },
        _ if java.ends_with("_wood") && is_set("stripped_bit") => format!("stripped_{java}"),
        _ if java.contains("coral") && is_set("dead_bit") && !java.starts_with("dead_") => {
            format!("dead_{java}")
        }
        _ if java == "seagrass"
            && state("sea_grass_type").is_some_and(|kind| kind.starts_with("double")) =>
        {
            "tall_seagrass".to_owned()
        }
        _ if java == "cauldron" && state("fill_level").is_some_and(|level| level != "0") => {
            let liquid = state("cauldron_liquid").unwrap_or("water");
            format!("{liquid}_cauldron")
        }
        _ => java,
    }
}

/// The Java Edition's properties that decide a voxel's shape.
fn properties(name: &str, is_double: bool, states: &[(String, String)]) -> BlockProperties {
    let mut found = BlockProperties::default();
    for (state, value) in states {
        if is_double && matches!(state.as_str(), "top_slot_bit" | "minecraft:vertical_half") {
            continue;
        }
        if !properties::set(name, state, value, &mut found)
            && STATES.binary_search(&state.as_str()).is_err()
        {
            found.set_unknown(state);
        }
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::block_mapper::BlockMapper;

    fn voxel(name: &str, states: &[(&str, &str)]) -> (String, u8) {
        let states: Vec<_> =
            states.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        let state = java_state(name, &states);
        let mut blocks = BlockMapper::new();
        let voxel = blocks.voxel_for_state(&state).unwrap();
        (blocks.materials().get(voxel.material()).unwrap().name.clone(), voxel.occupancy())
    }

    #[test]
    fn bedrock_blocks_become_java_blocks() {
        for (name, states, expected) in [
            ("minecraft:grass", &[][..], ("grass", 255)),
            ("minecraft:grass_block", &[], ("grass", 255)),
            ("minecraft:planks", &[("wood_type", "oak")], ("oak_planks", 255)),
            ("minecraft:oak_planks", &[], ("oak_planks", 255)),
            (
                "minecraft:log",
                &[("old_log_type", "spruce"), ("pillar_axis", "y")],
                ("pine_log", 255),
            ),
            (
                "minecraft:log",
                &[("old_log_type", "spruce"), ("pillar_axis", "x")],
                ("pine_log[axis=x]", 255),
            ),
            ("minecraft:stone", &[("stone_type", "granite")], ("granite", 255)),
            ("minecraft:stone", &[("stone_type", "stone")], ("stone", 255)),
            ("minecraft:concrete", &[("color", "silver")], ("minecraft:light_gray_concrete", 255)),
            ("minecraft:snow_layer", &[("height", "3")], ("snow", 127)),
            ("minecraft:snow", &[], ("snow", 255)),
            ("minecraft:water", &[("liquid_depth", "0")], ("water", 255)),
            ("minecraft:flowing_water", &[("liquid_depth", "6")], ("water", 63)),
            ("minecraft:red_flower", &[("flower_type", "poppy")], ("flower_red", 255)),
            ("minecraft:light_block_7", &[], ("air", 0)),
            ("minecraft:torch", &[("torch_facing_direction", "top")], ("torch", 255)),
            ("minecraft:torch", &[("torch_facing_direction", "west")], ("torch_wall_west", 255)),
            (
                "minecraft:soul_torch",
                &[("torch_facing_direction", "north")],
                ("blue_torch_wall_north", 255),
            ),
            ("mod:planks", &[("wood_type", "oak")], ("mod:planks", 255)),
            (
                "minecraft:stone_block_slab",
                &[("stone_slab_type", "quartz")],
                ("minecraft:quartz_slab", 127),
            ),
            (
                "minecraft:stone_slab",
                &[("stone_slab_type", "brick")],
                ("minecraft:brick_slab", 127),
            ),
            (
                "minecraft:stone_block_slab3",
                &[("stone_slab_type_3", "andesite"), ("top_slot_bit", "1")],
                ("minecraft:andesite_slab[type=top]", 127),
            ),
            ("minecraft:stone_block_slab2", &[], ("minecraft:red_sandstone_slab", 127)),
            (
                "minecraft:double_stone_block_slab4",
                &[("stone_slab_type_4", "stone"), ("top_slot_bit", "1")],
                ("minecraft:stone_slab", 255),
            ),
            (
                "minecraft:exposed_double_cut_copper_slab",
                &[],
                ("minecraft:exposed_cut_copper_slab", 255),
            ),
            ("minecraft:wooden_slab", &[("wood_type", "birch")], ("minecraft:birch_slab", 127)),
            (
                "minecraft:double_wooden_slab",
                &[("wood_type", "birch")],
                ("minecraft:birch_slab", 255),
            ),
            (
                "minecraft:cobblestone_wall",
                &[("wall_block_type", "end_brick")],
                ("minecraft:end_stone_brick_wall", 63),
            ),
            (
                "minecraft:quartz_block",
                &[("chisel_type", "lines"), ("pillar_axis", "y")],
                ("minecraft:quartz_pillar", 255),
            ),
            (
                "minecraft:wood",
                &[("wood_type", "acacia"), ("stripped_bit", "1")],
                ("minecraft:stripped_acacia_wood", 255),
            ),
            (
                "minecraft:coral_block",
                &[("coral_color", "pink"), ("dead_bit", "1")],
                ("minecraft:dead_brain_coral_block", 255),
            ),
            (
                "minecraft:stone_stairs",
                &[("weirdo_direction", "0")],
                ("minecraft:cobblestone_stairs[facing=east]", 191),
            ),
            (
                "minecraft:oak_door",
                &[("direction", "0"), ("open_bit", "1"), ("upper_block_bit", "0")],
                ("minecraft:oak_door[facing=east,half=lower,open=true]", 47),
            ),
            (
                "minecraft:oak_door",
                &[("minecraft:cardinal_direction", "south")],
                ("minecraft:oak_door[facing=east]", 47),
            ),
            (
                "minecraft:lever",
                &[("lever_direction", "down_east_west"), ("open_bit", "1")],
                ("minecraft:lever[face=ceiling,facing=east,powered=true]", 10),
            ),
            (
                "minecraft:vine",
                &[("vine_direction_bits", "4")],
                ("minecraft:vine[east=false,north=true,south=false,up=false,west=false]", 0),
            ),
            (
                "minecraft:glow_lichen",
                &[("multi_face_direction_bits", "1")],
                (
                    "minecraft:glow_lichen[down=true,east=false,north=false,south=false,up=false,west=false]",
                    0,
                ),
            ),
            (
                "minecraft:bell",
                &[("attachment", "multiple"), ("direction", "1")],
                ("minecraft:bell[attachment=double_wall,facing=west]", 27),
            ),
            (
                "minecraft:piston",
                &[("facing_direction", "2")],
                ("minecraft:piston[facing=south]", 255),
            ),
            (
                "minecraft:wither_skeleton_skull",
                &[("facing_direction", "4")],
                ("minecraft:wither_skeleton_wall_skull[facing=west]", 31),
            ),
            (
                "minecraft:silver_glazed_terracotta",
                &[],
                ("minecraft:light_gray_glazed_terracotta", 255),
            ),
        ] {
            let (material, occupancy) = voxel(name, states);
            assert_eq!((material.as_str(), occupancy), expected, "{name} {states:?}");
        }
        assert!(STATES.is_sorted());
        let slab = |name: &str, half: &str| voxel(name, &[("minecraft:vertical_half", half)]);
        assert_eq!(slab("minecraft:oak_slab", "bottom").1, 127);
        assert_eq!(slab("minecraft:oak_slab", "top").0, "minecraft:oak_slab[type=top]");
        let double = slab("minecraft:oak_double_slab", "bottom");
        assert_eq!((double.0.as_str(), double.1), ("minecraft:oak_slab", 255));
    }

    #[test]
    fn unknown_states_and_kinds_are_counted() {
        for (name, states, warning) in [
            (
                "minecraft:planks",
                [("wood_type", "oak"), ("glow", "1")],
                Some("not read: property glow of minecraft:oak_planks"),
            ),
            (
                "minecraft:stone_block_slab",
                [("stone_slab_type", "cheese"), ("top_slot_bit", "0")],
                Some("not read: property kind cheese of minecraft:cheese_smooth_stone_slab"),
            ),
            ("minecraft:planks", [("wood_type", "oak"), ("update_bit", "1")], None),
        ] {
            let states = states.map(|(name, value)| (name.to_owned(), value.to_owned()));
            let mut blocks = BlockMapper::new();
            blocks.voxel_for_state(&java_state(name, &states)).unwrap();
            assert_eq!(blocks.unread.warning().as_deref(), warning, "{name}");
        }
    }
}
