//! Commands, as they are typed.

use super::error::{CommandError, USAGES};
use super::words::{flat_radii, height, mask, pattern, position, radii, steps};
use crate::edit::{Mask, Pattern};
use crate::voxel::MaterialTable;
use glam::{DVec3, IVec3};

/// A command.
#[derive(Clone, PartialEq, Debug)]
pub enum ConsoleCommand {
    /// `//pos1`, `//pos2`: selects corner 0 or 1 of the box, or the player's place.
    Corner(usize, Option<IVec3>),
    /// `//size`: says how large the selection is.
    Size,
    /// `//set`: fills the selection.
    Set(Pattern),
    /// `//replace`: replaces what a mask accepts; everything but air without one.
    Replace(Mask, Pattern),
    /// `//walls`: fills the four upright sides of the selection.
    Walls(Pattern),
    /// `//faces`: fills all six sides.
    Faces(Pattern),
    /// `//sphere`, `//hsphere`: a ball around the player.
    Ball {
        /// What it is made of.
        pattern: Pattern,
        /// Radii along x, y and z, in voxels.
        radii: DVec3,
        /// True for a shell of one voxel.
        is_hollow: bool,
    },
    /// `//cyl`, `//hcyl`: an upright cylinder on the player's place.
    Cylinder {
        /// What it is made of.
        pattern: Pattern,
        /// Radii along x and z, in voxels.
        radii: [f64; 2],
        /// Number of layers.
        height: i32,
        /// True for a wall of one voxel.
        is_hollow: bool,
    },
    /// `//count`: counts voxels in the selection.
    Count(Mask),
    /// `//undo`: undoes steps.
    Undo(u32),
    /// `//redo`: redoes steps.
    Redo(u32),
}

impl ConsoleCommand {
    /// Reads a command.
    ///
    /// # Errors
    /// The command is unknown, or an argument is malformed.
    pub fn parse(text: &str, materials: &MaterialTable) -> Result<ConsoleCommand, CommandError> {
        let mut words = text.split_whitespace();
        let name = words.next().unwrap_or_default();
        let arguments: Vec<&str> = words.collect();
        let usage = |name: &str| {
            let starts = |usage: &&&str| usage.split([' ', ',']).next() == Some(name);
            CommandError::Usage(USAGES.iter().find(starts).copied().unwrap_or("//undo, //redo [STEPS]"))
        };
        let pattern = |text| pattern(text, materials);
        let mask = |words: &[&str]| mask(&words.join(" "), materials);
        Ok(match (name, &arguments[..]) {
            ("//pos1" | "//pos2", []) => ConsoleCommand::Corner(usize::from(name == "//pos2"), None),
            ("//pos1" | "//pos2", [at]) => ConsoleCommand::Corner(usize::from(name == "//pos2"), Some(position(at)?)),
            ("//size", []) => ConsoleCommand::Size,
            ("//set", [what]) => ConsoleCommand::Set(pattern(what)?),
            ("//replace", [what]) => ConsoleCommand::Replace(mask(&["#existing"])?, pattern(what)?),
            ("//replace", [masks @ .., what]) => ConsoleCommand::Replace(mask(masks)?, pattern(what)?),
            ("//walls", [what]) => ConsoleCommand::Walls(pattern(what)?),
            ("//faces", [what]) => ConsoleCommand::Faces(pattern(what)?),
            ("//sphere" | "//hsphere", [what, radius]) => {
                ConsoleCommand::Ball { pattern: pattern(what)?, radii: radii(radius)?, is_hollow: name == "//hsphere" }
            }
            ("//cyl" | "//hcyl", [what, radius, rest @ ..]) if rest.len() <= 1 => ConsoleCommand::Cylinder {
                pattern: pattern(what)?,
                radii: flat_radii(radius)?,
                height: rest.first().map_or(Ok(1), |text| height(text))?,
                is_hollow: name == "//hcyl",
            },
            ("//count", masks @ [_, ..]) => ConsoleCommand::Count(mask(masks)?),
            ("//undo" | "//redo", rest) if rest.len() <= 1 => {
                let steps = rest.first().map_or(Ok(1), |text| steps(text))?;
                if name == "//undo" { ConsoleCommand::Undo(steps) } else { ConsoleCommand::Redo(steps) }
            }
            _ if USAGES
                .iter()
                .any(|usage| usage.split([' ', ',']).any(|word| word == name && word.starts_with("//"))) =>
            {
                return Err(usage(name));
            }
            _ => return Err(CommandError::Unknown(name.to_owned())),
        })
    }
}
