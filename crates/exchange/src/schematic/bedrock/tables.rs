//! Names and kinds of the Bedrock Edition's blocks until 1.20.
//!
//! Older versions store a block's kind in a state; 1.21 has a name for each kind, as the Java
//! Edition. Source: Bedrock wiki and Minecraft wiki, "Bedrock Edition data values".

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Pairs of a block and its name in the Java Edition, without `minecraft:`. For a block of several
/// kinds this is the first kind.
const NAMES: &str = "
    grass grass_block
    snow_layer snow
    snow snow_block
    flowing_water water
    flowing_lava lava
    reeds sugar_cane
    waterlily lily_pad
    web cobweb
    deadbush dead_bush
    yellow_flower dandelion
    brick_block bricks
    nether_brick nether_bricks
    red_nether_brick red_nether_bricks
    stonebrick stone_bricks
    end_bricks end_stone_bricks
    hardened_clay terracotta
    lit_pumpkin jack_o_lantern
    magma magma_block
    sealantern sea_lantern
    seaLantern sea_lantern
    melon_block melon
    noteblock note_block
    slime slime_block
    quartz_ore nether_quartz_ore
    mob_spawner spawner
    monster_egg infested_stone
    lit_furnace furnace
    lit_redstone_ore redstone_ore
    lit_redstone_lamp redstone_lamp
    golden_rail powered_rail
    trip_wire tripwire
    dirt_with_roots rooted_dirt
    azalea_leaves_flowered flowering_azalea_leaves
    invisible_bedrock barrier
    wooden_button oak_button
    wooden_door oak_door
    wooden_pressure_plate oak_pressure_plate
    trapdoor oak_trapdoor
    fence_gate oak_fence_gate
    fence oak_fence
    standing_sign oak_sign
    wall_sign oak_wall_sign
    spruce_standing_sign spruce_sign
    birch_standing_sign birch_sign
    jungle_standing_sign jungle_sign
    acacia_standing_sign acacia_sign
    darkoak_standing_sign dark_oak_sign
    darkoak_wall_sign dark_oak_wall_sign
    mangrove_standing_sign mangrove_sign
    cherry_standing_sign cherry_sign
    bamboo_standing_sign bamboo_sign
    crimson_standing_sign crimson_sign
    warped_standing_sign warped_sign
    pale_oak_standing_sign pale_oak_sign
    bed red_bed
    skull skeleton_skull
    standing_banner white_banner
    wall_banner white_wall_banner
    stone_stairs cobblestone_stairs
    normal_stone_stairs stone_stairs
    normal_stone_slab stone_slab
    normal_stone_double_slab stone_double_slab
    end_brick_stairs end_stone_brick_stairs
    prismarine_bricks_stairs prismarine_brick_stairs
    unpowered_repeater repeater
    powered_repeater repeater
    unpowered_comparator comparator
    powered_comparator comparator
    unlit_redstone_torch redstone_torch
    portal nether_portal
    pistonArmCollision piston_head
    piston_arm_collision piston_head
    stickyPistonArmCollision piston_head
    sticky_piston_arm_collision piston_head
    movingBlock moving_piston
    moving_block moving_piston
    daylight_detector_inverted daylight_detector
    undyed_shulker_box shulker_box
    silver_glazed_terracotta light_gray_glazed_terracotta
    grass_path dirt_path
    stonecutter_block stonecutter
    lit_smoker smoker
    lit_blast_furnace blast_furnace
    lit_deepslate_redstone_ore deepslate_redstone_ore
    beetroot beetroots
    wildflower wildflowers
    cave_vines_body_with_berries cave_vines_plant
    cave_vines_head_with_berries cave_vines
    small_dripleaf_block small_dripleaf
    waxed_copper waxed_copper_block
    tallgrass short_grass
    red_flower poppy
    double_plant sunflower
    planks oak_planks
    log oak_log
    log2 acacia_log
    wood oak_wood
    leaves oak_leaves
    leaves2 acacia_leaves
    sapling oak_sapling
    wooden_slab oak_slab
    double_wooden_slab oak_double_slab
    wool white_wool
    carpet white_carpet
    concrete white_concrete
    concrete_powder white_concrete_powder
    concretePowder white_concrete_powder
    stained_glass white_stained_glass
    stained_glass_pane white_stained_glass_pane
    stained_hardened_clay white_terracotta
    stone_block_slab smooth_stone_slab
    stone_block_slab2 red_sandstone_slab
    stone_block_slab3 end_stone_brick_slab
    stone_block_slab4 mossy_stone_brick_slab
    stone_slab2 red_sandstone_slab
    stone_slab3 end_stone_brick_slab
    stone_slab4 mossy_stone_brick_slab
    double_stone_block_slab smooth_stone_double_slab
    double_stone_block_slab2 red_sandstone_double_slab
    double_stone_block_slab3 end_stone_brick_double_slab
    double_stone_block_slab4 mossy_stone_brick_double_slab
    double_stone_slab smooth_stone_double_slab
    double_stone_slab2 red_sandstone_double_slab
    double_stone_slab3 end_stone_brick_double_slab
    double_stone_slab4 mossy_stone_brick_double_slab
    coral_block tube_coral_block
    coral tube_coral
    coral_fan tube_coral_fan
    coral_fan_dead dead_tube_coral_fan
    coral_fan_hang tube_coral_wall_fan
    coral_fan_hang2 bubble_coral_wall_fan
    coral_fan_hang3 horn_coral_wall_fan
    hard_stained_glass hard_white_stained_glass
    hard_stained_glass_pane hard_white_stained_glass_pane
