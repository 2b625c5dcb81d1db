//! Errors in files of creature kinds.

use crate::ron_text::TextPlace;

/// Maximum number of kinds in a file: [`CreatureKindSet`](super::kinds::CreatureKindSet) has a bit
/// for each.
pub(super) const MAX_KINDS: usize = 32;

/// A defect in a file of kinds.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {problem}")]
pub struct KindError {
    /// Name of the file.
    pub file: String,
    /// Position in the file.
    pub place: TextPlace,
    /// The defect and what was expected.
    pub problem: KindProblem,
}

/// A kind of defect in a file of kinds.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum KindProblem {
    /// Text that is not a list of kinds in RON.
    #[error("{0}")]
    Syntax(String),
    /// A material that the map does not have.
    #[error("unknown material \"{0}\"; expected a material of the map")]
    UnknownMaterial(String),
    /// A kind that the file does not describe.
    #[error("unknown kind \"{0}\"; expected the name of a kind of this file")]
    UnknownKind(String),
    /// Two kinds with one name.
    #[error("the kind \"{0}\" is listed twice; expected each name once")]
    Duplicate(String),
    /// The number of kinds exceeds what a file may have.
    #[error("{0} kinds; expected at most {most}", most = MAX_KINDS)]
    TooManyKinds(usize),
}
