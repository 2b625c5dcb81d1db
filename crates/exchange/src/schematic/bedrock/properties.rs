//! The Java Edition's properties for states of the Bedrock Edition.

use crate::minecraft::block_state::BlockProperties;
use crate::minecraft::numbered_sides::{DIRECTIONS, FROM_EAST, FROM_SOUTH, RAILS, STAIRS};

/// Directions of pistons and end rods by their number.
const REVERSED: [&str; 6] = ["down", "up", "south", "north", "east", "west"];
/// Sides of sheets, such as lichen, by their bits.
const SHEETS: [&str; 6] = ["down", "up", "south", "west", "north", "east"];

/// Sets the properties that a state of a block means. False for states that mean none.
pub(super) fn set(block: &str, state: &str, value: &str, found: &mut BlockProperties) -> bool {
    let number = value.parse::<usize>().ok();
    let of = |names: &'static [&'static str]| number.and_then(|at| names.get(at)).copied();
    let truth = if value == "1" { "true" } else { "false" };
    let is = |end: &str| block.ends_with(end);
    let property = match (state, value) {
        ("top_slot_bit", "1") | ("minecraft:vertical_half", "top") => Some(("type", "top")),
        // Height 0 is one layer.
        ("height", layers) if is(":snow_layer") => {
            let layers = layers.parse::<u8>().map_or(1, |layers| layers.saturating_add(1));
            found.set("layers", &layers.to_string());
            return true;
        }
        ("liquid_depth", level) => Some(("level", level)),
        ("upside_down_bit", "1") => Some(("half", "top")),
        ("upper_block_bit", "0") if is("door") => Some(("half", "lower")),
        ("upper_block_bit", "1") if is("door") => Some(("half", "upper")),
        ("door_hinge_bit", "0") => Some(("hinge", "left")),
        ("door_hinge_bit", "1") => Some(("hinge", "right")),
        ("open_bit", _) if is("lever") => Some(("powered", truth)),
        ("open_bit", _) => Some(("open", truth)),
        ("lever_direction", _) => {
            let (face, facing) = match value {
                "up_north_south" => ("floor", "north"),
                "up_east_west" => ("floor", "east"),
                "down_north_south" => ("ceiling", "north"),
                "down_east_west" => ("ceiling", "east"),
                side => ("wall", side),
            };
            found.set("face", face);
            Some(("facing", facing))
        }
        ("attachment", _) => {
            let [of_bell, of_others] = match value {
                "standing" => ["floor", "floor"],
                "hanging" => ["ceiling", "ceiling"],
                "multiple" => ["double_wall", "wall"],
                _ => ["single_wall", "wall"],
            };
            let is_bell = is("bell");
            Some(if is_bell { ("attachment", of_bell) } else { ("face", of_others) })
        }
        ("portal_axis", "x" | "z") => Some(("axis", value)),
        ("dripstone_thickness", "merge") => Some(("thickness", "tip_merge")),
        ("dripstone_thickness", thickness) => Some(("thickness", thickness)),
        ("turtle_egg_count", _) => {
            let words = ["one_egg", "two_egg", "three_egg", "four_egg"];
            let count = words.iter().position(|word| *word == value);
            count.map(|count| ("eggs", ["1", "2", "3", "4"][count]))
        }
        ("age", age) if is("cocoa") => Some(("age", age)),
        ("multi_face_direction_bits", _) => {
            for (bit, side) in SHEETS.into_iter().enumerate() {
                let is_set = number.is_some_and(|bits| bits >> bit & 1 == 1);
                found.set(side, if is_set { "true" } else { "false" });
            }
            return true;
        }
        ("in_wall_bit", _) => Some(("in_wall", truth)),
        ("button_pressed_bit", _) => Some(("powered", truth)),
        ("head_piece_bit", "0") => Some(("part", "foot")),
        ("head_piece_bit", "1") => Some(("part", "head")),
        ("hanging", "1") if is("dripstone") => Some(("vertical_direction", "down")),
        ("hanging", _) if is("dripstone") => Some(("vertical_direction", "up")),
        ("hanging", _) if is("sign") => return true,
        ("hanging", _) => Some(("hanging", truth)),
        ("bite_counter", bites) => Some(("bites", bites)),
        ("candles", _) => of(&["1", "2", "3", "4"]).map(|count| ("candles", count)),
        ("cluster_count", _) => of(&["1", "2", "3", "4"]).map(|count| ("pickles", count)),
        ("ground_sign_direction", rotation) => Some(("rotation", rotation)),
        ("weirdo_direction", _) => of(&STAIRS).map(|side| ("facing", side)),
        ("minecraft:corner", "none") => Some(("shape", "straight")),
        ("minecraft:corner", corner) => Some(("shape", corner)),
        // Blocks without an axis have this value, too.
        ("pillar_axis", "y") => return true,
        ("pillar_axis", axis) => Some(("axis", axis)),
        ("rail_direction", _) => of(&RAILS).map(|shape| ("shape", shape)),
        ("wall_post_bit", _) => Some(("up", truth)),
        ("vine_direction_bits", _) => {
            for (bit, side) in FROM_SOUTH.into_iter().enumerate() {
                let is_set = number.is_some_and(|bits| bits >> bit & 1 == 1);
                found.set(side, if is_set { "true" } else { "false" });
            }
            // Vines on no side hang from the block above.
            found.set("up", if number == Some(0) { "true" } else { "false" });
            return true;
        }
        ("facing_direction", _) if is("piston") || is("end_rod") => {
            of(&REVERSED).map(|side| ("facing", side))
        }
        ("minecraft:cardinal_direction", _) if is("door") && !is("trapdoor") => {
            let side = FROM_SOUTH.iter().position(|side| *side == value);
            side.map(|side| ("facing", FROM_EAST[side]))
        }
        ("facing_direction", _) if is("button") => {
            let facing = of(&DIRECTIONS);
            let face = match facing {
                Some("down") => "ceiling",
                Some("up") => "floor",
                _ => "wall",
            };
            found.set("face", face);
            facing.filter(|_| face == "wall").map(|side| ("facing", side))
        }
        ("facing_direction", _) if number.is_some() => of(&DIRECTIONS).map(|side| ("facing", side)),
        ("direction", _) if is("trapdoor") => of(&STAIRS).map(|side| ("facing", side)),
        ("direction", _) if is("door") => of(&FROM_EAST).map(|side| ("facing", side)),
        ("direction", _) if number.is_some() => of(&FROM_SOUTH).map(|side| ("facing", side)),
        // The value is the side of the wall; `facing` is the side to which the torch leans.
        ("torch_facing_direction", "east") => Some(("facing", "west")),
        ("torch_facing_direction", "west") => Some(("facing", "east")),
        ("torch_facing_direction", "south") => Some(("facing", "north")),
        ("torch_facing_direction", "north") => Some(("facing", "south")),
        (
            "facing_direction"
            | "direction"
            | "minecraft:cardinal_direction"
            | "minecraft:facing_direction"
            | "minecraft:block_face",
            side,
        ) => Some(("facing", side)),
        _ => {
            return set_connection(state, value, found);
        }
    };
    if let Some((name, value)) = property {
        found.set(name, value);
    }
    property.is_some()
}

/// Sets what a fence, a wall or a pane joins to.
fn set_connection(state: &str, value: &str, found: &mut BlockProperties) -> bool {
    let of_wall = state.strip_prefix("wall_connection_type_");
    let Some(side) = of_wall.or_else(|| state.strip_prefix("minecraft:connection_")) else {
        return false;
    };
    let joined = match value {
        "short" => "low",
        "1" => "true",
        "0" => "false",
        other => other,
    };
    found.set(side, joined);
    true
}
