//! States of blocks by the data bits used before Minecraft 1.13.

use super::block_state::BlockProperties;
use super::numbered_sides::{DIRECTIONS, FROM_EAST, FROM_SOUTH, RAILS, SIDES, STAIRS, TRAPDOORS};
use super::numeric_ids;

/// True for the numbers of doors.
pub(super) const fn is_door(id: u32) -> bool {
    matches!(id, 64 | 71 | 193..=197)
}

/// The properties that the data of a block states: those that turn and shape it, and a few others.
/// Those that later versions derive from the blocks around, such as the corners of stairs, are not
/// among them; nor are the properties of a door that its other half has.
pub(super) fn properties(id: u32, data: u8) -> BlockProperties {
    let low = usize::from(data & 3);
    let bit = |bit: u8| if data & bit == 0 { "false" } else { "true" };
    let half = |bit: u8| if data & bit == 0 { "bottom" } else { "top" };
    let side = |number: u8| number.checked_sub(2).and_then(|at| SIDES.get(usize::from(at)));
    let mut found = BlockProperties::default();
    let mut set = |name: &str, value: &str| found.set(name, value);
    match id {
        // Logs, hay, bones and pillars.
        17 | 162 | 170 | 202 | 216 => match data & 12 {
            0 => set("axis", "y"),
            4 => set("axis", "x"),
            8 => set("axis", "z"),
            _ => {}
        },
        155 if matches!(data, 2..=4) => set("axis", ["y", "x", "z"][usize::from(data - 2)]),
        _ if numeric_ids::is_double_slab(id) => set("type", "double"),
        44 | 126 | 182 | 205 => set("type", half(8)),
        _ if numeric_ids::is_stairs(id) => {
            set("facing", STAIRS[low]);
            set("half", half(4));
        }
        // Liquids, snow, farmland, cake.
        8..=11 => set("level", &data.to_string()),
        78 => set("layers", &(data % 8 + 1).to_string()),
        60 if data < 8 => set("moisture", &data.to_string()),
        92 if data < 7 => set("bites", &data.to_string()),
        // Torches on walls lean to a side.
        50 | 75 | 76 => {
            if let Some(facing) = numeric_ids::torch_facing(data) {
                set("facing", facing);
            }
            if id == 75 {
                set("lit", "false");
            }
        }
        124 => set("lit", "true"),
        // Crops.
        59 | 141 | 142 => set("age", &(data & 7).to_string()),
        115 | 207 => set("age", &(data & 3).to_string()),
        // Buttons and levers.
        77 | 143 | 69 => {
            let (face, facing) = match (data & 7, id) {
                (1, _) => ("wall", "east"),
                (2, _) => ("wall", "west"),
                (3, _) => ("wall", "south"),
                (4, _) => ("wall", "north"),
                (5, _) => ("floor", "north"),
                (6, 69) => ("floor", "west"),
                (0, 69) => ("ceiling", "west"),
                _ => ("ceiling", "north"),
            };
            set("face", face);
            set("facing", facing);
            set("powered", bit(8));
        }
        _ if is_door(id) && data & 8 == 0 => {
            set("facing", FROM_EAST[low]);
            set("half", "lower");
            set("open", bit(4));
        }
        _ if is_door(id) => {
            set("half", "upper");
            set("hinge", if data & 1 == 0 { "left" } else { "right" });
            set("powered", bit(2));
        }
        96 | 167 => {
            set("facing", TRAPDOORS[low]);
            set("half", half(8));
            set("open", bit(4));
        }
        // Ladders, chests, furnaces, and signs, banners and skulls on walls.
        54 | 61 | 62 | 65 | 68 | 130 | 144 | 146 | 177 => {
            if let Some(side) = side(data & 7) {
                set("facing", side);
            }
            if id == 62 {
                set("lit", "true");
            }
        }
        // Signs and banners on the ground.
        63 | 176 => set("rotation", &(data & 15).to_string()),
        66 => {
            if let Some(shape) = RAILS.get(usize::from(data)) {
                set("shape", shape);
            }
        }
        27 | 28 | 157 => {
            if let Some(shape) = RAILS[..6].get(usize::from(data & 7)) {
                set("powered", bit(8));
                set("shape", shape);
            }
        }
        // Dispensers, pistons, hoppers, observers, shulker boxes, rods.
        23 | 29 | 33 | 34 | 137 | 154 | 158 | 198 | 210 | 211 | 218..=234 => {
            if let Some(facing) = DIRECTIONS.get(usize::from(data & 7)) {
                set("facing", facing);
            }
            match id {
                29 | 33 => set("extended", bit(8)),
                34 => set("type", if data & 8 == 0 { "normal" } else { "sticky" }),
                _ => {}
            }
        }
        26 => {
            set("facing", FROM_SOUTH[low]);
            set("occupied", bit(4));
            set("part", if data & 8 == 0 { "foot" } else { "head" });
        }
        // Pumpkins, hooks, anvils, terracotta.
        86 | 91 | 131 | 145 | 235..=250 => set("facing", FROM_SOUTH[low]),
        120 => {
            set("eye", bit(4));
            set("facing", FROM_SOUTH[low]);
        }
        // Repeaters and comparators, off and on.
        93 | 94 => {
            set("delay", &(data / 4 + 1).to_string());
            set("facing", FROM_SOUTH[low]);
            set("powered", if id == 94 { "true" } else { "false" });
        }
        149 | 150 => {
            set("facing", FROM_SOUTH[low]);
            set("mode", if data & 4 == 0 { "compare" } else { "subtract" });
            set("powered", bit(8));
        }
        107 | 183..=187 => {
            set("facing", FROM_SOUTH[low]);
            set("open", bit(4));
            set("powered", bit(8));
        }
        106 => {
            for (side, of_side) in [("south", 1), ("west", 2), ("north", 4), ("east", 8)] {
                set(side, bit(of_side));
            }
            // Vines on no side hang from the block above.
            set("up", if data & 15 == 0 { "true" } else { "false" });
        }
        127 => {
            set("age", &(data >> 2).min(2).to_string());
            set("facing", FROM_SOUTH[low]);
        }
        _ => {}
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn data_states_properties() {
        for (id, data, expected) in [
            (1, 5, ""),
            (17, 5, "[axis=x]"),
            (155, 4, "[axis=z]"),
            (44, 11, "[type=top]"),
            (43, 1, "[type=double]"),
            (53, 6, "[facing=south,half=top]"),
            (50, 1, "[facing=east]"),
            (50, 5, ""),
            (64, 5, "[facing=south,half=lower,open=true]"),
            (64, 9, "[half=upper,hinge=right,powered=false]"),
            (65, 4, "[facing=west]"),
            (66, 9, "[shape=north_east]"),
            (27, 9, "[powered=true,shape=east_west]"),
            (69, 13, "[face=floor,facing=north,powered=true]"),
            (96, 14, "[facing=west,half=top,open=true]"),
            (33, 9, "[extended=true,facing=up]"),
            (26, 9, "[facing=west,occupied=false,part=head]"),
            (107, 6, "[facing=north,open=true,powered=false]"),
            (106, 5, "[east=false,north=true,south=true,up=false,west=false]"),
            (106, 0, "[east=false,north=false,south=false,up=true,west=false]"),
            (75, 2, "[facing=west,lit=false]"),
            (93, 6, "[delay=2,facing=north,powered=false]"),
            (144, 3, "[facing=south]"),
            (127, 6, "[age=1,facing=north]"),
            (63, 9, "[rotation=9]"),
        ] {
            assert_eq!(properties(id, data).in_brackets(true), expected, "{id}:{data}");
        }
        // No data of any block is a fault.
        for id in 0..=300 {
            for data in 0..=15 {
                assert!(properties(id, data).unknown.is_none());
            }
        }
    }
}
