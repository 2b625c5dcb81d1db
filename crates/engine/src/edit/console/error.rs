//! Errors of commands.

use crate::edit::clipboard::TransformError;
use crate::edit::region::RegionError;
use crate::edit::selection::SelectionError;
use crate::voxel::{Material, ShapeWordError};

/// Error of a command.
#[derive(thiserror::Error, Clone, PartialEq, Debug)]
pub enum CommandError {
    /// The command does not exist.
    #[error("there is no command {name:?}{}; //help lists all", hint(similar))]
    Unknown {
        /// Name as it was typed.
        name: String,
        /// Similar names, separated by commas; may be empty.
        similar: String,
    },
    /// The command is available only in the game.
    #[error("only the game has this command")]
    GameOnly,
    /// An argument is missing; holds the usage of the command.
    #[error("expected {0}")]
    Usage(String),
    /// A word is left over that no parameter takes.
    #[error("{word:?} is one argument too many; expected {usage}")]
    Surplus {
        /// The word as it was typed.
        word: String,
        /// Usage of the command.
        usage: String,
    },
    /// A word fits none of the parameters that could take it.
    #[error("{word:?} is no {kinds}: {reason}")]
    Unfit {
        /// The word as it was typed.
        word: String,
        /// Kinds of these parameters: `direction and no pattern`.
        kinds: String,
        /// Error of the last of these parameters.
        reason: Box<CommandError>,
    },
    /// The command has no such action.
    #[error("there is no action {word:?}; expected {usage}")]
    Action {
        /// The word as it was typed.
        word: String,
        /// Usage of the command.
        usage: String,
    },
    /// The command has no such flag; holds the word and the usage.
    #[error("{0:?} is no flag of this command; expected {1}")]
    Flag(String, String),
    /// A flag is given twice.
    #[error("\"-{0}\" is given twice")]
    FlagTwice(char),
    /// A flag with a mask is given twice. The message explains how to combine masks.
    #[error(
        "\"-{0}\" is given twice; several masks that all must accept a voxel are one: \"stone,dirt #exposed\""
    )]
    MaskTwice(char),
    /// An argument has no effect in combination with another one.
    #[error("{argument} has no effect {other}")]
    NoEffect {
        /// The argument, as it was typed.
        argument: String,
        /// The other argument, as a phrase: `with -s`.
        other: String,
    },
    /// A tool lacks an argument.
    #[error("{tool} needs {what}, such as {example}")]
    ToolNeeds {
        /// The tool.
        tool: &'static str,
        /// The argument, with its article.
        what: &'static str,
        /// A complete command.
        example: &'static str,
    },
    /// The limits of a mask are in the wrong order, so that it would accept nothing.
    #[error("{0:?}: the first number must not be above the second")]
    Reversed(String),
    /// The map has no such material.
    #[error("there is no material {name:?}{}", hint(similar))]
    Material {
        /// Name as it was typed.
        name: String,
        /// Similar names, separated by commas; may be empty.
        similar: String,
    },
    /// The map lacks shapes or turned states of blocks. The caller adds these materials to the
    /// map's table, and tries again.
    #[error("the map lacks {}", names(.0))]
    NeedsMaterials(Vec<Material>),
    /// The map lacks a shape of a block, and its table has no room for it.
    #[error(
        "the map has no room for another material, {0:?}; copy what you build into a new map, which \
         gets only the materials of the copy"
    )]
    TableFull(String),
    /// The material can have no shapes.
    #[error("{0:?} has no shapes: solid whole blocks have, but doors, wires and states have none")]
    NotReshapeable(String),
    /// A shape of a block is written with an occupancy.
    #[error(
        "{0:?}: a shape of a block is always filled as much as it is; write it without a number"
    )]
    FixedOccupancy(String),
    /// No shape has these words.
    #[error(transparent)]
    Shape(#[from] ShapeWordError),
    /// The material cannot have another surface than a cube's.
    #[error("{0:?} is no solid block, so its surface cannot be changed")]
    NotShapeable(String),
    /// A word is not one of the possible words.
    #[error("{word:?} is no {what}{}", hint(similar))]
    Word {
        /// The word.
        word: String,
        /// Name of the expected kind of word.
        what: &'static str,
        /// Possible words, separated by commas; may be empty.
        similar: String,
    },
    /// A word is not one of the words of a parameter.
    #[error("{word:?} is no {what}; there are {words}")]
    Choice {
        /// The word.
        word: String,
        /// Name of the parameter in small letters.
        what: String,
        /// All words, separated by commas.
        words: String,
    },
    /// A pattern for new ground has no material of ground.
    #[error("{0:?} is no ground: solid blocks are, but trunks, leaves and models are not")]
    NoGround(String),
    /// A pattern for new ground has an occupancy or a liquid.
    #[error("{0:?}: of new ground, only the material can be chosen; write it like stone")]
    OnlyMaterials(String),
    /// A weight in a mix is not a positive number.
    #[error("{0:?} has a share that is no positive number; write it like 50%stone,50%dirt")]
    Weight(String),
    /// An occupancy is not a number from 1 to 256.
    #[error("{0:?} has an occupancy that is no number from 1 to 256; write it like water:128")]
    Occupancy(String),
    /// A liquid is not the map's water, or there is no room for it.
    #[error(
        "{0:?}: after ~ comes the water in what the material leaves free; write it like \
         sand:128~water:100, or sand:128~water for as much as there is room for"
    )]
    Liquid(String),
    /// A material that holds no water has some.
    #[error("{0:?}: only solid materials and plants hold water")]
    HoldsNoWater(String),
    /// A pattern or mask has a malformed or missing argument; holds the word and an example.
    #[error("{0:?}: write it like {1}")]
    Form(String, &'static str),
    /// A mask has too many operators; holds the maximum.
    #[error("a mask can be nested {0} times at most")]
    Nesting(usize),
    /// A bracket or a quotation mark is not closed.
    #[error("{0} is never closed")]
    Unclosed(char),
    /// Coordinates are malformed or outside the world.
    #[error("{0:?} is no place in the world; write it like 12,64,-5")]
    Position(String),
    /// A radius is malformed.
    #[error("{0:?} is no radius from 0 to 1024; write it like 5, or 5,3,4 along x, y and z")]
    Radius(String),
    /// A number is malformed or out of range.
    #[error("{word:?} is no {what} from {from} to {to}")]
    Number {
        /// The word.
        word: String,
        /// Name of the expected number.
        what: &'static str,
        /// Smallest accepted number.
        from: i32,
        /// Largest accepted number.
        to: i32,
    },
    /// A direction is unknown.
    #[error(
        "{0:?} is no direction; there are up, down, north, south, east, west, forward, back, left, right"
    )]
    Direction(String),
    /// A direction is given twice.
    #[error("{0:?} gives a direction twice")]
    DirectionTwice(String),
    /// Directions cancel each other.
    #[error("{0:?} leads nowhere: its directions are opposites")]
    Opposites(String),
    /// The selection cannot be used by the command.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A region cannot be made.
    #[error(transparent)]
    Region(#[from] RegionError),
    /// The player does not look at a voxel.
    #[error("there is no block in sight")]
    NoTarget,
    /// The clipboard is empty.
    #[error("the clipboard is empty: copy the selection with //copy")]
    EmptyClipboard,
    /// The map lacks a material of natural ground.
    #[error("the map lacks grass, dirt or stone")]
    MissingGround,
    /// The clipboard cannot be transformed as requested.
    #[error(transparent)]
    Transform(#[from] TransformError),
}

/// Names of materials, separated by commas.
fn names(materials: &[Material]) -> String {
    materials.iter().map(|material| material.name.as_str()).collect::<Vec<_>>().join(", ")
}

fn hint(similar: &str) -> String {
    if similar.is_empty() { String::new() } else { format!("; did you mean {similar}?") }
}
