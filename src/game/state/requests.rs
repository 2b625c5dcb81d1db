//! Requests for another map or screen. Menus, the command line and the window's close button send
//! them.

use bevy::prelude::*;
use std::path::PathBuf;
use stonerun_engine::terrain::{GroundStyle, TerrainKind};

/// A request of a menu, the window or the command line.
#[derive(Message, Clone, Debug)]
pub enum Request {
    /// Opens the map at this path and plays.
    Open(PathBuf),
    /// Opens the map at this path for a picture. It may be open elsewhere, and nothing is saved.
    OpenForPicture(PathBuf),
    /// Creates a map at this path and plays.
    Create {
        /// The new file.
        path: PathBuf,
        /// Seed of the terrain.
        seed: u64,
        /// The word that the seed was made from; empty for a number.
        seed_word: String,
        /// Kind of the terrain.
        kind: TerrainKind,
        /// Style of the ground.
        ground: GroundStyle,
    },
    /// Saves now.
    Save,
    /// Saves and returns to the title screen.
    Leave,
    /// Saves and ends the program.
    Quit,
    /// Leaves or quits without saving.
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
