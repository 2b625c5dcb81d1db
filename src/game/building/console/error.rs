//! Errors of commands that the game carries out.

use stonerun_engine::edit::UndoError;
use stonerun_engine::edit::console::{CommandError, RegionTaskError};
use stonerun_engine::edit::selection::SelectionError;

/// A command that was entered cannot be carried out.
#[derive(thiserror::Error, Debug)]
pub(super) enum ConsoleError {
    /// The command is malformed, or does not fit the selection or the clipboard.
    #[error(transparent)]
    Command(#[from] CommandError),
    /// The selection cannot be used.
    #[error(transparent)]
    Selection(#[from] SelectionError),
    /// A named region cannot be read or changed.
    #[error(transparent)]
    Region(#[from] RegionTaskError),
    /// The map is read-only, or a step cannot be undone or redone.
    #[error(transparent)]
    Undo(#[from] UndoError),
    /// A preview was requested for a command that changes no voxels.
    #[error("it changes no blocks, so ? has nothing to show")]
    NoPreview,
    /// The map has no creatures.
    #[error("the map has no creatures")]
    NoCreatures,
    /// The thread of the creatures has ended.
    #[error("creatures have failed; they stand still until the map is opened again")]
    CreaturesFailed,
    /// Creatures are switched off.
    #[error("creatures are off; //creatures on lets them live")]
    CreaturesOff,
    /// No kind of creature has this name.
    #[error("there is no kind {name:?}; there are: {kinds}")]
    UnknownKind {
        /// The name.
        name: String,
        /// Names of all kinds, with commas.
        kinds: String,
    },
}
