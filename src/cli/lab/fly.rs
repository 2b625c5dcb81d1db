//! `stonerun lab fly`: the 0fps text's task table, counted on a scripted flight.

use super::{Outcome, line, output, print_tables, resolve_inputs};
use crate::cli::number::whole;
use glam::DVec3;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};
use stonerun_engine::metrics::{VoxelOps, VoxelTask};
use stonerun_engine::save::MapFile;
use stonerun_engine::terrain::{Generator, TerrainKind};
use stonerun_engine::voxel::{Box3, MaterialTable, Voxel};
use stonerun_engine::world::{Chunk, matter_bounds};
use stonerun_lab::fly::{FRAMES_PER_SECOND, FlightStats, FlightTerrain, LoadedChunk, fly};
use stonerun_lab::input::{import_undamaged, input_name, is_map, open_undamaged};

/// Seed of the generated terrain.
const SEED: u64 = 5;

/// Arguments of `lab fly`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, generated terrain
    inputs: Vec<PathBuf>,
    /// Length of the flight, in seconds of game time (1 to 3600)
    #[arg(long, default_value_t = 60, value_parser = whole::<u32>(1..=3600), allow_negative_numbers = true)]
    seconds: u32,
    /// View distance, in chunks (2 to 24)
    #[arg(long, default_value_t = 8, value_parser = whole::<i32>(2..=24), allow_negative_numbers = true)]
    view: i32,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The JSON output.
#[derive(Serialize)]
struct FlightsReport {
    flights: Vec<Flight>,
}

/// Counts of one flight. Field names appear in the JSON output.
#[derive(Serialize)]
struct Flight {
    name: String,
    seconds: u32,
    frames: u32,
    chunks: u64,
    meshes: u64,
    edits: u64,
    rows: Vec<TaskCounts>,
}

/// Counts of one task.
#[derive(Serialize)]
struct TaskCounts {
    task: &'static str,
    random_reads: u64,
    random_writes: u64,
    voxels_iterated: u64,
    runs_iterated: u64,
}

impl TaskCounts {
    fn new(task: &'static str, counts: VoxelOps) -> TaskCounts {
        let VoxelOps { random_reads, random_writes, voxels_iterated, runs_iterated } = counts;
        TaskCounts { task, random_reads, random_writes, voxels_iterated, runs_iterated }
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = resolve_inputs(&args.inputs)?;
    let mut flights = Vec::new();
    if files.is_empty() {
        flights.push(fly_over_generated(args)?);
    }
    for file in &files {
        flights.push(if is_map(file) {
            fly_over_map(args, file)?
        } else {
            fly_over_import(args, file)?
        });
    }
    if args.json {
        return output::print_json(&FlightsReport { flights });
    }
    print_tables(flights.iter().map(table))
}

fn fly_over_generated(args: &Args) -> Result<Flight, String> {
    let materials = MaterialTable::builtin();
    let generator = Generator::new(SEED, TerrainKind::Continents, &materials);
    let name = format!("{}, seed {SEED}", TerrainKind::Continents.name());
    let load_chunk = |pos| Ok(LoadedChunk { chunk: generator.chunk(pos), unsaved: true });
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: &materials,
        start: generator.spawn(),
        bounds: None,
        view: args.view,
        sky: TerrainKind::Continents.lowest_sky_chunk(),
    };
    fly_over(args, name, &terrain)
}

fn fly_over_import(args: &Args, file: &Path) -> Result<Flight, String> {
    let imported = output::with_progress("Importing", |progress| {
        import_undamaged(file, &mut |done| progress(done))
    })
    .map_err(line)?;
    let load_chunk = |pos| {
        let chunk = imported.world.chunk(pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR));
        Ok(LoadedChunk { chunk, unsaved: false })
    };
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: &imported.materials,
        start: above(imported.bounds),
        bounds: Some(imported.bounds),
        view: args.view,
        sky: TerrainKind::Void.lowest_sky_chunk(),
    };
    fly_over(args, input_name(file), &terrain)
}

