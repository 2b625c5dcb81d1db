//! Blocks whose default state is turned or shaped.
//!
//! A palette entry without properties means the default state: stairs without properties are stairs
//! that face north. Such an entry loses its shape although it states none.

/// Endings of the names of blocks whose default state is turned or shaped.
const SHAPED: &[&str] = &[
    "stairs",
    "door",
    "trapdoor",
    "fence_gate",
    "_wall",
    "bed",
    "button",
    "lever",
    "ladder",
    "sign",
    "banner",
    "head",
    "skull",
    "anvil",
    "piston",
    "dispenser",
    "dropper",
    "observer",
    "hopper",
    "rail",
    "repeater",
    "comparator",
    "glazed_terracotta",
    "shulker_box",
    "end_rod",
    "lectern",
    "grindstone",
    "stonecutter",
    "loom",
    "barrel",
    "bell",
    "campfire",
    "carved_pumpkin",
    "jack_o_lantern",
    "lightning_rod",
    "dripleaf",
    "dripleaf_stem",
    "pointed_dripstone",
    "cocoa",
    "wall_fan",
    "chest",
    "furnace",
    "smoker",
    "command_block",
    "jigsaw",
    "beehive",
    "bee_nest",
    "amethyst_cluster",
    "amethyst_bud",
    "wall_torch",
    "tripwire_hook",
    "attached_melon_stem",
    "attached_pumpkin_stem",
    "end_portal_frame",
    "decorated_pot",
    "chiseled_bookshelf",
    "crafter",
    "vault",
    "nether_portal",
    "tall_grass",
    "large_fern",
    "sunflower",
    "lilac",
    "rose_bush",
    "peony",
    "copper_golem_statue",
    "_shelf",
];

/// True if the default state of the block with this full name is turned or shaped, which a voxel
/// does not keep.
pub(super) fn is_shaped(name: &str) -> bool {
    name.strip_prefix("minecraft:").is_some_and(|short| {
        let is_ending = |word: &str| match short.strip_suffix(word) {
            Some(before) => before.is_empty() || word.starts_with('_') || before.ends_with('_'),
            None => false,
        };
        SHAPED.iter().any(|word| is_ending(word))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn endings_are_whole_words() {
        for name in
            ["oak_stairs", "ladder", "blast_furnace", "cobblestone_wall", "iron_door", "wall_torch"]
        {
            assert!(is_shaped(&format!("minecraft:{name}")), "{name}");
        }
        for name in
            ["oak_slab", "bookshelf", "bedrock", "seabed", "oak_log", "crafting_table", "snow"]
        {
            assert!(!is_shaped(&format!("minecraft:{name}")), "{name}");
        }
        assert!(!is_shaped("mod:stairs"));
    }
}
