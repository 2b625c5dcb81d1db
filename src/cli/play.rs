//! `stonerun`, `stonerun MAP` and `stonerun play MAP`: starts the game.

#[cfg(feature = "game")]
use super::line;
use super::{Outcome, map_path};
use std::path::{Path, PathBuf};

/// Arguments of `play`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
}

/// Starts the game with the title screen.
pub(super) fn title() -> Outcome {
    #[cfg(feature = "game")]
    return crate::game::run(crate::game::Start::Title).map_err(line);
    #[cfg(not(feature = "game"))]
    super::without_game()
}

pub(super) fn run(args: &Args) -> Outcome {
    open(map_path::existing(&args.map)?)
}

/// Opens a map that was given without a command. A word that names no map may be a mistyped
/// command.
pub(super) fn bare(map: &Path) -> Outcome {
    open(
        map_path::existing(map)
            .map_err(|error| format!("{error}; and there is no such command"))?,
    )
}

#[cfg(feature = "game")]
fn open(path: PathBuf) -> Outcome {
    crate::game::run(crate::game::Start::Map(path)).map_err(line)
}

/// Runs only after the map was found, because a wrong name is the more helpful error.
#[cfg(not(feature = "game"))]
fn open(_: PathBuf) -> Outcome {
    super::without_game()
}
