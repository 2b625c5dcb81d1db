//! The gallery: every block texture by name, in the order of the texture strip.
//!
//! All textures follow the same rules, so that they match: four to seven shades each, shadows
//! cooler and lights warmer than the middle, light from the top left, noise in clusters of two to
//! four texels, and low contrast on blocks that cover large areas.

mod blaze;
mod built;
mod canvas;
mod crop;
mod field;
mod fluid;
mod foliage;
mod ground;
mod masonry;
mod ore;
mod plan;
mod plant;
mod rock;
mod signal;
mod torch;
mod wood;

use canvas::{Canvas, Texels};

/// Paints all textures, in the order of the strip from the top.
pub fn paint_all() -> Vec<(&'static str, Texels)> {
    let textures: [(&'static str, Canvas); 95] = [
        ("plain", built::plain()),
        ("stone", rock::stone()),
        ("deepstone", rock::deepstone()),
        ("granite", rock::granite()),
        ("basalt", rock::basalt()),
        ("basalt_top", rock::basalt_top()),
        ("sandstone", rock::sandstone()),
        ("sandstone_top", rock::sandstone_top()),
        ("marble", rock::marble()),
        ("obsidian", rock::obsidian()),
        ("dirt", ground::dirt()),
        ("grass_top", ground::grass_top()),
        ("grass_side", ground::grass_side()),
        ("snowy_grass_side", ground::snowy_grass_side()),
        ("dry_grass_top", ground::dry_grass_top()),
        ("dry_grass_side", ground::dry_grass_side()),
        ("sand", ground::sand()),
        ("red_sand", ground::red_sand()),
        ("gravel", ground::gravel()),
        ("clay", ground::clay()),
        ("snow", ground::snow()),
        ("ice", fluid::ice()),
        ("water", fluid::water()),
        ("lava", fluid::lava()),
        ("coal_ore", ore::coal()),
        ("iron_ore", ore::iron()),
        ("copper_ore", ore::copper()),
        ("gold_ore", ore::gold()),
        ("crystal_ore", ore::crystal()),
        ("oak_log", wood::oak_log()),
        ("oak_log_top", wood::oak_log_top()),
        ("oak_leaves", foliage::oak_leaves()),
        ("pine_log", wood::pine_log()),
        ("pine_log_top", wood::pine_log_top()),
        ("pine_leaves", foliage::pine_leaves()),
        ("birch_log", wood::birch_log()),
        ("birch_log_top", wood::birch_log_top()),
        ("birch_leaves", foliage::birch_leaves()),
        ("palm_log", wood::palm_log()),
        ("palm_log_top", wood::palm_log_top()),
        ("palm_leaves", foliage::palm_leaves()),
        ("cactus", foliage::cactus()),
        ("cactus_top", foliage::cactus_top()),
        ("tall_grass", plant::tall_grass()),
        ("flower_red", plant::flower_red()),
        ("flower_yellow", plant::flower_yellow()),
        ("flower_blue", plant::flower_blue()),
        ("dead_bush", plant::dead_bush()),
        ("mushroom", plant::mushroom()),
        ("reeds", plant::reeds()),
        ("glow_mushroom", plant::glow_mushroom()),
        ("cobblestone", masonry::cobblestone()),
        ("mossy_cobblestone", masonry::mossy_cobblestone()),
        ("stone_bricks", masonry::stone_bricks()),
        ("bricks", masonry::bricks()),
        ("oak_planks", wood::oak_planks()),
        ("pine_planks", wood::pine_planks()),
        ("birch_planks", wood::birch_planks()),
        ("glass", built::glass()),
        ("lamp", built::lamp()),
        ("thatch", built::thatch()),
        ("bookshelf", built::bookshelf()),
        ("iron_block", built::iron_block()),
        ("gold_block", built::gold_block()),
        ("crystal_block", built::crystal_block()),
        ("wool", built::wool()),
        ("dyed_lamp", built::dyed_lamp()),
        ("torch", torch::yellow()),
        ("blue_torch", torch::blue()),
        ("red_torch", torch::red()),
        ("fire", blaze::fire()),
        ("ash", blaze::ash()),
        ("oak_sapling", crop::oak_sapling()),
        ("pine_sapling", crop::pine_sapling()),
        ("birch_sapling", crop::birch_sapling()),
        ("palm_sapling", crop::palm_sapling()),
        ("wheat_1", crop::wheat_1()),
        ("wheat_2", crop::wheat_2()),
        ("wheat_3", crop::wheat_3()),
        ("wheat_4", crop::wheat_4()),
        ("farmland_top", crop::farmland_top()),
        ("wire_top", signal::wire_top()),
        ("wire", signal::wire_side()),
        ("wire_on_top", signal::wire_on_top()),
        ("wire_on", signal::wire_on_side()),
        ("inverter", signal::inverter_off()),
        ("inverter_on", signal::inverter_on()),
        ("lever", signal::lever_off()),
        ("lever_on", signal::lever_on()),
        ("signal_lamp", signal::signal_lamp_off()),
        ("signal_lamp_on", signal::signal_lamp_on()),
        ("door", signal::door()),
        ("door_open", signal::door_open()),
        ("life", blaze::life()),
        ("dust", blaze::dust()),
    ];
    textures.into_iter().map(|(name, canvas)| (name, canvas.into_texels())).collect()
}
