//! A colour for every block name.
//!
//! First a table, then families (sixteen dyes, the kinds of wood), then the name without an ending that only tells the
//! form, or without a beginning that tells the treatment (`polished_andesite_stairs` is andesite). The last resort is the colour that any unknown name gets.

use crate::voxel::Material;
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Mean colours of blocks, sRGB, about as they look from afar.
const TABLE: &str = "
    7d7d7d stone cobblestone gravel furnace dispenser dropper observer stonecutter piston_head
    9e9e9e smooth_stone lever tripwire_hook tripwire
    888888 andesite
    957066 granite
    bcbcbd diorite
    504f53 deepslate cobbled_deepslate reinforced_deepslate
    6c6d66 tuff
    dfe0dc calcite
    866b5c dripstone_block pointed_dripstone
    4b4951 basalt
    2a2430 blackstone gilded_blackstone
    535353 bedrock
    866043 dirt coarse_dirt rooted_dirt farmland
    967c59 dirt_path grass_path hanging_roots
    5b3d20 podzol
    6f6365 mycelium
    3c3a3d mud
    59422e muddy_mangrove_roots
    89674e packed_mud mud_brick mud_bricks
    6fa045 grass_block
    dbd3a0 sand suspicious_sand sandstone end_stone end_stone_brick end_stone_bricks
    be6621 red_sand red_sandstone
    a0a6b3 clay
    f9fefe snow snow_block powder_snow
    91b7fd ice frosted_ice
    8db4fa packed_ice
    74a7fd blue_ice
    3f76e4 water
    d45a12 lava
    747474 coal_ore iron_ore gold_ore copper_ore
    7a8c8b diamond_ore
    8c6d6d redstone_ore
    6b758c lapis_ore
    6c8874 emerald_ore
    101010 coal_block
    d8d8d8 iron_block iron iron_bars iron_door iron_trapdoor heavy_weighted_pressure_plate chain iron_chain lantern anvil
        chipped_anvil damaged_anvil hopper cauldron water_cauldron lava_cauldron powder_snow_cauldron rail detector_rail
        activator_rail
    f6d03e gold_block gold raw_gold_block light_weighted_pressure_plate powered_rail bell
    62ede4 diamond_block beacon conduit
    2acb57 emerald_block
    1e438c lapis_block
    af1805 redstone_block redstone_wire redstone_torch redstone_wall_torch repeater comparator
    423d3f netherite_block ancient_debris
    a6886b raw_iron_block
    9a6a4f raw_copper_block
    c06c50 copper_block copper cut_copper copper_bulb copper_grate copper_door copper_trapdoor lightning_rod
    a17e68 exposed_copper exposed_cut_copper exposed_chiseled_copper
    6c996e weathered_copper weathered_cut_copper weathered_chiseled_copper
    52a384 oxidized_copper oxidized_cut_copper oxidized_chiseled_copper
    8b618b shulker_box
    8662bf amethyst_block budding_amethyst amethyst_cluster large_amethyst_bud medium_amethyst_bud small_amethyst_bud
    0f0b19 obsidian
    200a3c crying_obsidian
    ece6df quartz_block quartz quartz_pillar quartz_bricks smooth_quartz
    a97da9 purpur_block purpur purpur_pillar chorus_flower
    5d3a5d chorus_plant
    63a49a prismarine
    63ab9e prismarine_bricks prismarine_brick
    335b4b dark_prismarine
    acc7be sea_lantern
    612626 netherrack crimson_nylium nether_gold_ore nether_quartz_ore
    2c1519 nether_bricks nether_brick
    450709 red_nether_bricks red_nether_brick
    730c02 nether_wart_block nether_wart
    690100 weeping_vines weeping_vines_plant
    149785 nether_sprouts
    167778 warped_wart_block warped_nylium twisting_vines twisting_vines_plant
    513e32 soul_sand
    4b392e soul_soil
    8e3f1f magma_block
    ab8354 glowstone
    f09247 shroomlight
    f7e6c4 ochre_froglight
    e5f4e4 verdant_froglight
    f5e6f0 pearlescent_froglight
    966152 bricks brick flower_pot decorated_pot
    7a7a7a stone_bricks stone_brick
    6e7662 mossy_cobblestone mossy_stone_bricks mossy_stone_brick
    96583f terracotta
    b9a575 bookshelf chiseled_bookshelf lectern
    c4be47 sponge wet_sponge
    a58b0e hay_block hay
    e5e1cf bone_block
    c67618 pumpkin carved_pumpkin jack_o_lantern
    6f9c1f melon
    cc9a1d bee_nest beehive
    e58f1e honeycomb_block
    fbb935 honey_block
    70c05a slime_block
    55812b cactus
    94c065 sugar_cane
    4a7a2a oak_leaves jungle_leaves acacia_leaves dark_oak_leaves mangrove_leaves azalea_leaves vine short_grass grass
        tall_grass fern large_fern lily_pad moss_block moss_carpet azalea small_dripleaf big_dripleaf big_dripleaf_stem
        cave_vines cave_vines_plant potted_azalea_bush
    5e6e5a pale_moss_block pale_moss_carpet pale_hanging_moss pale_oak_leaves
    70922d flowering_azalea flowering_azalea_leaves spore_blossom potted_flowering_azalea_bush
    e5adc2 cherry_leaves pink_petals
    3d6b3d spruce_leaves
    5d7d3f birch_leaves
    957147 brown_mushroom_block brown_mushroom
    c82e2d red_mushroom_block red_mushroom
    cbc4b9 mushroom_stem
    d18be0 allium
    b0c7a8 azure_bluet oxeye_daisy lily_of_the_valley
    2fa3dd blue_orchid cornflower
    f0d042 dandelion sunflower
    e05a3a poppy rose_bush torchflower
    c67fc9 lilac peony
    8a8f2b wheat
    6d8a2a carrots potatoes beetroots cocoa melon_stem pumpkin_stem attached_melon_stem attached_pumpkin_stem
        sweet_berry_bush
    57864a kelp kelp_plant seagrass tall_seagrass sea_pickle
    384f26 dried_kelp_block
    70827f glow_lichen
    0d1217 sculk sculk_catalyst sculk_sensor sculk_shrieker sculk_vein calibrated_sculk_sensor
    e8ecec cobweb
    db5a32 tnt
    906b3d crafting_table fletching_table loom composter barrel note_block jukebox ladder chest trapped_chest piston
        sticky_piston moving_piston daylight_detector cartography_table smithing_table
    0e2e2c ender_chest end_portal_frame end_portal end_gateway
    241f2d spawner trial_spawner vault
    b4a6c0 end_rod
    0c0910 dragon_egg
    570bbf nether_portal
    fcd472 torch wall_torch fire campfire redstone_lamp
    59d6e0 soul_torch soul_wall_torch soul_fire soul_campfire soul_lantern
    b5a48f skeleton_skull skeleton_wall_skull
    e9dfd0 cake candle candle_cake
    7d4b2c command_block
    83759d repeating_command_block
    84a597 chain_command_block
    5a4a5e structure_block jigsaw
    4a2b2b enchanting_table
    7c6751 brewing_stand grindstone
    d8f0f5 glass glass_pane
    2c2630 tinted_glass
    9b5a3c dead_bush bush
    d877b8 brain_coral_block brain_coral
    3257cf tube_coral_block tube_coral
    a51aa0 bubble_coral_block bubble_coral
    a4232f fire_coral_block fire_coral
    d8c842 horn_coral_block horn_coral
    847c78 dead_brain_coral_block dead_tube_coral_block dead_bubble_coral_block dead_fire_coral_block dead_horn_coral_block
        dead_brain_coral dead_tube_coral dead_bubble_coral dead_fire_coral dead_horn_coral
    d9641e resin_block resin resin_clump
    c4302b red_tulip
    d98a2b orange_tulip
    d8dcd0 white_tulip short_dry_grass tall_dry_grass
    d9a0b8 pink_tulip wildflowers
    2a2a2a wither_rose wither_skeleton_skull wither_skeleton_wall_skull dragon_head dragon_wall_head
    5f9a5a creeper_head creeper_wall_head zombie_head zombie_wall_head turtle_egg
    8a6a50 player_head player_wall_head piglin_head piglin_wall_head leaf_litter
    6a5a7a closed_eyeblossom open_eyeblossom pitcher_plant pitcher_crop torchflower_crop
    7f7f80 smoker blast_furnace lodestone crafter heavy_core
    a2834f sign wall_sign
    d5708d cactus_flower
    584d4c creaking_heart
    b5b1ae dried_ghast
    c9a75a scaffolding target sniffer_egg
    33105a respawn_anchor
    5f5a4a frogspawn firefly_bush
    32de88 teal_wool
    32dede aqua_wool
    8832de indigo_wool
    e8a0c8 light_pink_wool
    2f6b2f forest_green_wool
    2b3f9f deep_blue_wool
    2b9f9f turquoise_wool
    a5834f rope
    d8d4c8 ceramic_tile
    8a6a3f crate
