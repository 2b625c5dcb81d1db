//! Errors in kind files.

use crate::ron_text::TextPlace;

/// Maximum number of kinds in a file: the number of bits of a
/// [`CreatureKindSet`](super::kinds::CreatureKindSet).
pub(super) const MAX_KINDS: usize = 32;
/// Maximum length of a kind's name in bytes, because maps store the length as a byte.
pub(super) const MAX_NAME_BYTES: usize = u8::MAX as usize;

/// An error in a kind file.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {problem}")]
pub struct KindError {
    /// Name of the file.
    pub file: String,
    /// Position in the file.
    pub place: TextPlace,
    /// The error and what was expected.
    pub problem: KindProblem,
}

/// Errors in kind files, without their place.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum KindProblem {
    /// The text is not a list of kinds in RON.
    #[error("{0}")]
    Syntax(String),
    /// The map lacks this material.
    #[error("unknown material \"{0}\"; expected a material of the map")]
    UnknownMaterial(String),
    /// The file does not describe this kind.
    #[error("unknown kind \"{0}\"; expected the name of a kind of this file")]
    UnknownKind(String),
    /// Two kinds have the same name.
    #[error("the kind \"{0}\" is listed twice; expected each name once")]
    Duplicate(String),
    /// The name of a kind has more bytes than a map can hold.
    #[error("a name of {0} bytes; expected at most {MAX_NAME_BYTES}")]
    NameTooLong(usize),
    /// The file has more kinds than [`CreatureKinds`](super::CreatureKinds) can hold.
    #[error("{0} kinds; expected at most {most}", most = MAX_KINDS)]
    TooManyKinds(usize),
}
