//! Why a command cannot be carried out.

/// Names and arguments of all commands, in the order of the help.
pub(super) const USAGES: [&str; 13] = [
    "//pos1 [X,Y,Z]",
    "//pos2 [X,Y,Z]",
    "//size",
    "//set PATTERN",
    "//replace [MASK] PATTERN",
    "//walls PATTERN",
    "//faces PATTERN",
    "//sphere PATTERN RADII",
    "//hsphere PATTERN RADII",
    "//cyl PATTERN RADII [HEIGHT]",
    "//hcyl PATTERN RADII [HEIGHT]",
    "//count MASK",
    "//undo, //redo [STEPS]",
];

/// A command cannot be carried out.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum CommandError {
    /// There is no such command.
    #[error("there is no command {0:?}; there are {list}", list = USAGES.join("; "))]
    Unknown(String),
    /// Arguments are missing, or there are too many.
    #[error("expected {0}")]
    Usage(&'static str),
    /// The map has no such material.
    #[error("there is no material {name:?}{}", if similar.is_empty() { String::new() } else { format!("; did you mean {similar}?") })]
    Material {
        /// The name.
        name: String,
        /// Names like it.
        similar: String,
    },
    /// A share of a mix is no positive number.
    #[error("{0:?} has a share that is no positive number; write it like 50%stone,50%dirt")]
    Weight(String),
    /// Coordinates are malformed or outside the world.
    #[error("{0:?} is no place in the world; write it like 12,64,-5")]
    Position(String),
    /// A radius is malformed.
    #[error("{0:?} is no radius from 0 to 1024; write it like 5, or 5,3,4 along x, y and z")]
    Radius(String),
    /// A height is malformed.
    #[error("{0:?} is no height from 1 to 1024")]
    Height(String),
    /// A number of steps is malformed.
    #[error("{0:?} is no number of steps from 1 to 10000")]
    Steps(String),
    /// The box around the region has too many chunks.
    #[error("the region is too large: the box around it may have 262,144 chunks of 32 x 32 x 32 voxels")]
    TooLarge,
    /// The selection has no such corner.
    #[error("nothing is selected: set a corner with {0}")]
    NoCorner(&'static str),
}
