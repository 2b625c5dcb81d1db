//! Turns and reflections of block states, by the names of Minecraft's properties.

use crate::voxel::{Face, Turn};
use glam::IVec3;

/// The state `name=value,name=value` after a turn. Properties without a direction stay. `None` if a
/// direction cannot be stated, such as the one of a door on its side.
pub(super) fn turned(state: &str, turn: Turn) -> Option<String> {
    let pairs: Vec<(&str, &str)> =
        state.split(',').map(|pair| pair.split_once('=')).collect::<Option<_>>()?;
    let stays_upright = turn.face(Face::Up).normal().y != 0;
    let is_upside_down = turn.face(Face::Up) == Face::Down;
    let is_mirrored = is_mirrored(turn);
    let has = |name: &str| pairs.iter().any(|(known, _)| *known == name);
    let mut after: Vec<(&str, String)> = Vec::new();
    for (name, value) in &pairs {
        let level = |low: &str, high: &str| -> Option<String> {
            let swapped = if *value == low { high } else { low };
            match () {
                () if *value != low && *value != high => Some((*value).to_owned()),
                () if !stays_upright => None,
                () => Some(if is_upside_down { swapped } else { value }.to_owned()),
            }
        };
        let sides = |left: &str, right: &str| {
            if is_mirrored { swapped(value, left, right) } else { (*value).to_owned() }
        };
        let turned = match *name {
            "facing" => Face::from_word(value).map(|face| turn.face(face).word().to_owned()),
            "axis" => Some(axis(value, turn)?.to_owned()),
            "rotation" => Some(rotation(value, turn)?),
            // Sides: the value moves to another name.
            "north" | "south" | "east" | "west" => {
                let side = turn.face(Face::from_word(name)?);
                let to = side.word();
                if !has(to) {
                    return None;
                }
                after.push((to, (*value).to_owned()));
                continue;
            }
            "up" | "down" if has("up") && has("down") => {
                let to = turn.face(Face::from_word(name)?).word();
                after.push((to, (*value).to_owned()));
                continue;
            }
            // Of stairs and trapdoors; doors and plants have `upper` and `lower`, which stay.
            "half" => level("bottom", "top"),
            "type" if matches!(*value, "left" | "right") => Some(sides("left", "right")),
            "type" => level("bottom", "top"),
            "face" | "attachment" => level("floor", "ceiling"),
            "vertical_direction" => level("down", "up"),
            "hanging" => level("false", "true"),
            "orientation" => orientation(value, turn),
            "hinge" => Some(sides("left", "right")),
            "shape" => shape(value, turn, is_mirrored),
            _ => Some((*value).to_owned()),
        };
        after.push((name, turned?));
    }
    after.sort_unstable();
    let texts: Vec<String> = after.iter().map(|(name, value)| format!("{name}={value}")).collect();
    Some(texts.join(","))
}

/// True if a turn exchanges left and right of what stands upright.
fn is_mirrored(turn: Turn) -> bool {
    let [north, east] = [Face::North, Face::East].map(|face| turn.face(face).normal());
    // From north to east, clockwise seen from above.
    north.cross(east).dot(IVec3::NEG_Y) < 0
}

fn swapped(value: &str, left: &str, right: &str) -> String {
    let swap = |word: &str| if word == left { right.to_owned() } else { left.to_owned() };
    if value == left || value == right { swap(value) } else { value.to_owned() }
}

/// The axis after a turn.
fn axis(value: &str, turn: Turn) -> Option<&'static str> {
    let along = match value {
        "x" => Face::East,
        "y" => Face::Up,
        "z" => Face::South,
        _ => return None,
    };
    Some(["x", "y", "z"][turn.face(along) as usize / 2])
}

/// Sixteenths of a turn from south, clockwise seen from above, after a turn.
fn rotation(value: &str, turn: Turn) -> Option<String> {
    let sixteenths: i32 = value.parse().ok().filter(|value| (0..16).contains(value))?;
    let start = match turn.face(Face::South) {
        Face::South => 0,
        Face::West => 4,
        Face::North => 8,
        Face::East => 12,
        Face::Up | Face::Down => return None,
    };
    if turn.face(Face::Up).normal().y == 0 {
        return None;
    }
    let onwards = if is_mirrored(turn) { -sixteenths } else { sixteenths };
    Some((start + onwards).rem_euclid(16).to_string())
}

/// The two directions of a jigsaw block after a turn.
fn orientation(value: &str, turn: Turn) -> Option<String> {
    let (front, top) = value.split_once('_')?;
    let [front, top] =
        [Face::from_word(front)?, Face::from_word(top)?].map(|face| turn.face(face).word());
    Some(format!("{front}_{top}"))
}

