//! Why an operation cannot be carried out.

use crate::history::UnpackError;
use crate::save::SaveError;

/// An operation stopped. Nothing has changed.
#[derive(thiserror::Error, Debug)]
pub enum EditError {
    /// A chunk cannot be read from the map.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// A step of the history cannot be read.
    #[error(transparent)]
    Step(#[from] UnpackError),
    /// The player cancelled it.
    #[error("cancelled")]
    Cancelled,
}
