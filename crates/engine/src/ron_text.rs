//! Reading of RON texts, and the place of an error in them.
//!
//! All RON texts of the program are read here, so that every error names file, line and column.

mod strings;

use serde::de::DeserializeOwned;
use std::fmt;

pub(crate) use strings::{RonString, strings};

/// Place in a text: line and column, both from 1, in characters.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct TextPlace {
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1.
    pub column: usize,
}

impl TextPlace {
    /// Start of a text: the place of an error that concerns the whole text.
    pub const START: TextPlace = TextPlace { line: 1, column: 1 };
}

impl fmt::Display for TextPlace {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

/// Error of a text that is not RON or does not describe a value of the expected type.
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
#[error("{file}:{place}: {reason}")]
pub struct RonError {
    /// Name of the file.
    pub file: String,
    /// Place at which reading ended.
    pub place: TextPlace,
    /// The error, and what was expected.
    pub reason: String,
}

impl RonError {
    fn new(file: &str, error: &ron::error::SpannedError) -> RonError {
        let start = error.span.start;
        let place = TextPlace { line: start.line, column: start.col };
        RonError { file: file.to_owned(), place, reason: error.code.to_string() }
    }
}

/// Reads a value from RON. Errors name `file`.
///
/// # Errors
/// The text is not RON, or does not describe such a value.
pub fn read<T: DeserializeOwned>(text: &str, file: &str) -> Result<T, RonError> {
    ron::from_str(text).map_err(|error| RonError::new(file, &error))
}

/// Reads a value from the bytes of a RON text. Errors name `file`, as with [`read`].
///
/// # Errors
/// The bytes are not UTF-8 or not RON, or do not describe such a value.
pub fn read_bytes<T: DeserializeOwned>(text: &[u8], file: &str) -> Result<T, RonError> {
    ron::de::from_bytes(text).map_err(|error| RonError::new(file, &error))
}

/// Removes the column from an error message, so that tests of reasons need not count characters.
#[cfg(test)]
pub(crate) fn without_column(error: &str) -> String {
    let parts: Vec<&str> = error.splitn(4, ':').collect();
    let [file, line, column, reason] = parts[..] else { panic!("no place in {error}") };
    assert!(column.parse::<usize>().is_ok_and(|column| column > 0), "no column in {error}");
    format!("{file}:{line}:{reason}")
}

#[cfg(test)]
mod tests;
