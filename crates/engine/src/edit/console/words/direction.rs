//! Directions in commands.

use crate::edit::console::error::CommandError;
use crate::edit::console::state::Console;
use crate::voxel::Face;
use glam::IVec3;

/// Words for directions, offered as completions. All except `me` may be shortened to their first
/// letter.
pub(in crate::edit::console) const DIRECTIONS: [&str; 11] =
    ["up", "down", "north", "south", "east", "west", "forward", "back", "left", "right", "me"];

/// Parses a single direction. Without a console, the word is only checked.
pub(in crate::edit::console) fn one_direction(
    text: &str,
    console: Option<&Console>,
) -> Result<Face, CommandError> {
    match directions(text, console)?[..] {
        [only] => Ok(only),
        _ => Err(CommandError::Direction(text.to_owned())),
    }
}

/// Parses one or several directions, separated by commas. `vertical`, `horizontal` and `all` each
/// stand for several. Without a console, the words are only checked.
pub(in crate::edit::console) fn directions(
    text: &str,
    console: Option<&Console>,
) -> Result<Vec<Face>, CommandError> {
    let level = |console: &Console, turn: fn(IVec3) -> IVec3| {
        let turned = turn(console.level_forward().normal());
        Face::ALL.into_iter().find(|face| face.normal() == turned).unwrap_or(Face::North)
    };
    let from_look = |find: &dyn Fn(&Console) -> Face| console.map_or(Face::North, find);
    let one = |word: &str| {
        Ok(vec![match word.trim().to_lowercase().as_str() {
            "up" | "u" => Face::Up,
            "down" | "d" => Face::Down,
            "north" | "n" => Face::North,
            "south" | "s" => Face::South,
            "east" | "e" => Face::East,
            "west" | "w" => Face::West,
            "forward" | "f" | "me" => from_look(&Console::forward),
            "back" | "b" => from_look(&|console| console.forward().opposite()),
            "left" | "l" => from_look(&|console| level(console, |v| IVec3::new(v.z, 0, -v.x))),
            "right" | "r" => from_look(&|console| level(console, |v| IVec3::new(-v.z, 0, v.x))),
            "vertical" | "vert" | "v" => return Ok(vec![Face::Up, Face::Down]),
            "horizontal" | "h" => {
                return Ok(vec![Face::East, Face::West, Face::South, Face::North]);
            }
            "all" => return Ok(Face::ALL.to_vec()),
            _ => return Err(CommandError::Direction(word.to_owned())),
        }])
    };
    let all: Vec<Vec<Face>> = text.split(',').map(one).collect::<Result<_, _>>()?;
    let mut faces = all.concat();
    faces.sort_unstable();
    // Without a console, all directions relative to the player's view are equal, so duplicates are
    // not an error.
    let given = faces.len();
    faces.dedup();
    if faces.len() < given && console.is_some() {
        return Err(CommandError::DirectionTwice(text.to_owned()));
    }
    Ok(faces)
}