";

/// Dyes, in the order of their numbers, and their colour on wool.
pub(super) const DYES: [(&str, [u8; 3]); 16] = [
    ("white", [234, 236, 237]),
    ("orange", [241, 118, 20]),
    ("magenta", [189, 69, 180]),
    ("light_blue", [58, 175, 217]),
    ("yellow", [249, 198, 40]),
    ("lime", [112, 185, 26]),
    ("pink", [238, 141, 172]),
    ("gray", [63, 68, 72]),
    ("light_gray", [142, 142, 135]),
    ("cyan", [21, 138, 145]),
    ("purple", [122, 42, 173]),
    ("blue", [53, 57, 157]),
    ("brown", [114, 72, 41]),
    ("green", [85, 110, 28]),
    ("red", [161, 39, 35]),
    ("black", [21, 21, 26]),
];

/// What is dyed.
const DYED: [&str; 13] = [
    "wool",
    "carpet",
    "concrete",
    "concrete_powder",
    "glazed_terracotta",
    "stained_glass",
    "stained_glass_pane",
    "bed",
    "banner",
    "wall_banner",
    "shulker_box",
    "candle",
    "candle_cake",
];

/// Kinds of wood: planks, bark.
const WOODS: [(&str, [u8; 3], [u8; 3]); 12] = [
    // The longer of two names that end alike comes first.
    ("dark_oak", [67, 43, 20], [60, 47, 26]),
    ("pale_oak", [228, 218, 216], [88, 77, 76]),
    ("oak", [162, 131, 79], [109, 85, 51]),
    ("spruce", [115, 85, 49], [59, 38, 17]),
    ("birch", [192, 175, 121], [217, 215, 210]),
    ("jungle", [160, 115, 81], [85, 68, 25]),
    ("acacia", [168, 90, 50], [103, 97, 87]),
    ("mangrove", [118, 54, 49], [84, 67, 41]),
    ("cherry", [227, 179, 173], [55, 33, 44]),
    ("bamboo", [194, 173, 80], [127, 144, 58]),
    ("crimson", [101, 49, 71], [93, 26, 30]),
    ("warped", [43, 105, 99], [58, 59, 78]),
];

