//! Errors of shapes in words.

/// No shape has these words.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub enum ShapeWordError {
    /// No family of shapes has this name.
    #[error("{word:?} is no shape; there are {known}")]
    Family {
        /// The word.
        word: String,
        /// The names of the families, separated by commas.
        known: String,
    },
    /// The family has no such word.
    #[error("{shape} has no {word:?}; there are {known}")]
    Word {
        /// The word.
        word: String,
        /// Name of the family.
        shape: String,
        /// The words of the family, separated by commas.
        known: String,
    },
    /// Two words exclude each other.
    #[error("{first:?} and {second:?} exclude each other")]
    Contradiction {
        /// One of the words.
        first: String,
        /// The other one.
        second: String,
    },
    /// The eighths of a hewn block without a name are missing or wrong.
    #[error("hewn needs a number from 1 to 254, as in hewn,150")]
    Eighths,
}

impl ShapeWordError {
    /// Error for two words of which a shape can have only one.
    pub(in crate::voxel::shape) fn contradiction(first: &str, second: &str) -> ShapeWordError {
        ShapeWordError::Contradiction { first: first.to_owned(), second: second.to_owned() }
    }
}