";

/// Table of blocks, each with the state that holds its kind, then the values of that state with the
/// Java Edition's block for each.
const KINDS: &str = "
stone stone_type
    stone=stone granite=granite granite_smooth=polished_granite diorite=diorite diorite_smooth=polished_diorite
    andesite=andesite andesite_smooth=polished_andesite
dirt dirt_type
    normal=dirt coarse=coarse_dirt
sand sand_type
    normal=sand red=red_sand
sponge sponge_type
    dry=sponge wet=wet_sponge
stonebrick stone_brick_type
    default=stone_bricks mossy=mossy_stone_bricks cracked=cracked_stone_bricks chiseled=chiseled_stone_bricks
    smooth=stone_bricks
monster_egg monster_egg_stone_type
    stone=infested_stone cobblestone=infested_cobblestone stone_brick=infested_stone_bricks
    mossy_stone_brick=infested_mossy_stone_bricks cracked_stone_brick=infested_cracked_stone_bricks
    chiseled_stone_brick=infested_chiseled_stone_bricks
sandstone sand_stone_type
    default=sandstone heiroglyphs=chiseled_sandstone cut=cut_sandstone smooth=smooth_sandstone
red_sandstone sand_stone_type
    default=red_sandstone heiroglyphs=chiseled_red_sandstone cut=cut_red_sandstone smooth=smooth_red_sandstone
quartz_block chisel_type
    default=quartz_block chiseled=chiseled_quartz_block lines=quartz_pillar smooth=smooth_quartz
purpur_block chisel_type
    default=purpur_block chiseled=purpur_block lines=purpur_pillar smooth=purpur_block
prismarine prismarine_block_type
    default=prismarine dark=dark_prismarine bricks=prismarine_bricks
anvil damage
    undamaged=anvil slightly_damaged=chipped_anvil very_damaged=damaged_anvil broken=damaged_anvil
cobblestone_wall wall_block_type
    cobblestone=cobblestone_wall mossy_cobblestone=mossy_cobblestone_wall granite=granite_wall diorite=diorite_wall
    andesite=andesite_wall sandstone=sandstone_wall brick=brick_wall stone_brick=stone_brick_wall
    mossy_stone_brick=mossy_stone_brick_wall nether_brick=nether_brick_wall end_brick=end_stone_brick_wall
    prismarine=prismarine_wall red_sandstone=red_sandstone_wall red_nether_brick=red_nether_brick_wall
tallgrass tall_grass_type
    default=short_grass tall=short_grass fern=fern snow=fern
red_flower flower_type
    poppy=poppy orchid=blue_orchid allium=allium houstonia=azure_bluet tulip_red=red_tulip
    tulip_orange=orange_tulip tulip_white=white_tulip tulip_pink=pink_tulip oxeye=oxeye_daisy
    cornflower=cornflower lily_of_the_valley=lily_of_the_valley
double_plant double_plant_type
    sunflower=sunflower syringa=lilac grass=tall_grass fern=large_fern rose=rose_bush paeonia=peony
coral_block coral_color
    blue=tube_coral_block pink=brain_coral_block purple=bubble_coral_block red=fire_coral_block
    yellow=horn_coral_block
coral coral_color
    blue=tube_coral pink=brain_coral purple=bubble_coral red=fire_coral yellow=horn_coral