/// Endings that tell a form, longest first where one ends as another.
const FORMS: [&str; 23] = [
    "_fence_gate",
    "_pressure_plate",
    "_wall_hanging_sign",
    "_hanging_sign",
    "_wall_sign",
    "_wall_fan",
    "_trapdoor",
    "_stairs",
    "_button",
    "_fence",
    "_bricks",
    "_brick",
    "_tiles",
    "_tile",
    "_pillar",
    "_slab",
    "_wall",
    "_door",
    "_sign",
    "_block",
    "_fan",
    "_grate",
    "_bulb",
];

/// Beginnings that tell a treatment.
const TREATMENTS: [&str; 13] = [
    "infested_",
    "polished_",
    "smooth_",
    "cut_",
    "chiseled_",
    "cracked_",
    "mossy_",
    "waxed_",
    "potted_",
    "petrified_",
    "stripped_",
    "raw_",
    "deepslate_",
];

static COLOURS: LazyLock<FxHashMap<&str, [u8; 3]>> = LazyLock::new(|| {
    let mut colour = [0; 3];
    let mut map = FxHashMap::default();
    for word in TABLE.split_whitespace() {
        // No block has a name of six hexadecimal digits.
        match u32::from_str_radix(word, 16) {
            Ok(rgb) if word.len() == 6 => colour = [16, 8, 0].map(|shift| (rgb >> shift) as u8),
            _ => drop(map.insert(word, colour)),
        }
    }
    map
});

/// The most forms and treatments in one name (`waxed_weathered_cut_copper_stairs` has two before its colour is in the
/// table). A hostile name may be all of them, and each may be tried from both ends.
const MOST_PARTS: usize = 4;

/// The colour for the block of this full name (`minecraft:andesite`; `classic:` is for those that no later version had).
pub(super) fn colour(name: &str) -> [u8; 3] {
    let short = name.strip_prefix("minecraft:").or_else(|| name.strip_prefix("classic:"));
    short.and_then(known).unwrap_or_else(|| Material::unknown(name).tint)
}

/// The colour for the name without its `minecraft:`, if there is a reason for one.
fn known(name: &str) -> Option<[u8; 3]> {
    known_without(name, MOST_PARTS)
}

