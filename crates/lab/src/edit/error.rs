//! Errors of the table of edits.

use crate::input::InputError;
use stonerun_engine::edit::{EditError, UndoError};

/// Reason why the table of edits cannot be measured.
#[derive(thiserror::Error, Debug)]
pub enum MeasureError {
    /// The terrain cannot be numbered.
    #[error(transparent)]
    Input(#[from] InputError),
    /// An edit cannot be carried out.
    #[error(transparent)]
    Edit(#[from] EditError),
    /// An edit cannot be committed, undone or redone.
    #[error(transparent)]
    Commit(#[from] UndoError),
}