coral_fan coral_color
    blue=tube_coral_fan pink=brain_coral_fan purple=bubble_coral_fan red=fire_coral_fan yellow=horn_coral_fan
coral_fan_dead coral_color
    blue=dead_tube_coral_fan pink=dead_brain_coral_fan purple=dead_bubble_coral_fan red=dead_fire_coral_fan
    yellow=dead_horn_coral_fan
coral_fan_hang coral_hang_type_bit
    0=tube_coral_wall_fan 1=brain_coral_wall_fan
coral_fan_hang2 coral_hang_type_bit
    0=bubble_coral_wall_fan 1=fire_coral_wall_fan
coral_fan_hang3 coral_hang_type_bit
    0=horn_coral_wall_fan 1=horn_coral_wall_fan
brown_mushroom_block huge_mushroom_bits
    10=mushroom_stem 15=mushroom_stem
red_mushroom_block huge_mushroom_bits
    10=mushroom_stem 15=mushroom_stem
";

/// The four lists of stone slabs: number of the list and the state that holds the kind, then the
/// values of that state with the beginning of each slab's name.
const SLABS: &str = "
1 stone_slab_type
    smooth_stone=smooth_stone sandstone=sandstone wood=petrified_oak cobblestone=cobblestone brick=brick stone_brick=stone_brick
    quartz=quartz nether_brick=nether_brick
2 stone_slab_type_2
    red_sandstone=red_sandstone purpur=purpur prismarine_rough=prismarine prismarine_dark=dark_prismarine
    prismarine_brick=prismarine_brick mossy_cobblestone=mossy_cobblestone smooth_sandstone=smooth_sandstone
    red_nether_brick=red_nether_brick
3 stone_slab_type_3
    end_stone_brick=end_stone_brick smooth_red_sandstone=smooth_red_sandstone polished_andesite=polished_andesite
    andesite=andesite diorite=diorite polished_diorite=polished_diorite granite=granite
    polished_granite=polished_granite
4 stone_slab_type_4
    mossy_stone_brick=mossy_stone_brick smooth_quartz=smooth_quartz stone=stone cut_sandstone=cut_sandstone
    cut_red_sandstone=cut_red_sandstone
";

/// Blocks whose name in the Java Edition is `VALUE_BLOCK`, as tuples of name, state and `BLOCK`.
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
    ("hard_stained_glass", "color", "hard_stained_glass"),
    ("hard_stained_glass_pane", "color", "hard_stained_glass_pane"),
];

/// The state that decides the kind of a block.
struct KindState {
    state: &'static str,
    /// The Java Edition's block for each value of the state.
    kinds: FxHashMap<&'static str, &'static str>,
}

static RENAMED: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let words: Vec<&str> = NAMES.split_whitespace().collect();
    words.chunks_exact(2).map(|pair| (pair[0], pair[1])).collect()
});

static KIND_STATES: LazyLock<FxHashMap<&str, KindState>> = LazyLock::new(|| states_of(KINDS));

static SLAB_STATES: LazyLock<FxHashMap<&str, KindState>> = LazyLock::new(|| states_of(SLABS));

fn states_of(table: &'static str) -> FxHashMap<&'static str, KindState> {
    let mut states: FxHashMap<&str, KindState> = FxHashMap::default();
    let mut name = "";
    for line in table.lines().filter(|line| !line.is_empty()) {
        let mut words = line.split_whitespace();
        if !line.starts_with(' ') {
            name = words.next().unwrap_or_default();
            let state = words.next().unwrap_or_default();
            states.insert(name, KindState { state, kinds: FxHashMap::default() });
            continue;
        }
        if let Some(state) = states.get_mut(name) {
            state.kinds.extend(words.filter_map(|word| word.split_once('=')));
        }
    }
    states
}

/// The name in the Java Edition of a block that has a different one there. Both names are without
/// `minecraft:`.
pub(super) fn renamed(name: &str) -> Option<&'static str> {
    RENAMED.get(name).copied()
}

/// The kind that the states of a block select.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum BedrockKind {
    /// The block has no kinds, or the state is missing.
    Unstated,
    /// Name in the Java Edition.
    Known(String),
    /// Value of the state that is in no table.
    Unknown(String),
}

