//! The command line of `stonerun`.
//!
//! One file per command. A command that fails returns one line that names the file and the reason;
//! `main` prints it and exits with code 1. Results go to standard output, as text or JSON; progress
//! and warnings go to standard error, so that output can be piped.

mod bake;
mod compact;
mod edit;
mod export;
mod import;
mod info;
#[cfg(feature = "lab")]
mod lab;
mod map_path;
mod new;
mod number;
mod output;
mod play;
pub mod shot;
mod time;
mod verify;

use clap::{Parser, Subcommand};
use std::ffi::OsString;
use std::path::Path;
use stonerun_engine::save::MapFile;

/// Result of a command; the error is one line.
type Outcome = Result<(), String>;

/// Usage text. clap parses a map without a command as an unknown command, so its own usage text
/// lacks this form.
const USAGE: &str = "stonerun [MAP]\n       stonerun <COMMAND>";
const MAP_ALONE: &str = "A MAP alone opens in the game, like `stonerun play MAP`. A map with the name of a command needs `play`.";

/// A voxel sandbox whose world is runs all the way down.
#[derive(Parser, Debug)]
#[command(name = "stonerun", version, about, override_usage = USAGE, after_help = MAP_ALONE)]
pub struct Cli {
    #[command(subcommand)]
    invocation: Option<Invocation>,
}

#[derive(Subcommand, Debug)]
enum Invocation {
    #[command(flatten)]
    Command(Command),
    /// A map without a command, or an unknown command.
    #[command(external_subcommand)]
    Other(Vec<OsString>),
}

/// MAP is a file, or the name of a map in the maps folder, with or without ".stonerun".
#[derive(Subcommand, Debug)]
enum Command {
    /// Opens a map in the game
    Play(play::Args),
    /// Creates a new map
    New(new::Args),
    /// Shows the content and size of a map
    Info(info::Args),
    /// Checks every part of a map
    Verify(verify::Args),
    /// Computes the visible set of every cell of a map, and stores it in the map
    Bake(bake::Args),
    /// Makes a map's file as small as possible: smallest codec for each chunk, no free pages
    Compact(compact::Args),
    /// Creates a map from another program's file, a Minecraft world folder, or a heightmap
    Import(import::Args),
    /// Writes a map, or a box of it, as a .vox, .glb, .obj, .schem, .litematic or .mca file
    Export(export::Args),
    /// Builds in a map with WorldEdit's commands
    Edit(edit::Args),
    /// Shows or sets the time of day in a map
    Time(time::Args),
    /// Renders a picture of a map without a window
    Shot(shot::Args),
    /// Measures storage, codecs and visibility against rivals
    #[cfg(feature = "lab")]
    Lab(lab::Args),
}

impl Cli {
    /// Runs the command. Without a command, opens the named map in the game, or the title screen.
    ///
    /// # Errors
    /// One line that names the file and the reason.
    pub fn run(self) -> Result<(), String> {
        match self.invocation {
            None => play::title(),
            Some(Invocation::Command(command)) => command.run(),
            Some(Invocation::Other(words)) => match &words[..] {
                [map] => play::bare(map.as_ref()),
                // Several words cannot name a map. Parsing again without the catch-all variant
                // makes clap suggest similar commands and exit.
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
            Command::Edit(args) => edit::run(&args),
            Command::Time(args) => time::run(&args),
            Command::Shot(args) => shot::run(args),
            #[cfg(feature = "lab")]
            Command::Lab(args) => lab::run(args),
        }
    }
}

/// The error of commands that need the game, in a build without the game.
#[cfg(not(feature = "game"))]
fn without_game() -> Outcome {
    Err("this build of stonerun does not include the game; build it with the default features"
        .to_owned())
}

/// Opens a map for writing. Refuses damaged maps, because opening them for writing repairs them,
/// and only `verify --repair` may drop unreadable data. `task` says in the error what the map is
/// opened for.
fn open_for_writing(path: &Path, task: &str) -> Result<MapFile, String> {
    // Checked explicitly, because the system's administrator could write to a read-only file.
    if path.metadata().is_ok_and(|metadata| metadata.permissions().readonly()) {
        return Err(format!("{}: the file is write-protected", path.display()));
    }
    if let Some(damage) = MapFile::open_read_only(path).map_err(line)?.damage {
        return Err(format!(
            "{damage}; run `stonerun verify --repair {}` before {task}",
            path.display()
        ));
    }
    Ok(MapFile::open(path).map_err(line)?.map)
}

/// Converts an error to the line that a command returns.
fn line(error: impl std::fmt::Display) -> String {
    error.to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use clap::CommandFactory;

    #[test]
    fn clap_definition_is_consistent() {
        Cli::command().debug_assert();
    }
}
