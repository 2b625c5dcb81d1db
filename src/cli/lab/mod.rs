//! `stonerun lab`: the tables of the three texts, measured on each text's own input, or on maps and
//! importable files.
//!
//! Each file holds the command of one table.

mod codecs;
mod creatures;
mod edit;
mod fly;
mod iteration;
mod light;
mod mesh;
mod pvs;
mod rules;
mod shaping;
mod storage;
mod surface;
mod visibility;

use super::{Outcome, line, map_path, output};
use serde::Serialize;
use std::path::{Path, PathBuf};
use stonerun_engine::world::Chunk;
use stonerun_lab::input::{self, InputError, is_map};

/// Arguments of `lab`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    #[command(subcommand)]
    table: LabTable,
}

#[derive(clap::Subcommand, Debug)]
enum LabTable {
    /// Compares random access and iteration in seven stores (0fps text)
    Iteration(iteration::Args),
    /// Compares the size of voxels in eight formats, in memory and packed (Roblox text)
    Storage(storage::Args),
    /// Compares size and speed of the map file's codecs with LZ4 over a dense array
    Codecs(codecs::Args),
    /// Measures meshing: time per chunk, quads, and bytes on the graphics card
    Mesh(mesh::Args),
    /// Compares surfaces of smooth ground with surface nets: time per chunk, triangles and bytes
    Surface(surface::Args),
    /// Compares light with a plain queue and Starlight's scheme: time per chunk, and bytes
    Light(light::Args),
    /// Compares edits of large boxes with a flat array, and undo with another history format
    Edit(edit::Args),
    /// Compares rules (sand, water, lava) with a scan of a flat array, and dust with a bit per
    /// voxel
    Rules(rules::Args),
    /// Compares smoothing of large boxes with a flat array, and times shaping brushes
    Shaping(shaping::Args),
    /// Compares reach and paths of bodies with searches from voxel to voxel, and times creatures
    Creatures(creatures::Args),
    /// Compares size and speed of potentially visible sets in four codecs (visibility text)
    Pvs(pvs::Args),
    /// Measures the visible sets of random cells, and verifies them with rays
    Visibility(visibility::Args),
    /// Counts what each task of the game does with voxels on a scripted flight (0fps text)
    Fly(fly::Args),
}

pub(super) fn run(args: Args) -> Outcome {
    match args.table {
        LabTable::Iteration(args) => iteration::run(&args),
        LabTable::Storage(args) => storage::run(&args),
        LabTable::Codecs(args) => codecs::run(&args),
        LabTable::Mesh(args) => mesh::run(&args),
        LabTable::Surface(args) => surface::run(&args),
        LabTable::Light(args) => light::run(&args),
        LabTable::Edit(args) => edit::run(&args),
        LabTable::Rules(args) => rules::run(&args),
        LabTable::Shaping(args) => shaping::run(&args),
        LabTable::Creatures(args) => creatures::run(&args),
        LabTable::Pvs(args) => pvs::run(&args),
        LabTable::Visibility(args) => visibility::run(&args),
        LabTable::Fly(args) => fly::run(&args),
    }
}

/// JSON output of tables with one entry per input.
#[derive(Serialize)]
struct InputsReport<T> {
    inputs: Vec<T>,
}

/// JSON output of tables with one entry per row.
#[derive(Serialize)]
struct RowsReport<T> {
    rows: Vec<T>,
}

/// Finds the files of all inputs first, so that a wrong name fails before anything is measured.
fn resolve_inputs(inputs: &[PathBuf]) -> Result<Vec<PathBuf>, String> {
    inputs.iter().map(|input| resolve_input(input)).collect()
}

/// Reads all inputs with `read`, which gets a file and a progress callback.
fn read_inputs<T>(
    inputs: &[PathBuf],
    read: impl Fn(&Path, &mut dyn FnMut(f32)) -> Result<T, InputError>,
) -> Result<Vec<T>, String> {
    let read = |path: PathBuf| {
        output::with_progress("Reading", |progress| read(&path, &mut |done| progress(done)))
            .map_err(line)
    };
    resolve_inputs(inputs)?.into_iter().map(read).collect()
}

/// The file or folder that an input names: an importable one, or a map.
fn resolve_input(input: &Path) -> Result<PathBuf, String> {
    let is_source =
        input.is_dir() || input.is_file() && input.extension().is_some() && !is_map(input);
    if is_source { Ok(input.to_owned()) } else { map_path::existing(input) }
}

/// Passes each chunk of a file to `visit`, with a progress bar.
fn for_each_chunk(what: &'static str, file: &Path, visit: &mut dyn FnMut(Chunk)) -> Outcome {
    output::with_progress(what, |progress| {
        input::for_each_chunk(file, &mut |done| progress(done), &mut |_, chunk| visit(chunk))
    })
    .map_err(line)
}

/// Prints tables with an empty line between them.
fn print_tables(tables: impl Iterator<Item = String>) -> Outcome {
    output::print(&tables.collect::<Vec<_>>().join("\n\n"))
}
