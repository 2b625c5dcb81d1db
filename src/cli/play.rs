//! `stonerun`, `stonerun MAP` and `stonerun play MAP`: the game.

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

pub(super) fn title() -> Outcome {
    #[cfg(feature = "game")]
    return crate::game::run(crate::game::Start::Title).map_err(line);
    #[cfg(not(feature = "game"))]
    super::without_game()
}

pub(super) fn run(args: &Args) -> Outcome {
    open(map_path::existing(&args.map)?)
}

/// Opens the map that is named without a command. A word that names none may be a mistyped command.
pub(super) fn bare(map: &Path) -> Outcome {
    open(map_path::existing(map).map_err(|error| format!("{error}; nor is there such a command"))?)
}

#[cfg(feature = "game")]
fn open(path: PathBuf) -> Outcome {
    crate::game::run(crate::game::Start::Map(path)).map_err(line)
}

/// The map was looked for all the same: a wrong name is the clearer error.
#[cfg(not(feature = "game"))]
fn open(_: PathBuf) -> Outcome {
    super::without_game()
}
