//! `stonerun` and `stonerun play MAP`: the game.

use super::{Outcome, map_path};
use std::path::PathBuf;

/// Arguments of `play`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// The map's file or name
    map: PathBuf,
}

pub(super) fn title() -> Outcome {
    #[cfg(feature = "game")]
    return crate::game::run(crate::game::Start::Title);
    #[cfg(not(feature = "game"))]
    super::without_game()
}

pub(super) fn run(args: &Args) -> Outcome {
    let path = map_path::existing(&args.map)?;
    #[cfg(feature = "game")]
    return crate::game::run(crate::game::Start::Map(path));
    #[cfg(not(feature = "game"))]
    {
        // The map was looked for all the same: a wrong name is the clearer error.
        drop(path);
        super::without_game()
    }
}
