//! `stonerun lab`: the tables of the texts, on the input of the text or on any map or file that can be imported.
//!
//! One file per table.

mod codecs;
mod fly;
mod iteration;
mod pvs;
mod storage;
mod visibility;

use super::{Outcome, line, map_path, output};
use crate::save::catalogue::EXTENSION;
use std::path::{Path, PathBuf};

/// Arguments of `lab`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    table: Table,
}

#[derive(clap::Subcommand, Debug)]
enum Table {
    /// The 0fps text's: random access and iteration in each store
    Iteration(iteration::Args),
    /// The Roblox text's: bytes in each format, in memory and packed
    Storage(storage::Args),
    /// The map file's codecs: bytes, beside LZ4 over the dense array, and how fast they are
    Codecs(codecs::Args),
    /// The visibility text's: bytes of potentially visible sets in each codec, and times
    Pvs(pvs::Args),
    /// What is seen from random cells: how fast it is computed, how much it is, and whether rays find more
    Visibility(visibility::Args),
    /// The 0fps text's: what each task of a game does with voxels, on a scripted flight
    Fly(fly::Args),
}

pub(super) fn run(args: Args) -> Outcome {
    match args.table {
        Table::Iteration(args) => iteration::run(&args),
        Table::Storage(args) => storage::run(&args),
        Table::Codecs(args) => codecs::run(&args),
        Table::Pvs(args) => pvs::run(&args),
        Table::Visibility(args) => visibility::run(&args),
        Table::Fly(args) => fly::run(&args),
    }
}

/// The file or folder that an input stands for: one that can be imported, or a map's.
fn file_of(input: &Path) -> Result<PathBuf, String> {
    let is_source = input.is_dir() || input.is_file() && input.extension().is_some_and(|e| e != EXTENSION);
    if is_source { Ok(input.to_owned()) } else { map_path::existing(input) }
}
