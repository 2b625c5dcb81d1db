//! Stairs: the eighths of a block that their states fill.

use super::block_state::BlockProperties;
use stonerun_engine::voxel::{Face, HewnEighths, StairCorner, Stairs};

/// The eighths of stairs, and the name of a property whose value is unknown, which is read as its
/// default: `facing` north, `half` bottom, `shape` straight.
pub(super) fn stairs(properties: &BlockProperties) -> (HewnEighths, Option<&'static str>) {
    let (rises_to, facing_is_known) = match (properties.get("facing"), properties.facing()) {
        (_, Some(side)) => (side, true),
        (stated, None) => (Face::North, stated.is_none()),
    };
    let (is_hanging, half_is_known) = match properties.get("half") {
        None | Some("bottom") => (false, true),
        Some("top") => (true, true),
        Some(_) => (false, false),
    };
    let stated = properties.get("shape");
    let corner = stated.and_then(StairCorner::from_word);
    let shape_is_known = stated.is_none() || corner.is_some();
    let corner = corner.unwrap_or_default();
    let unknown = match () {
        () if !facing_is_known => Some("facing"),
        () if !half_is_known => Some("half"),
        () if !shape_is_known => Some("shape"),
        () => None,
    };
    (Stairs { rises_to, is_hanging, corner }.eighths(), unknown)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::minecraft::block_state::BlockState;

    fn form(text: &str) -> (HewnEighths, Option<&'static str>) {
        stairs(&BlockState::parse(text).unwrap().properties())
    }

    #[test]
    fn stairs_have_the_eighths_of_their_state() {
        // Eighths x + 2 y + 4 z; Minecraft's north is -z, as here. The full side of stairs is
        // ahead.
        for (state, eighths) in [
            ("[facing=north,half=bottom,shape=straight]", 0b0011_1111),
            ("[facing=east,half=bottom,shape=straight]", 0b1011_1011),
            ("[facing=south,half=top,shape=straight]", 0b1111_1100),
            ("[facing=north,half=bottom,shape=outer_left]", 0b0011_0111),
            ("[facing=north,half=top,shape=inner_right]", 0b1110_1111),
            ("", 0b0011_1111),
        ] {
            let (found, unknown) = form(&format!("oak_stairs{state}"));
            assert_eq!((found.bits(), unknown), (eighths, None), "{state}");
        }
        let unknown = |text| form(text).1;
        assert_eq!(unknown("oak_stairs[half=left]"), Some("half"));
        assert_eq!(unknown("oak_stairs[shape=round]"), Some("shape"));
        assert_eq!(unknown("oak_stairs[facing=up]"), Some("facing"));
    }

    #[test]
    fn each_state_has_a_form_of_its_own() {
        let mut seen = std::collections::BTreeMap::new();
        for facing in ["north", "east", "south", "west"] {
            for half in ["bottom", "top"] {
                for shape in ["straight", "inner_left", "inner_right", "outer_left", "outer_right"]
                {
                    let text = format!("x_stairs[facing={facing},half={half},shape={shape}]");
                    *seen.entry(form(&text).0).or_insert(0) += 1;
                }
            }
        }
        // A corner to the left of one direction is one to the right of another.
        let mut counts: Vec<i32> = seen.into_values().collect();
        counts.sort_unstable();
        assert_eq!(counts, [[1; 8].as_slice(), &[2; 16]].concat());
    }
}
