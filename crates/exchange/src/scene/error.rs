//! Errors of exports.

use crate::error::FormatError;
use std::io;
use std::path::{Path, PathBuf};
use stonerun_engine::save::io_reason;

/// Error of an export, naming the file.
#[derive(thiserror::Error, Debug)]
pub enum ExportError {
    /// No writer handles the file's extension.
    #[error("{}: unknown format; supported: {known}", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// The known extensions and formats, as text.
        known: String,
    },
    /// The file exists and may not be replaced.
    #[error("{}: the file exists already", file.display())]
    Exists {
        /// The target, or a file that belongs next to it.
        file: PathBuf,
    },
    /// The path exists and is not a regular file.
    #[error("{}: it is a folder or a device, and cannot be replaced", file.display())]
    NotAFile {
        /// The path.
        file: PathBuf,
    },
    /// The target's folder does not exist.
    #[error("{}: there is no folder {}", file.display(), folder.display())]
    NoFolder {
        /// The target.
        file: PathBuf,
        /// The missing folder.
        folder: PathBuf,
    },
    /// Another export is writing the same target.
    #[error("{}: another export is writing it", file.display())]
    Busy {
        /// The target.
        file: PathBuf,
    },
    /// The file cannot be written.
    #[error("{}: {}", file.display(), io_reason(source))]
    Write {
        /// The file.
        file: PathBuf,
        /// Error of the operating system.
        source: io::Error,
    },
    /// The format cannot hold the scene.
    #[error("{}: {reason}", file.display())]
    Unfit {
        /// The target.
        file: PathBuf,
        /// The limit that the scene exceeds.
        reason: String,
    },
    /// The progress callback asked to stop.
    #[error("{}: the export was cancelled", file.display())]
    Cancelled {
        /// The target.
        file: PathBuf,
    },
}

/// Error of a format's writer, raised where the target's name is not known.
///
/// [`WriterError::in_file`] adds the name and turns it into an [`ExportError`].
#[derive(Debug)]
pub(crate) enum WriterError {
    /// The target cannot be written.
    Io(io::Error),
    /// The format cannot hold the scene, with the reason.
    Unfit(String),
    /// The progress callback asked to stop.
    Cancelled,
    /// An error that names its file already.
    Named(ExportError),
}

impl From<io::Error> for WriterError {
    fn from(error: io::Error) -> WriterError {
        WriterError::Io(error)
    }
}

impl From<FormatError> for WriterError {
    fn from(error: FormatError) -> WriterError {
        match error {
            FormatError::Cancelled => WriterError::Cancelled,
            malformed => WriterError::Unfit(malformed.to_string()),
        }
    }
}

impl WriterError {
    /// Adds the target's name.
    pub(crate) fn in_file(self, file: &Path) -> ExportError {
        let file = file.to_owned();
        match self {
            WriterError::Io(source) => ExportError::Write { file, source },
            WriterError::Unfit(reason) => ExportError::Unfit { file, reason },
            WriterError::Cancelled => ExportError::Cancelled { file },
            WriterError::Named(error) => error,
        }
    }
}
