//! A colour for every block name.
//!
//! The lookup tries a table, then families (sixteen dyes, the woods), then the name without the
//! suffix of a shape or the prefix of a treatment (`polished_andesite_stairs` is andesite). If all
//! fail, the block gets the colour of unknown names.

use super::colour_tables::{DYED, DYES, TABLE, WOODS};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;
use stonerun_engine::voxel::Material;

/// Suffixes of shapes. A longer suffix comes before a suffix that it ends with.
const SHAPE_SUFFIXES: [&str; 23] = [
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

/// Prefixes of treatments.
const TREATMENT_PREFIXES: [&str; 13] = [
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
        // A word of six hexadecimal digits is a colour, because no block has such a name.
        match u32::from_str_radix(word, 16) {
            Ok(rgb) if word.len() == 6 => colour = [16, 8, 0].map(|shift| (rgb >> shift) as u8),
            _ => drop(map.insert(word, colour)),
        }
    }
    map
});

/// Maximum number of shapes and treatments that are removed from one name
/// (`waxed_weathered_cut_copper_stairs` needs two). The limit bounds the search, because a hostile
/// name may consist of affixes only, and each is tried from both ends.
const MAX_AFFIXES: usize = 4;

/// The colour of a block by its full name, such as `minecraft:andesite`. The namespace `classic`
/// holds blocks that no later version has.
pub(super) fn block_colour(name: &str) -> [u8; 3] {
    let short = name.strip_prefix("minecraft:").or_else(|| name.strip_prefix("classic:"));
    short.and_then(derived_colour).unwrap_or_else(|| Material::unknown(name).tint)
}

/// The colour of a name without its namespace; `None` if no rule applies.
fn derived_colour(name: &str) -> Option<[u8; 3]> {
    colour_without_affixes(name, MAX_AFFIXES)
}

/// The colour after at most `max_affixes` shapes and treatments are removed.
fn colour_without_affixes(name: &str, max_affixes: usize) -> Option<[u8; 3]> {
    if let Some(&colour) = COLOURS.get(name) {
        return Some(colour);
    }
    if let Some(colour) = dyed(name).or_else(|| wooden(name)) {
        return Some(colour);
    }
    let fewer = max_affixes.checked_sub(1)?;
    // Every affix is tried, because some affixes belong to the name: cracked nether bricks are
    // nether bricks, not `nether`.
    SHAPE_SUFFIXES
        .iter()
        .filter_map(|suffix| name.strip_suffix(suffix))
        .chain(TREATMENT_PREFIXES.iter().filter_map(|prefix| name.strip_prefix(prefix)))
        .find_map(|shorter| colour_without_affixes(shorter, fewer))
}

fn dyed(name: &str) -> Option<[u8; 3]> {
    let (object, colour) = DYES
        .iter()
        .filter_map(|&(dye, colour)| {
            name.strip_prefix(dye)?.strip_prefix('_').map(|object| (object, colour))
        })
        .next()?;
    match object {
        // Unglazed terracotta keeps half of the clay's colour.
        "terracotta" => Some(
            [0, 1, 2].map(|i| ((u16::from(colour[i]) + u16::from([150u8, 88, 63][i])) / 2) as u8),
        ),
        _ => DYED.contains(&object).then_some(colour),
    }
}

fn wooden(name: &str) -> Option<[u8; 3]> {
    let (stripped, name) =
        name.strip_prefix("stripped_").map_or((false, name), |rest| (true, rest));
    let (part, planks, bark) = WOODS
        .iter()
        .find_map(|&(wood, planks, bark)| Some((name.strip_prefix(wood)?, planks, bark)))?;
    Some(match part {
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
    fn table_has_unique_names() {
        assert!(COLOURS.len() > 300);
        assert_eq!(
            TABLE.split_whitespace().filter(|w| COLOURS.contains_key(w)).count(),
            COLOURS.len(),
            "a name is listed twice"
        );
        assert_eq!(COLOURS["lava_cauldron"], [0xd8; 3], "a row may span lines");
    }

    #[test]
    fn special_names_have_colours() {
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
            assert!(derived_colour(name).is_some(), "{name}");
        }
    }

    #[test]
    fn family_members_share_colours() {
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
            let like = derived_colour(like).unwrap_or_else(|| panic!("{like} has no colour"));
            assert_eq!(derived_colour(name), Some(like), "{name}");
        }
        assert_ne!(derived_colour("oak_log"), derived_colour("oak_planks"));
        assert_ne!(derived_colour("dark_oak_planks"), derived_colour("oak_planks"));
        assert_ne!(derived_colour("light_blue_wool"), derived_colour("blue_wool"));
        assert_ne!(derived_colour("red_terracotta"), derived_colour("red_wool"));
        assert_eq!(derived_colour("unheard_of"), None);
        assert_eq!(derived_colour(&"cut_".repeat(60)), None);
        assert_eq!(block_colour("create:andesite"), Material::unknown("create:andesite").tint);
    }
}
