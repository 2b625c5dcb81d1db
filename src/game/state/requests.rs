//! Requests for another map or screen. Menus, the command line and the window's close button send
//! them.

use bevy::prelude::*;
use std::path::PathBuf;
use stonerun_engine::terrain::TerrainKind;

/// A request of a menu, the window or the command line.
#[derive(Message, Clone, Debug)]
pub enum Request {
    /// Open the map at this path and play.
    Open(PathBuf),
    /// Open the map at this path for a picture: it may be open elsewhere, and nothing is saved.
    OpenForPicture(PathBuf),
    /// Create a map at this path and play.
    Create {
        /// The new file.
        path: PathBuf,
        /// Seed of the terrain.
        seed: u64,
        /// The word that the seed was made from; empty for a number.
        seed_word: String,
        /// Kind of the terrain.
        kind: TerrainKind,
    },
    /// Save now.
    Save,
    /// Save and go back to the title screen.
    Leave,
    /// Save and end the program.
    Quit,
    /// Leave or quit without saving.
    Abandon {
        /// True to also end the program.
        quit: bool,
    },
}

/// A failed save that keeps the player from leaving the map. A menu offers the options.
#[derive(Resource, Clone, Debug, Default)]
pub struct BlockedExit {
    /// Reason why the map could not be saved, one line.
    pub error: String,
    /// True if the player wanted to end the program, not only to leave the map.
    pub quit: bool,
}
