//! Tables of block colours: single blocks, dyes and woods.

/// Mean sRGB colours of blocks, roughly as seen from a distance, each followed by the blocks'
/// names.
pub(super) const TABLE: &str = "
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

/// Dyes in the order of their data values, with the colour of dyed wool.
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

/// Blocks that come in each dye.
pub(super) const DYED: [&str; 13] = [
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

/// Woods: name, colour of planks, colour of bark.
pub(super) const WOODS: [(&str, [u8; 3], [u8; 3]); 12] = [
    // A longer name comes before a name that it ends with: `dark_oak` before `oak`.
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
