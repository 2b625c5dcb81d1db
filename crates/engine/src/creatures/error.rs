//! Why kinds of creatures cannot be read.

use crate::ron_text::TextPlace;

/// Most kinds of a file.
pub(super) const MOST_KINDS: usize = 32;

/// A defect in a file of kinds.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {problem}")]
pub struct KindError {
    /// Name of the file.
    pub file: String,
    /// Position in the file.
    pub place: TextPlace,
    /// What is wrong, and what was expected.
    pub problem: KindProblem,
}

/// What is wrong in a file of kinds.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum KindProblem {
    /// The text is not a list of kinds in RON.
    #[error("{0}")]
    Syntax(String),
    /// A material that the map does not have.
    #[error("unknown material \"{0}\"; expected a material of the map")]
    UnknownMaterial(String),
    /// A kind that the file does not describe.
    #[error("unknown kind \"{0}\"; expected the name of a kind of this file")]
    UnknownKind(String),
    /// Two kinds have one name.
    #[error("the kind \"{0}\" is listed twice; expected each name once")]
    Duplicate(String),
    /// There are too many kinds.
    #[error("{0} kinds; expected at most {most}", most = MOST_KINDS)]
    TooManyKinds(usize),
}
