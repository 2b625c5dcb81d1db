//! Errors of imports.

use std::path::{Path, PathBuf};
use stonerun_engine::save::io_reason;

/// Error of an import, naming the file.
#[derive(thiserror::Error, Debug)]
pub enum ImportError {
    /// The file cannot be read.
    #[error("{}: {}", file.display(), io_reason(source))]
    Read {
        /// The file.
        file: PathBuf,
        /// Error of the operating system.
        source: std::io::Error,
    },
    /// No importer handles the file's extension.
    #[error("{}: unknown format; supported: {known}", file.display())]
    UnknownFormat {
        /// The file.
        file: PathBuf,
        /// The known extensions and formats, as text for people.
        known: String,
    },
    /// The file does not match its extension, is truncated, or exceeds a limit.
    #[error("{}: {place}: {reason}", file.display())]
    Malformed {
        /// The file.
        file: PathBuf,
        /// Place in the file, such as a byte, a chunk or a node of its scene graph.
        place: String,
        /// Fault at this place.
        reason: String,
    },
    /// The folder has no region files.
    #[error("{}: not a Minecraft world: it has no region files (region/r.0.0.mca)", folder.display())]
    NotAWorld {
        /// The folder.
        folder: PathBuf,
    },
    /// The Minecraft world does not have the wanted dimension.
    #[error("{}: no {wanted}; {advice}", folder.display())]
    NoDimension {
        /// Folder of the world.
        folder: PathBuf,
        /// Name of the wanted dimension.
        wanted: String,
        /// The dimensions of the world, and how to choose one.
        advice: String,
    },
    /// The progress callback asked to stop.
    #[error("{}: the import was cancelled", file.display())]
    Cancelled {
        /// The file.
        file: PathBuf,
    },
}

/// Error in the content of a file, raised where the file's name is not known.
///
/// [`FormatError::in_file`] adds the name and turns it into an [`ImportError`].
#[derive(thiserror::Error, Clone, PartialEq, Eq, Debug)]
pub(super) enum FormatError {
    /// The content is malformed.
    #[error("{place}: {reason}")]
    Malformed {
        /// Place in the file.
        place: String,
        /// Fault at this place.
        reason: String,
    },
    /// The progress callback asked to stop.
    #[error("the import was cancelled")]
    Cancelled,
}

impl FormatError {
    /// An error at a place of the file.
    pub(super) fn new(place: impl Into<String>, reason: impl Into<String>) -> FormatError {
        FormatError::Malformed { place: place.into(), reason: reason.into() }
    }

    /// Replaces the place with `outer` applied to it; a cancellation is returned unchanged.
    pub(super) fn map_place(self, outer: impl FnOnce(String) -> String) -> FormatError {
        match self {
            FormatError::Malformed { place, reason } => {
                FormatError::Malformed { place: outer(place), reason }
            }
            FormatError::Cancelled => FormatError::Cancelled,
        }
    }

    /// Converts the error to the error of an import of `file`.
    pub(super) fn in_file(self, file: &Path) -> ImportError {
        let file = file.to_owned();
        match self {
            FormatError::Malformed { place, reason } => {
                ImportError::Malformed { file, place, reason }
            }
            FormatError::Cancelled => ImportError::Cancelled { file },
        }
    }
}

/// Error of reading a file piece by piece, raised where the file's name is not known.
#[derive(thiserror::Error, Debug)]
pub(super) enum StreamError {
    /// The content is malformed, or the import was cancelled.
    #[error(transparent)]
    Format(#[from] FormatError),
    /// The file cannot be read.
    #[error(transparent)]
    Io(#[from] std::io::Error),
}

impl StreamError {
    /// Converts the error to the error of an import of `file`.
    pub(super) fn in_file(self, file: &Path) -> ImportError {
        match self {
            StreamError::Format(error) => error.in_file(file),
            StreamError::Io(source) => ImportError::Read { file: file.to_owned(), source },
        }
    }
}

#[cfg(test)]
impl FormatError {
    /// The place; empty for a cancellation.
    pub(super) fn place(&self) -> &str {
        match self {
            FormatError::Malformed { place, .. } => place,
            FormatError::Cancelled => "",
        }
    }

    /// The reason; empty for a cancellation.
    pub(super) fn reason(&self) -> &str {
        match self {
            FormatError::Malformed { reason, .. } => reason,
            FormatError::Cancelled => "",
        }
    }
}
