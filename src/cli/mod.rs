//! The command line: what `stonerun` can be asked to do without, or before, a window.
//!
//! One file per command. Each returns one line that says why it failed, naming the file; `main` prints that
//! line and leaves with code 1. Figures go to standard output, as a table or with `--json`; everything else,
//! progress too, goes to standard error, so that output can be piped.

mod bake;
mod compact;
mod export;
mod import;
mod info;
mod lab;
mod map_path;
mod new;
mod output;
mod play;
pub mod shot;
mod verify;

use clap::{Parser, Subcommand};
use std::ffi::OsString;

/// What a command gives: nothing, or the line that says why it failed.
type Outcome = Result<(), String>;

/// clap knows nothing of a map without a command: to it that is a command that it does not know.
const USAGE: &str = "stonerun [MAP]\n       stonerun <COMMAND>";
const MAP_ALONE: &str =
    "A MAP alone is opened in the game, as `play` does; one that is called like a command needs `play`.";

/// A voxel sandbox whose world is runs all the way down.
#[derive(Parser, Debug)]
#[command(name = "stonerun", version, about, override_usage = USAGE, after_help = MAP_ALONE)]
pub struct Cli {
    #[command(subcommand)]
    asked: Option<Asked>,
}

#[derive(Subcommand, Debug)]
enum Asked {
    #[command(flatten)]
    Command(Command),
    /// A map without a command, if it is one word.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// MAP is a file, or the name of a map in the maps folder, with or without ".stonerun".
#[derive(Subcommand, Debug)]
enum Command {
    /// Opens a map in the game
    Play(play::Args),
    /// Makes a new map
    New(new::Args),
    /// Says what is in a map
    Info(info::Args),
    /// Checks every part of a map
    Verify(verify::Args),
    /// Computes what every cell of a map sees, and keeps it in the map
    Bake(bake::Args),
    /// Makes a map's file as small as it gets: the smallest codec for each chunk, no free pages
    Compact(compact::Args),
    /// Makes a map from another program's file, a Minecraft world's folder, or heights
    Import(import::Args),
    /// Writes a map, or a box of it, as another program's file: .vox, .glb, .obj or .schem
    Export(export::Args),
    /// Takes a picture of a map, without a window
    Shot(shot::Args),
    /// Measures our world beside other stores
    Lab(lab::Args),
}

impl Cli {
    /// Does what the command line says; without a command, opens the map that is named, else the game's title screen.
    ///
    /// # Errors
    /// One line that says why it failed, naming the file.
    pub fn run(self) -> Result<(), String> {
        match self.asked {
            None => play::title(),
            Some(Asked::Command(command)) => command.run(),
            Some(Asked::Other(words)) => match &words[..] {
                [map] => play::bare(map.as_ref()),
                // No map: clap, knowing the commands alone, leaves here, and says which may have been meant.
                _ => {
                    let strict = clap::Command::new("stonerun").override_usage(USAGE);
                    Command::augment_subcommands(strict).get_matches();
                    Ok(())
                }
            },
        }
    }
}

impl Command {
    fn run(self) -> Outcome {
        match self {
            Command::Play(args) => play::run(&args),
            Command::New(args) => new::run(&args),
            Command::Info(args) => info::run(&args),
            Command::Verify(args) => verify::run(&args),
            Command::Bake(args) => bake::run(&args),
            Command::Compact(args) => compact::run(&args),
            Command::Import(args) => import::run(&args),
            Command::Export(args) => export::run(&args),
            Command::Shot(args) => shot::run(args),
            Command::Lab(args) => lab::run(args),
        }
    }
}

/// What the commands that need the game say where it was left out.
#[cfg(not(feature = "game"))]
fn without_game() -> Outcome {
    Err("this stonerun was built without the game; build it with the default features".to_owned())
}

/// Any error as the line that a command returns.
fn line(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn the_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
