//! The blocks of Minecraft Java Edition, and the release that introduced each.
//!
//! A file states the version of its data. Programs upgrade the data from that version, and load a
//! block that the version lacks as air.

use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Data version of Minecraft 1.17.1, the oldest version that exports state. It has all blocks that
/// are equivalents of built-in materials.
pub(crate) const OLDEST_DATA_VERSION: i32 = 2730;

/// Data versions of releases, each followed by the names of its new blocks without `minecraft:`. A
/// block that was an experiment at first is listed under the release that made it ordinary, because
/// earlier releases load it as air unless the experiment is on. Blocks that become air are left
/// out.
const TABLE: &str = include_str!("vanilla_blocks.txt");

static SINCE: LazyLock<FxHashMap<&str, i32>> = LazyLock::new(|| {
    let mut version = OLDEST_DATA_VERSION;
    let mut map = FxHashMap::default();
    for word in TABLE.split_whitespace() {
        // No block has a number as its name.
        match word.parse() {
            Ok(number) => version = number,
            Err(_) => drop(map.insert(word, version)),
        }
    }
    map
});

/// Renamed blocks: old name, new name, first data version with the new name.
const RENAMED: [(&str, &str, i32); 5] = [
    ("sign", "oak_sign", OLDEST_DATA_VERSION),
    ("wall_sign", "oak_wall_sign", OLDEST_DATA_VERSION),
    ("grass_path", "dirt_path", OLDEST_DATA_VERSION),
    ("grass", "short_grass", 3698),
    ("chain", "iron_chain", 4554),
];

/// The first data version that has this block, by its name without `minecraft:`; `None` if no
/// release has it.
pub(crate) fn first_data_version(block: &str) -> Option<i32> {
    let renamed = RENAMED.iter().any(|(old, ..)| *old == block).then_some(OLDEST_DATA_VERSION);
    SINCE.get(block).copied().or(renamed)
}

/// The name of a block in this data version; both names are without `minecraft:`.
pub(crate) fn name_in_version(block: &str, data_version: i32) -> &str {
    let renamed = RENAMED.iter().find(|(old, _, since)| *old == block && data_version >= *since);
    renamed.map_or(block, |(_, new, _)| new)
}

#[cfg(test)]
mod tests {
    use super::super::block_table;
    use super::*;

    #[test]
    fn blocks_have_the_version_of_their_release() {
        for (block, version) in [
            ("stone", Some(2730)),
            ("amethyst_cluster", Some(2730)),
            ("mud", Some(3105)),
            ("ochre_froglight", Some(3105)),
            ("cherry_planks", Some(3463)),
            ("bamboo_mosaic", Some(3463)),
            ("crafter", Some(3953)),
            ("pale_oak_log", Some(4189)),
            ("iron_chain", Some(4554)),
            ("grass", Some(2730)),
            ("grass_path", Some(2730)),
            ("2730", None),
            ("air", None),
            ("", None),
            ("marble", None),
        ] {
            assert_eq!(first_data_version(block), version, "{block}");
        }
        let names = TABLE.split_whitespace().filter(|word| word.parse::<i32>().is_err());
        assert_eq!(names.count(), SINCE.len(), "a block is listed twice");
        for (block, _) in block_table::equivalents() {
            assert!(first_data_version(block).is_some(), "{block}");
        }
    }

    #[test]
    fn renamed_blocks_have_the_name_of_the_version() {
        for (block, version, name) in [
            ("grass", 2730, "grass"),
            ("grass", 3697, "grass"),
            ("grass", 3698, "short_grass"),
            ("chain", 4440, "chain"),
            ("chain", 4786, "iron_chain"),
            ("grass_path", 2730, "dirt_path"),
            ("stone", 4786, "stone"),
        ] {
            assert_eq!(name_in_version(block, version), name, "{block} {version}");
        }
    }
}
