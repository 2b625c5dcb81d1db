//! `stonerun lab visibility`: how fast visibility is computed, how much it holds, and what rays say of it.

use super::{Outcome, file_of, line, output};
use crate::lab::visibility::{Figures, Options, Subject, measure};
use crate::terrain::TerrainKind;
use serde::Serialize;
use std::fmt::Write;
use std::path::PathBuf;

/// What is measured, and how much.
#[derive(clap::Args, Debug)]
pub(super) struct Args {
    /// Maps, or files that can be imported; else generated caverns and continents
    #[arg(value_name = "MAP")]
    inputs: Vec<PathBuf>,
    /// How far one sees, in chunks
    #[arg(long, default_value_t = 16, value_parser = clap::value_parser!(i32).range(3..=24))]
    view: i32,
    /// Random cells of each input
    #[arg(long, default_value_t = 200, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    cells: u32,
    /// Random rays, from all cells of an input together
    #[arg(long, default_value_t = 10_000_000, value_parser = clap::value_parser!(u64).range(1..=100_000_000_000))]
    rays: u64,
    /// Random edits, around all cells of an input together; half of the rays are cast between them
    #[arg(long, default_value_t = 0, value_parser = clap::value_parser!(u64).range(0..=100_000_000))]
    edits: u64,
    /// Print JSON instead of tables
    #[arg(long)]
    json: bool,
}

/// The figures of one input, or of several under "inputs".
#[derive(Serialize)]
#[serde(untagged)]
enum Report<'a> {
    One(&'a Figures),
    Several { inputs: &'a [Figures] },
}

pub(super) fn run(args: &Args) -> Outcome {
    // All are looked for before any is measured.
    let files = args.inputs.iter().map(|path| file_of(path)).collect::<Result<Vec<_>, _>>()?;
    let mut measured = Vec::new();
    if files.is_empty() {
        for kind in [TerrainKind::Caverns, TerrainKind::Continents] {
            let subject = with_bar("Making the world", |bar| Subject::generated(kind, args.view, bar));
            measure_on(args, &subject, &mut measured)?;
        }
    }
    for file in &files {
        let subject = with_bar("Reading", |bar| Subject::from_file(file, bar))?;
        measure_on(args, &subject, &mut measured)?;
    }
    if !args.json {
        return Ok(());
    }
    let report = match &measured[..] {
        [one] => Report::One(one),
        inputs => Report::Several { inputs },
    };
    output::print(&serde_json::to_string_pretty(&report).map_err(line)?)
}

/// Measures one input, after those that were `measured` before. A table is printed at once: the next one may take long, or fail.
fn measure_on(args: &Args, subject: &Subject, measured: &mut Vec<Figures>) -> Outcome {
    let options = Options { cells: args.cells as usize, view: args.view, rays: args.rays, edits: args.edits };
    let figures = with_bar("Measuring", |bar| measure(subject, &options, bar))?;
    if !args.json {
        let between = if measured.is_empty() { "" } else { "\n" };
        output::print(&format!("{between}{}", table(&figures)))?;
    }
    measured.push(figures);
    Ok(())
}

/// Does something beside a bar that shows how much is done.
fn with_bar<T>(what: &'static str, work: impl FnOnce(&(dyn Fn(f32) + Sync)) -> T) -> T {
    let bar = output::progress(what, 1000);
    let done = work(&|done| bar.set_position((done * 1000.0) as u64));
    bar.finish_and_clear();
    done
}

/// The figures as a text.
fn table(of: &Figures) -> String {
    let number = output::thousands;
    let mut out = String::new();
    // Writing to a string cannot fail.
    let _ = writeln!(
        out,
        "{}: {} cells, view {} ({} chunks); {} rays, {} edits, {} missed ({} chunks and {} rooms by the sweep, {} chunks by refining)",
        of.name,
        number(of.cells),
        of.view,
        number(of.chunks / of.cells.max(1)),
        number(of.rays),
        number(of.edits),
        number(of.missed),
        number(of.missed_chunks),
        number(of.missed_rooms),
        number(of.missed_refined),
    );
    for miss in &of.misses {
        let _ = writeln!(out, "  missed: {miss}");
    }
    let _ = writeln!(
        out,
        "{:<12} {:>14} {:>10} {:>10} {:>10} {:>10} {:>14}",
        "set", "chunks a cell", "occluded", "tightness", "ms p50", "ms p99", "missed chunks"
    );
    let mut row = |set: &str, chunks: u64, tightness: f64, ms: Option<[f64; 2]>, missed: Option<u64>| {
        let [p50, p99] = ms.map_or(["-".to_owned(), "-".to_owned()], |ms| ms.map(|ms| format!("{ms:.3}")));
        let _ = writeln!(
            out,
            "{set:<12} {:>14.1} {:>9.2}% {tightness:>10.3} {p50:>10} {p99:>10} {:>14}",
            chunks as f64 / of.cells as f64,
            100.0 - 100.0 * chunks as f64 / of.chunks as f64,
            missed.map_or("-".to_owned(), number),
        );
    };
    let sweep = [of.sweep_ms_p50, of.sweep_ms_p99];
    row("sweep", of.sweep_chunks, of.sweep_tightness, Some(sweep), Some(of.missed_chunks));
    let refine = [of.refine_ms_p50, of.refine_ms_p99];
    row("refined", of.refined_chunks, of.tightness, Some(refine), Some(of.missed_refined));
    row("graph walk", of.walk_chunks, of.walk_tightness, None, Some(of.walk_missed));
    row("rays", of.proven_chunks, 1.0, None, None);
    out.truncate(out.trim_end().len());
    out
}
