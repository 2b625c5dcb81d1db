//! Errors of reading and writing blueprints.

use super::VERSION;
use crate::save::error::reason::io_reason;
use std::path::PathBuf;

/// Reason why a blueprint cannot be read or written. Every message names the file.
#[derive(thiserror::Error, Debug)]
pub enum BlueprintError {
    /// The operating system reported an error.
    #[error("{}: cannot {doing}: {}", path.display(), io_reason(source))]
    Io {
        /// The file.
        path: PathBuf,
        /// The attempt, as a verb phrase.
        doing: &'static str,
        /// The system's reason.
        source: std::io::Error,
    },
    /// The file exists already.
    #[error("{}: the file exists already", path.display())]
    Exists {
        /// The file.
        path: PathBuf,
    },
    /// The file is no blueprint.
    #[error("{}: not a blueprint", path.display())]
    NotABlueprint {
        /// The file.
        path: PathBuf,
    },
    /// The blueprint was written by a later version of the program.
    #[error("{}: the blueprint's format {found} is newer than this program's, {VERSION}", path.display())]
    TooNew {
        /// The file.
        path: PathBuf,
        /// Format version of the file.
        found: u16,
    },
    /// A part of the file is damaged or exceeds a limit.
    #[error("{}: {place}: {reason}", path.display())]
    Malformed {
        /// The file.
        path: PathBuf,
        /// Name of the part, such as a chunk.
        place: String,
        /// Error found in the part.
        reason: String,
    },
    /// The blueprint exceeds a limit of the format, so it was not written.
    #[error("{}: cannot save: {reason}", path.display())]
    Refused {
        /// The file.
        path: PathBuf,
        /// The limit that is exceeded.
        reason: String,
    },
}
