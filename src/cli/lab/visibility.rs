//! `stonerun lab visibility`: speed and size of visible sets, verified by rays.

use super::{Outcome, line, output, resolve_inputs};
use crate::cli::number::whole;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;
use stonerun_engine::terrain::TerrainKind;
use stonerun_lab::visibility::{
    VisibilityInput, VisibilityMeasurement, VisibilityOptions, measure,
};

/// Arguments of `lab visibility`.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps or importable files; without any, generated caverns and continents
    #[arg(value_name = "INPUT")]
    inputs: Vec<PathBuf>,
    /// View distance, in chunks (3 to 24)
    #[arg(long, default_value_t = 16, value_parser = whole::<i32>(3..=24), allow_negative_numbers = true)]
    view: i32,
    /// Random cells of each input (1 to 10000)
    #[arg(long, default_value_t = 200, value_parser = whole::<u32>(1..=10_000), allow_negative_numbers = true)]
    cells: u32,
    /// Random rays from all cells of an input together
    #[arg(long, default_value_t = 10_000_000, value_parser = whole::<u64>(1..=100_000_000_000), allow_negative_numbers = true)]
    rays: u64,
    /// Random edits around all cells of an input together; half of the rays are cast between them
    #[arg(long, default_value_t = 0, value_parser = whole::<u64>(0..=100_000_000), allow_negative_numbers = true)]
    edits: u64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// JSON output: the measurement of a single input, or the measurements of several under "inputs".
#[derive(Serialize)]
#[serde(untagged)]
enum VisibilityReport<'a> {
    One(&'a VisibilityMeasurement),
    Several { inputs: &'a [VisibilityMeasurement] },
}

pub(super) fn run(args: &Args) -> Outcome {
    let files = resolve_inputs(&args.inputs)?;
    let mut measured = Vec::new();
    if files.is_empty() {
        for kind in [TerrainKind::Caverns, TerrainKind::Continents] {
            let input = output::with_progress("Generating the world", |progress| {
                VisibilityInput::generated(kind, args.view, progress)
            });
            measure_input(args, &input, &mut measured)?;
        }
    }
    for file in &files {
        let input =
            output::with_progress("Reading", |progress| VisibilityInput::from_file(file, progress));
        measure_input(args, &input.map_err(line)?, &mut measured)?;
    }
    if !args.json {
        return Ok(());
    }
    output::print_json(&match &measured[..] {
        [one] => VisibilityReport::One(one),
        inputs => VisibilityReport::Several { inputs },
    })
}

/// Measures one input and appends it to `measured`. Prints its table at once, because the next
/// input may take long or fail.
fn measure_input(
    args: &Args,
    input: &VisibilityInput,
    measured: &mut Vec<VisibilityMeasurement>,
) -> Outcome {
    let options = VisibilityOptions {
        cells: args.cells as usize,
        view: args.view,
        rays: args.rays,
        edits: args.edits,
    };
    let measurement =
        output::with_progress("Measuring", |progress| measure(input, &options, progress))
            .map_err(line)?;
    if !args.json {
        let separator = if measured.is_empty() { "" } else { "\n" };
        output::print(&format!("{separator}{}", table(&measurement)))?;
    }
    measured.push(measurement);
    Ok(())
}

/// Formats the measurement of one input.
fn table(measured: &VisibilityMeasurement) -> String {
    let number = output::thousands;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} cells, view {} ({} chunks); {} rays, {} edits, {} missed ({} chunks and {} rooms by the sweep, {} chunks by refining)",
        measured.name,
        number(measured.cells),
        measured.view,
        number(measured.chunks / measured.cells.max(1)),
        number(measured.rays),
        number(measured.edits),
        number(measured.missed),
        number(measured.missed_chunks),
        number(measured.missed_rooms),
        number(measured.missed_refined),
    );
    for miss in &measured.misses {
        let _ = writeln!(out, "  missed: {miss}");
    }
    let _ = writeln!(
        out,
        "{:<12} {:>15} {:>10} {:>10} {:>10} {:>10} {:>14}",
        "set", "chunks per cell", "occluded", "tightness", "ms p50", "ms p99", "missed chunks"
    );
    let mut row =
        |set: &str, chunks: u64, tightness: f64, ms: Option<[f64; 2]>, missed: Option<u64>| {
            let [p50, p99] =
                ms.map_or(["-".to_owned(), "-".to_owned()], |ms| ms.map(|ms| format!("{ms:.3}")));
            let _ = writeln!(
                out,
                "{set:<12} {:>15.1} {:>9.2}% {tightness:>10.3} {p50:>10} {p99:>10} {:>14}",
                chunks as f64 / measured.cells as f64,
                100.0 - 100.0 * chunks as f64 / measured.chunks as f64,
                missed.map_or("-".to_owned(), number),
            );
        };
    let sweep_ms = [measured.sweep_ms_p50, measured.sweep_ms_p99];
    row(
        "sweep",
        measured.sweep_chunks,
        measured.sweep_tightness,
        Some(sweep_ms),
        Some(measured.missed_chunks),
    );
    let refine_ms = [measured.refine_ms_p50, measured.refine_ms_p99];
    row(
        "refined",
        measured.refined_chunks,
        measured.tightness,
        Some(refine_ms),
        Some(measured.missed_refined),
    );
    row(
        "graph walk",
        measured.walk_chunks,
        measured.walk_tightness,
        None,
        Some(measured.walk_missed),
    );
    row("rays", measured.proven_chunks, 1.0, None, None);
    out.truncate(out.trim_end().len());
    out
}