/// The same, with at most this many parts left away.
fn known_without(name: &str, parts: usize) -> Option<[u8; 3]> {
    if let Some(&colour) = COLOURS.get(name) {
        return Some(colour);
    }
    if let Some(colour) = dyed(name).or_else(|| wooden(name)) {
        return Some(colour);
    }
    let fewer = parts.checked_sub(1)?;
    // Some endings belong to the name: cracked nether bricks are nether bricks, but there is no nether.
    FORMS
        .iter()
        .filter_map(|form| name.strip_suffix(form))
        .chain(TREATMENTS.iter().filter_map(|treatment| name.strip_prefix(treatment)))
        .find_map(|shorter| known_without(shorter, fewer))
}

fn dyed(name: &str) -> Option<[u8; 3]> {
    let (dye, colour) = DYES
        .iter()
        .filter_map(|&(dye, colour)| name.strip_prefix(dye)?.strip_prefix('_').map(|what| (what, colour)))
        .next()?;
    match dye {
        // Fired clay shows through the glaze-less kind.
        "terracotta" => Some([0, 1, 2].map(|i| ((u16::from(colour[i]) + u16::from([150u8, 88, 63][i])) / 2) as u8)),
        what => DYED.contains(&what).then_some(colour),
    }
}

fn wooden(name: &str) -> Option<[u8; 3]> {
    let (stripped, name) = name.strip_prefix("stripped_").map_or((false, name), |rest| (true, rest));
    let (what, planks, bark) =
        WOODS.iter().find_map(|&(wood, planks, bark)| Some((name.strip_prefix(wood)?, planks, bark)))?;
    Some(match what {
        "_log" | "_wood" | "_stem" | "_hyphae" | "_block" if !stripped => bark,
        "_roots" | "_fungus" | "" if !stripped => bark,
        "_sapling" | "_propagule" => [86, 130, 50],
        _ => planks,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_sound() {
        assert!(COLOURS.len() > 300);
        assert_eq!(
            TABLE.split_whitespace().filter(|w| COLOURS.contains_key(w)).count(),
            COLOURS.len(),
            "none is twice"
        );
        assert_eq!(COLOURS["lava_cauldron"], [0xd8; 3], "a line may go on in the next");
    }

    #[test]
    fn names_that_belong_to_no_family() {
        for name in [
            "grass_path",
            "sign",
            "wall_sign",
            "chiseled_nether_bricks",
            "cracked_nether_bricks",
            "weeping_vines",
            "weeping_vines_plant",
            "nether_sprouts",
            "exposed_chiseled_copper",
            "weathered_chiseled_copper",
            "oxidized_chiseled_copper",
            "shulker_box",
            "candle_cake",
            "potted_azalea_bush",
            "potted_flowering_azalea_bush",
            "cactus_flower",
            "creaking_heart",
            "dried_ghast",
        ] {
            assert!(known(name).is_some(), "{name}");
        }
    }

    #[test]
    fn families_have_their_colours() {
        for (name, like) in [
            ("polished_andesite_stairs", "andesite"),
            ("cracked_stone_bricks", "stone"),
            ("stone_brick_slab", "stone_brick"),
            ("deepslate_diamond_ore", "diamond_ore"),
            ("polished_blackstone_brick_wall", "blackstone"),
            ("smooth_red_sandstone_slab", "red_sandstone"),
            ("waxed_weathered_cut_copper_stairs", "weathered_copper"),
            ("potted_poppy", "poppy"),
            ("dark_oak_stairs", "dark_oak_planks"),
            ("stripped_birch_log", "birch_planks"),
            ("light_gray_wool", "light_gray_concrete"),
            ("chiseled_nether_bricks", "nether_bricks"),
            ("cracked_nether_bricks", "nether_bricks"),
            ("waxed_oxidized_chiseled_copper", "oxidized_copper"),
            ("grass_path", "dirt_path"),
            ("wall_sign", "oak_wall_sign"),
            ("candle_cake", "cake"),
            ("potted_azalea_bush", "azalea"),
            ("potted_flowering_azalea_bush", "flowering_azalea"),
        ] {
            let like = known(like).unwrap_or_else(|| panic!("{like} has no colour"));
            assert_eq!(known(name), Some(like), "{name}");
        }
        assert_ne!(known("oak_log"), known("oak_planks"));
        assert_ne!(known("dark_oak_planks"), known("oak_planks"));
        assert_ne!(known("light_blue_wool"), known("blue_wool"));
        assert_ne!(known("red_terracotta"), known("red_wool"));
        assert_eq!(known("unheard_of"), None);
        assert_eq!(known(&"cut_".repeat(60)), None);
        assert_eq!(colour("create:andesite"), Material::unknown("create:andesite").tint);
    }
}
