//! Block names for the numbers and data bits used before Minecraft 1.13.
//!
//! `fastanvil` has such a table too, but panics on data that real worlds contain (an upper slab, a
//! horizontal log).

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
        let expand = |mark: char, variant: &str| format!("minecraft:{}", word.replace(mark, variant));
        match word.as_bytes()[0] {
            b'*' => names[number].extend(DYES.map(|(dye, _)| expand('*', dye))),
            b'%' => names[number].extend(WOODS.map(|wood| expand('%', wood))),
            _ => names[number].push(format!("minecraft:{word}")),
        }
    }
    names
});

/// The name of a block by its number and data; `minecraft:id_1234` if no version before 1.13 had
/// the number.
pub(super) fn name(id: u16, data: u8) -> String {
    let Some(names) = NAMES.get(usize::from(id)).filter(|names| !names.is_empty()) else {
        return format!("minecraft:id_{id}");
    };
    let mask = names.len().next_power_of_two() - 1;
    names.get(usize::from(data) & mask).unwrap_or(&names[0]).clone()
}

/// True for the numbers of double slabs.
pub(super) const fn is_double_slab(id: u16) -> bool {
    matches!(id, 43 | 125 | 181 | 204)
}

#[cfg(test)]
mod tests {
    use super::super::{block_table, colours};
    use super::*;
    use crate::voxel::Material;

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
            (253, 0, "id_253"),
            (4095, 3, "id_4095"),
        ] {
            assert_eq!(name(id, data), format!("minecraft:{expected}"), "{id}:{data}");
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