/// The shape of stairs or rails after a turn.
fn shape(value: &str, turn: Turn, is_mirrored: bool) -> Option<String> {
    let turned = |name: &str| Some(turn.face(Face::from_word(name)?).word());
    if let Some(side) = value.strip_prefix("ascending_") {
        return Some(format!("ascending_{}", turned(side)?));
    }
    for corner in ["inner", "outer"] {
        if let Some(side) = value.strip_prefix(corner).and_then(|rest| rest.strip_prefix('_')) {
            let side = if is_mirrored { swapped(side, "left", "right") } else { side.to_owned() };
            return Some(format!("{corner}_{side}"));
        }
    }
    let Some((first, second)) = value.split_once('_') else { return Some(value.to_owned()) };
    let mut ends = [turned(first)?, turned(second)?];
    // Minecraft names north or south first, then east before west, and of one axis north and east.
    let order = |name: &str| ["north", "south", "east", "west"].iter().position(|one| *one == name);
    ends.sort_by_key(|end| order(end));
    Some(ends.join("_"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_turn_with_their_blocks() {
        let quarter = Turn::quarters(1);
        let across_x = Turn::reflection(0);
        let upside_down = Turn::reflection(1);
        for (state, turn, expected) in [
            (
                "facing=north,half=top,shape=inner_left",
                quarter,
                "facing=east,half=top,shape=inner_left",
            ),
            (
                "facing=east,half=top,shape=inner_left",
                across_x,
                "facing=west,half=top,shape=inner_right",
            ),
            (
                "facing=east,half=top,shape=outer_left",
                upside_down,
                "facing=east,half=bottom,shape=outer_left",
            ),
            ("axis=x", quarter, "axis=z"),
            ("axis=y", quarter, "axis=y"),
            ("axis=y", Turn::from_up(Face::North), "axis=z"),
            ("rotation=3", quarter, "rotation=7"),
            ("rotation=3", across_x, "rotation=13"),
            ("rotation=1", Turn::reflection(2), "rotation=7"),
            (
                "east=true,north=false,south=false,waterlogged=false,west=false",
                quarter,
                "east=false,north=false,south=true,waterlogged=false,west=false",
            ),
            (
                "east=low,north=none,south=tall,up=true,west=none",
                across_x,
                "east=none,north=none,south=tall,up=true,west=low",
            ),
            (
                "down=true,east=false,north=true,south=false,up=false,west=false",
                upside_down,
                "down=false,east=false,north=true,south=false,up=true,west=false",
            ),
            (
                "facing=west,half=upper,hinge=left,open=false",
                across_x,
                "facing=east,half=upper,hinge=right,open=false",
            ),
            ("facing=north,type=left", across_x, "facing=north,type=right"),
            ("type=top", upside_down, "type=bottom"),
            ("face=floor,facing=north", upside_down, "face=ceiling,facing=north"),
            ("shape=ascending_east", quarter, "shape=ascending_south"),
            ("shape=north_south", quarter, "shape=east_west"),
            ("shape=south_east", quarter, "shape=south_west"),
            ("shape=north_west", across_x, "shape=north_east"),
            ("orientation=north_up", quarter, "orientation=east_up"),
            ("hanging=true", upside_down, "hanging=false"),
            ("lit=true,level=3", quarter, "level=3,lit=true"),
        ] {
            assert_eq!(turned(state, turn).as_deref(), Some(expected), "{state} {turn:?}");
        }
        // A door on its side, a sign on its back, a wall with sides above and below.
        let forwards = Turn::from_up(Face::North);
        for state in ["half=top", "rotation=3", "east=true,north=false,south=false,west=true"] {
            assert_eq!(turned(state, forwards), None, "{state}");
        }
        assert_eq!(turned("facing=inside", quarter), None);
        assert_eq!(turned("odd", quarter), None);
    }

    #[test]
    fn four_quarters_and_two_reflections_change_nothing() {
        for state in [
            "facing=north,half=top,shape=outer_right",
            "east=true,north=false,south=low,west=tall",
            "rotation=11",
            "shape=south_west",
            "shape=east_west",
        ] {
            let quarter = |state: String, _| turned(&state, Turn::quarters(1)).unwrap();
            assert_eq!((0..4).fold(state.to_owned(), quarter), state);
            for axis in [0, 2] {
                let once = turned(state, Turn::reflection(axis)).unwrap();
                assert_eq!(turned(&once, Turn::reflection(axis)).as_deref(), Some(state));
            }
        }
    }
}
