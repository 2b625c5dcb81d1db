//! Block names for the numbers and data bits used before Minecraft 1.13.

use super::colour_tables::DYES;
use super::numeric_id_table::TABLE;
use std::sync::LazyLock;

/// Woods, in the order of their data values.
const WOODS: [&str; 6] = ["oak", "spruce", "birch", "jungle", "acacia", "dark_oak"];

/// Names by number, then by data value.
static NAMES: LazyLock<Vec<Vec<String>>> = LazyLock::new(|| {
    let mut names = vec![Vec::new(); 256];
    let mut number = 0;
    for word in TABLE.split_whitespace() {
        if let Ok(next) = word.parse::<u8>() {
            number = usize::from(next);
            continue;
        }
        let expand =
            |mark: char, variant: &str| format!("minecraft:{}", word.replace(mark, variant));
        match word.as_bytes()[0] {
            b'*' => names[number].extend(DYES.map(|(dye, _)| expand('*', dye))),
            b'%' => names[number].extend(WOODS.map(|wood| expand('%', wood))),
            _ => names[number].push(format!("minecraft:{word}")),
        }
    }
    names
});

/// The name of a block by its number and data; `unknown:1234` if no version before 1.13 had the
/// number. Mods use such numbers.
pub(super) fn name(id: u32, data: u8) -> String {
    let Some(names) = NAMES.get(id as usize).filter(|names| !names.is_empty()) else {
        return format!("{UNKNOWN}{id}");
    };
    let mask = names.len().next_power_of_two() - 1;
    names.get(usize::from(data) & mask).unwrap_or(&names[0]).clone()
}

/// True if no version had this data for the block, so that its name is the same as for data 0.
pub(super) fn is_unknown_data(id: u32, data: u8) -> bool {
    NAMES.get(id as usize).is_some_and(|names| {
        let mask = names.len().next_power_of_two().saturating_sub(1);
        !names.is_empty() && usize::from(data) & mask >= names.len()
    })
}

/// Namespace of blocks whose number no version of Minecraft had.
pub(crate) const UNKNOWN: &str = "unknown:";

/// True for the upper half of a plant that is two blocks high. Only the data of the lower half
/// tells which plant it is.
pub(crate) const fn is_upper_half(id: u32, data: u8) -> bool {
    id == 175 && data & 8 != 0
}

/// True for the lower half of a plant two blocks high, except tall grass.
pub(super) const fn is_tall_flower(id: u32, data: u8) -> bool {
    id == 175 && matches!(data, 0 | 1 | 3..=5)
}

/// The side to which a torch on a wall leans; `None` for torches on the floor.
pub(super) const fn torch_facing(data: u8) -> Option<&'static str> {
    match data {
        1 => Some("east"),
        2 => Some("west"),
        3 => Some("south"),
        4 => Some("north"),
        _ => None,
    }
}

/// True for the numbers of stairs.
pub(super) const fn is_stairs(id: u32) -> bool {
    matches!(id, 53 | 67 | 108 | 109 | 114 | 128 | 134..=136 | 156 | 163 | 164 | 180 | 203)
}

/// The name of a flower pot with a plant, which is the item of this number and data; `None` if the
/// item does not grow in pots.
pub(crate) fn potted(item: u32, data: u8) -> Option<String> {
    let plant = match item {
        // Ferns are the only tall grasses that grow in pots.
        31 if data != 2 => return None,
        6 | 31 | 32 | 37..=40 | 81 => name(item, data),
        _ => return None,
    };
    Some(plant.replacen("minecraft:", "minecraft:potted_", 1))
}

/// The number of a plant by its item's name before 1.13, without `minecraft:`.
pub(crate) fn plant_id(item: &str) -> Option<u32> {
    Some(match item {
        "sapling" => 6,
        "tallgrass" => 31,
        "deadbush" => 32,
        "yellow_flower" => 37,
        "red_flower" => 38,
        "brown_mushroom" => 39,
        "red_mushroom" => 40,
        "cactus" => 81,
        _ => return None,
    })
}

/// True for the numbers of double slabs.
pub(super) const fn is_double_slab(id: u32) -> bool {
    matches!(id, 43 | 125 | 181 | 204)
}

#[cfg(test)]
mod tests {
    use super::super::{block_table, colours};
    use super::*;
    use stonerun_engine::voxel::Material;

    #[test]
    fn data_selects_name() {
        for (id, data, expected) in [
            (0, 0, "air"),
            (1, 5, "andesite"),
            (1, 7, "stone"),
            (1, 13, "andesite"),
            (5, 5, "dark_oak_planks"),
            (17, 6, "birch_log"),
            (18, 13, "spruce_leaves"),
            (35, 8, "light_gray_wool"),
            (44, 11, "cobblestone_slab"),
            (43, 7, "quartz_slab"),
            (126, 10, "birch_slab"),
            (162, 13, "dark_oak_log"),
            (175, 1, "lilac"),
            (175, 10, "tall_grass"),
            (99, 10, "mushroom_stem"),
            (100, 15, "mushroom_stem"),
            (252, 15, "black_concrete_powder"),
            (140, 0, "flower_pot"),
            (140, 9, "potted_cactus"),
        ] {
            assert_eq!(name(id, data), format!("minecraft:{expected}"), "{id}:{data}");
        }
        assert_eq!(
            [name(253, 0), name(256, 7), name(4095, 3)],
            ["unknown:253", "unknown:256", "unknown:4095"]
        );
    }

    #[test]
    fn data_beyond_the_list_is_unknown() {
        for (id, data, expected) in [
            (1, 6, false),
            (1, 7, true),
            (1, 15, true),
            (4, 9, false),
            (38, 9, true),
            (38, 8, false),
            (1234, 5, false),
        ] {
            assert_eq!(is_unknown_data(id, data), expected, "{id}:{data}");
        }
    }

    #[test]
    fn item_selects_potted_plant() {
        for (item, data, expected) in [
            ("red_flower", 3, Some("azure_bluet")),
            ("yellow_flower", 0, Some("dandelion")),
            ("tallgrass", 2, Some("fern")),
            ("tallgrass", 1, None),
            ("sapling", 4, Some("acacia_sapling")),
            ("cactus", 0, Some("cactus")),
            ("stone", 0, None),
        ] {
            let name = plant_id(item).and_then(|id| potted(id, data));
            assert_eq!(
                name,
                expected.map(|plant| format!("minecraft:potted_{plant}")),
                "{item}:{data}"
            );
        }
    }

    #[test]
    fn every_number_has_a_coloured_name() {
        let unused: Vec<_> = (0..256).filter(|&id| NAMES[id].is_empty()).collect();
        assert_eq!(unused, [253, 254]);
        for name in NAMES.iter().flatten() {
            let air = block_table::is_air(name);
            assert!(air || colours::block_colour(name) != Material::unknown(name).tint, "{name}");
        }
    }
}