/// Flies over a map. Its generator makes the chunks that the map lacks, as in the game.
fn fly_over_map(args: &Args, file: &Path) -> Result<Flight, String> {
    let map = open_undamaged(file).map_err(line)?;
    let header = map.header();
    let kind = header.terrain.parse().unwrap_or(TerrainKind::Void);
    let generator = header.generator(map.materials());
    let load_chunk = |pos| {
        let stored = map.load(pos)?;
        // Generated chunks of void terrain are never saved.
        let unsaved = stored.is_none() && kind != TerrainKind::Void;
        Ok(LoadedChunk { chunk: stored.unwrap_or_else(|| generator.chunk(pos)), unsaved })
    };
    // Only void terrain is finite, so only there the flight needs bounds.
    let bounds = if kind == TerrainKind::Void { solid_bounds(&map)? } else { None };
    let terrain = FlightTerrain {
        load_chunk: &load_chunk,
        materials: map.materials(),
        start: bounds.map_or(DVec3::from_array(header.spawn), above),
        bounds,
        view: args.view,
        sky: kind.lowest_sky_chunk(),
    };
    fly_over(args, input_name(file), &terrain)
}

/// The smallest box that holds all non-air voxels of a map; `None` if there are none.
fn solid_bounds(map: &MapFile) -> Result<Option<Box3>, String> {
    let positions = map.positions();
    let bar = output::progress("Reading", positions.len() as u64);
    let mut bounds: Option<Box3> = None;
    for pos in positions {
        bar.inc(1);
        let chunk = map.load(pos).map_err(line)?;
        let chunk_bounds = chunk.and_then(|chunk| matter_bounds(pos, &chunk));
        bounds = bounds.into_iter().chain(chunk_bounds).reduce(Box3::around);
    }
    bar.finish_and_clear();
    Ok(bounds)
}

/// Start of a flight, above the middle of `bounds`.
fn above(bounds: Box3) -> DVec3 {
    let middle = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) / 2.0;
    middle.with_y(f64::from(bounds.max.y))
}

fn fly_over(args: &Args, name: String, terrain: &FlightTerrain<'_>) -> Result<Flight, String> {
    let stats = output::with_progress("Flying", |progress| {
        fly(terrain, args.seconds, &mut |done| progress(done))
    })
    .map_err(line)?;
    let FlightStats { work, frames, chunks, meshes, edits } = stats;
    // The physics row is left out, because no rules run during the flight.
    let tasks = VoxelTask::ALL.into_iter().filter(|task| *task != VoxelTask::Physics);
    let rows = tasks.map(|task| TaskCounts::new(task.name(), work.get(task))).collect();
    Ok(Flight { name, seconds: frames / FRAMES_PER_SECOND, frames, chunks, meshes, edits, rows })
}

/// Formats the counts per second, and the share of iteration, about which the 0fps text makes a
/// claim.
fn table(flight: &Flight) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} s of flight, {} frames; {} chunks loaded, {} meshes built, {} blocks edited\n{:<12}{:>16}{:>16}{:>18}{:>16}",
        flight.name,
        flight.seconds,
        output::thousands(flight.frames.into()),
        output::thousands(flight.chunks),
        output::thousands(flight.meshes),
        flight.edits,
        "per second",
        "random reads",
        "random writes",
        "voxels iterated",
        "runs iterated"
    );
    let mut sum = TaskCounts::new("all", VoxelOps::default());
    for row in &flight.rows {
        sum.random_reads += row.random_reads;
        sum.random_writes += row.random_writes;
        sum.voxels_iterated += row.voxels_iterated;
        sum.runs_iterated += row.runs_iterated;
    }
    let seconds = f64::from(flight.seconds);
    for row in flight.rows.iter().chain([&sum]) {
        let per_second = |count: u64| match count as f64 / seconds {
            0.0 => "-".to_owned(),
            rate if rate < 10.0 => format!("{rate:.1}"),
            rate => output::thousands(rate.round() as u64),
        };
        let _ = writeln!(
            out,
            "{:<12}{:>16}{:>16}{:>18}{:>16}",
            row.task,
            per_second(row.random_reads),
            per_second(row.random_writes),
            per_second(row.voxels_iterated),
            per_second(row.runs_iterated)
        );
    }
    let random = (sum.random_reads + sum.random_writes) as f64;
    let share = |iterated: u64| 100.0 * iterated as f64 / (iterated as f64 + random).max(1.0);
    let _ = write!(
        out,
        "iteration is {:.1}% of all operations when counted in voxels, {:.1}% when counted in runs",
        share(sum.voxels_iterated),
        share(sum.runs_iterated)
    );
    out
}
