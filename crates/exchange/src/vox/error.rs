//! Errors while a `.vox` file is read.

use crate::{FormatError, ImportError};
use std::io;
use std::path::Path;

/// Reason why a file is not imported.
#[derive(thiserror::Error, Debug)]
pub(super) enum VoxError {
    /// The content is bad, or the import was cancelled.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] io::Error),
}

impl VoxError {
    /// Adds the file's name.
    pub(super) fn in_file(self, file: &Path) -> ImportError {
        match self {
            VoxError::Format(error) => error.in_file(file),
            VoxError::Io(source) => ImportError::Read { file: file.to_owned(), source },
        }
    }
}
