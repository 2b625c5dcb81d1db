//! Why an operation cannot be carried out.

use crate::save::SaveError;

/// An operation stopped. Nothing has changed.
#[derive(thiserror::Error, Debug)]
pub enum EditError {
    /// A chunk cannot be read from the map.
    #[error(transparent)]
    Read(#[from] SaveError),
    /// The player cancelled it.
    #[error("cancelled")]
    Cancelled,
}