/// The kind of the block `name`. `state` returns the value of a state.
pub(super) fn kind<'s>(name: &str, state: impl Fn(&str) -> Option<&'s str>) -> BedrockKind {
    if let Some(KindState { state: wanted, kinds }) = KIND_STATES.get(name) {
        // The other values of a mushroom block say where its pores are, not what kind it is.
        let is_open = *wanted == "huge_mushroom_bits";
        return match state(wanted).map(|value| (value, kinds.get(value))) {
            Some((_, Some(block))) => BedrockKind::Known((*block).to_owned()),
            Some((value, None)) if !is_open => BedrockKind::Unknown(value.to_owned()),
            _ => BedrockKind::Unstated,
        };
    }
    if let Some(list) = stone_slab_list(name)
        && let Some(KindState { state: wanted, kinds }) = SLAB_STATES.get(list)
    {
        let double = if name.starts_with("double_") { "double_" } else { "" };
        return match state(wanted).map(|value| (value, kinds.get(value))) {
            Some((_, Some(block))) => BedrockKind::Known(format!("{block}_{double}slab")),
            Some((value, None)) => BedrockKind::Unknown(value.to_owned()),
            None => BedrockKind::Unstated,
        };
    }
    let prefixed = PREFIXED.iter().filter(|(known, ..)| *known == name);
    match prefixed.filter_map(|(_, wanted, block)| Some((state(wanted)?, *block))).next() {
        None => BedrockKind::Unstated,
        Some((colour, block)) if block.starts_with("hard_") => {
            let block = block.replacen("hard_", &format!("hard_{}_", java_colour(colour)), 1);
            BedrockKind::Known(block)
        }
        Some((value, block)) => BedrockKind::Known(format!("{}_{block}", java_colour(value))),
    }
}

/// The Java Edition's name of a colour: the Bedrock Edition calls light grey silver.
fn java_colour(value: &str) -> &str {
    if value == "silver" { "light_gray" } else { value }
}

/// Number of the list of stone slabs, 1 to 4, that a block belongs to.
fn stone_slab_list(name: &str) -> Option<&str> {
    let name = name.strip_prefix("double_").unwrap_or(name);
    let rest = name.strip_prefix("stone_block_slab").or_else(|| name.strip_prefix("stone_slab"))?;
    match rest {
        "" => Some("1"),
        "2" | "3" | "4" => Some(rest),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::block_versions::first_data_version;

    #[test]
    fn tables_hold_blocks_of_the_java_edition() {
        let mut names: Vec<&str> = NAMES.split_whitespace().step_by(2).collect();
        names.sort_unstable();
        let count = names.len();
        names.dedup();
        assert_eq!(names.len(), count, "a block is listed twice");
        let is_java = |block: &str| {
            let block = block.replace("double_slab", "slab");
            first_data_version(&block).is_some()
                || ["barrier", "moving_piston"].contains(&block.as_str())
                || block.starts_with("hard_")
        };
        for (name, block) in RENAMED.iter() {
            assert!(is_java(block), "{name}: {block}");
        }
        for (name, state) in KIND_STATES.iter() {
            for block in state.kinds.values() {
                assert!(is_java(block), "{name}: {block}");
            }
            assert!(!state.state.is_empty(), "{name}");
        }
        let slabs: Vec<String> = SLAB_STATES
            .values()
            .flat_map(|state| state.kinds.values())
            .map(|kind| format!("{kind}_slab"))
            .collect();
        assert_eq!(slabs.len(), 29);
        for slab in slabs {
            assert!(is_java(&slab), "{slab}");
        }
    }

    #[test]
    fn state_selects_the_kind() {
        let with = |name: &str, value: &'static str| kind(name, |_| Some(value));
        let known = |name: &str| BedrockKind::Known(name.to_owned());
        assert_eq!(with("stone_block_slab4", "stone"), known("stone_slab"));
        assert_eq!(with("double_stone_slab", "wood"), known("petrified_oak_double_slab"));
        assert_eq!(with("stone_slab2", "cheese"), BedrockKind::Unknown("cheese".to_owned()));
        assert_eq!(with("coral_block", "red"), known("fire_coral_block"));
        assert_eq!(with("wool", "silver"), known("light_gray_wool"));
        assert_eq!(
            with("hard_stained_glass_pane", "silver"),
            known("hard_light_gray_stained_glass_pane")
        );
        assert_eq!(with("red_mushroom_block", "3"), BedrockKind::Unstated);
        assert_eq!(kind("stone", |_| None), BedrockKind::Unstated);
        assert_eq!(with("oak_slab", "x"), BedrockKind::Unstated);
    }
}
