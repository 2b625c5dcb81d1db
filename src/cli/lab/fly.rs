//! `stonerun lab fly`: the 0fps text's task table, counted on a scripted flight.

use super::{Outcome, file_of, line, output};
use crate::lab::fly::{Arrival, FRAMES, Flight, Land, fly};
use crate::lab::input::{imported, name_of};
use crate::metrics::{VoxelOps, VoxelTask};
use crate::save::catalogue::EXTENSION;
use crate::save::{MapFile, SaveError};
use crate::terrain::{Generator, TerrainKind};
use crate::voxel::{Box3, MaterialTable, Voxel};
use crate::world::{Chunk, matter_bounds};
use glam::DVec3;
use serde::Serialize;
use std::fmt::Write;
use std::path::{Path, PathBuf};

/// The seed of the land that is flown over where none is given.
const SEED: u64 = 5;

/// What is flown over, and how long.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps, or files that can be imported; else generated land
    inputs: Vec<PathBuf>,
    /// Length of the flight, in seconds of play
    #[arg(long, default_value_t = 60, value_parser = clap::value_parser!(u32).range(1..=3600))]
    seconds: u32,
    /// How far one sees, in chunks
    #[arg(long, default_value_t = 8, value_parser = clap::value_parser!(i32).range(2..=24))]
    view: i32,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

#[derive(Serialize)]
struct Report {
    flights: Vec<Flown>,
}

/// The figures of one flight, under the names they have as JSON.
#[derive(Serialize)]
struct Flown {
    name: String,
    seconds: u32,
    frames: u32,
    chunks: u64,
    meshes: u64,
    edits: u64,
    rows: Vec<Row>,
}

#[derive(Serialize)]
struct Row {
    task: &'static str,
    random_reads: u64,
    random_writes: u64,
    voxels_iterated: u64,
    runs_iterated: u64,
}

impl Row {
    fn new(task: &'static str, counts: VoxelOps) -> Row {
        let VoxelOps { random_reads, random_writes, voxels_iterated, runs_iterated } = counts;
        Row { task, random_reads, random_writes, voxels_iterated, runs_iterated }
    }
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = args.inputs.iter().map(|path| file_of(path)).collect::<Result<Vec<_>, _>>()?;
    let mut flights = Vec::new();
    if files.is_empty() {
        let materials = MaterialTable::builtin();
        let generator = Generator::new(SEED, TerrainKind::Continents, &materials);
        let name = format!("{}, seed {SEED}", TerrainKind::Continents.name());
        let chunk = |pos| Ok(Arrival { chunk: generator.chunk(pos), unsaved: true });
        let (start, bounds) = (generator.spawn(), None);
        let land = Land { chunk: &chunk, materials: &materials, start, bounds, view: args.view };
        flights.push(flown(args, name, &land)?);
    }
    for file in &files {
        flights.push(over_file(args, file)?);
    }
    if args.json {
        return output::print(&serde_json::to_string_pretty(&Report { flights }).map_err(line)?);
    }
    let tables: Vec<_> = flights.iter().map(table).collect();
    output::print(tables.join("\n\n").as_str())
}

/// A flight over a map, with the land around it that its generator makes, or over what can be imported.
fn over_file(args: &Args, file: &Path) -> Result<Flown, String> {
    let view = args.view;
    if file.extension().is_none_or(|e| e != EXTENSION) {
        let bar = output::progress("Importing", 1000);
        let imported = imported(file, &mut |done| bar.set_position((done * 1000.0) as u64));
        bar.finish_and_clear();
        let imported = imported?;
        let chunk = |pos| {
            let chunk = imported.world.chunk(pos).cloned().unwrap_or(Chunk::uniform(Voxel::AIR));
            Ok(Arrival { chunk, unsaved: false })
        };
        let (materials, bounds) = (&imported.materials, imported.bounds);
        let land = Land { chunk: &chunk, materials, start: above(bounds), bounds: Some(bounds), view };
        return flown(args, name_of(file), &land);
    }
    let opened = MapFile::open_read_only(file).map_err(line)?;
    if let Some(damage) = opened.damage {
        return Err(damage.to_string());
    }
    let map = opened.map;
    let header = map.header();
    let kind = header.terrain.parse().unwrap_or(TerrainKind::Void);
    let generator = Generator::new(header.seed, kind, map.materials());
    let chunk = |pos| {
        let kept = map.load(pos).map_err(line)?;
        // No map keeps what nobody put into the void.
        let unsaved = kept.is_none() && kind != TerrainKind::Void;
        Ok(Arrival { chunk: kept.unwrap_or_else(|| generator.chunk(pos)), unsaved })
    };
    // Any other land goes on for ever.
    let bounds = if kind == TerrainKind::Void { matter_of(&map)? } else { None };
    let start = bounds.map_or(DVec3::from_array(header.spawn), above);
    flown(args, name_of(file), &Land { chunk: &chunk, materials: map.materials(), start, bounds, view })
}

/// The smallest box that holds all that is in a map; none if that is nothing.
fn matter_of(map: &MapFile) -> Result<Option<Box3>, String> {
    let positions = map.positions();
    let bar = output::progress("Reading", positions.len() as u64);
    let union = |a: Box3, b: Box3| Box3 { min: a.min.min(b.min), max: a.max.max(b.max) };
    let all = positions.into_iter().try_fold(None, |all: Option<Box3>, pos| {
        bar.inc(1);
        let part = map.load(pos)?.and_then(|chunk| matter_bounds(pos, &chunk));
        Ok(all.into_iter().chain(part).reduce(union))
    });
    bar.finish_and_clear();
    all.map_err(|error: SaveError| line(error))
}

/// Where a flight over what is in `bounds` begins: above the middle.
fn above(bounds: Box3) -> DVec3 {
    let middle = (bounds.min.as_dvec3() + bounds.max.as_dvec3()) / 2.0;
    middle.with_y(f64::from(bounds.max.y))
}

fn flown(args: &Args, name: String, land: &Land<'_>) -> Result<Flown, String> {
    let bar = output::progress("Flying", 1000);
    let flight = fly(land, args.seconds, &mut |done| bar.set_position((done * 1000.0) as u64));
    bar.finish_and_clear();
    let Flight { work, frames, chunks, meshes, edits } = flight?;
    let rows = VoxelTask::ALL.map(|task| Row::new(task.name(), work.get(task)));
    Ok(Flown { name, seconds: frames / FRAMES, frames, chunks, meshes, edits, rows: rows.into() })
}

/// The figures a second as a text, and what they say of the text's claim.
fn table(flown: &Flown) -> String {
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} s of flight, {} frames; {} chunks came, {} were meshed, {} blocks set\n{:<12}{:>16}{:>16}{:>18}{:>16}",
        flown.name,
        flown.seconds,
        output::thousands(flown.frames.into()),
        output::thousands(flown.chunks),
        output::thousands(flown.meshes),
        flown.edits,
        "a second",
        "random reads",
        "random writes",
        "voxels iterated",
        "runs iterated"
    );
    let mut sum = Row::new("all", VoxelOps::default());
    for row in &flown.rows {
        sum.random_reads += row.random_reads;
        sum.random_writes += row.random_writes;
        sum.voxels_iterated += row.voxels_iterated;
        sum.runs_iterated += row.runs_iterated;
    }
    let seconds = f64::from(flown.seconds);
    for row in flown.rows.iter().chain([&sum]) {
        let a_second = |count: u64| match count as f64 / seconds {
            0.0 => "-".to_owned(),
            few if few < 10.0 => format!("{few:.1}"),
            many => output::thousands(many.round() as u64),
        };
        let _ = writeln!(
            out,
            "{:<12}{:>16}{:>16}{:>18}{:>16}",
            row.task,
            a_second(row.random_reads),
            a_second(row.random_writes),
            a_second(row.voxels_iterated),
            a_second(row.runs_iterated)
        );
    }
    let random = (sum.random_reads + sum.random_writes) as f64;
    let part = |iterated: u64| 100.0 * iterated as f64 / (iterated as f64 + random).max(1.0);
    let _ = write!(
        out,
        "iteration is {:.1}% of all operations if counted in voxels, {:.1}% in runs",
        part(sum.voxels_iterated),
        part(sum.runs_iterated)
    );
    out
}
